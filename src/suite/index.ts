/** Suites: finding, parsing with positions, admitting, compiling and hashing cases. */
export type {
  AgentSpec,
  Case,
  CaseList,
  CaseSource,
  CaseTurn,
  Criterion,
  Gate,
  Scoring,
  Suite,
  SuiteKind,
} from './case.js';
export { displayPath, loadTraceSuite, type LoadOptions } from './load.js';
export type { InspectCase } from './trace-suite.js';
export { DEFAULT_MAX_STEPS } from './trace.js';
