/** Suites: finding, parsing with positions, admitting, compiling and hashing cases. */
export { caseIds, isSimulated, saidInCase, type CaseTraits } from './case.js';
export { caseTraits } from './case-traits.js';
export type {
  AgentSpec,
  Case,
  CaseFault,
  CaseLane,
  CaseList,
  CaseRecorded,
  CaseRequest,
  CaseScenario,
  CaseSource,
  CaseTurn,
  CommandAgent,
  Criterion,
  Curation,
  Gate,
  GraderFiles,
  HttpAgent,
  Reasoned,
  Scoring,
  StopRule,
  Suite,
  SuiteCuration,
  SuiteKind,
  WrittenAnswer,
} from './case.js';
export { LINT_RULES, type LintRule } from './curation-schema.js';
export { displayPath, loadTraceSuite, traceSuite, type LoadOptions } from './load.js';
export type { InspectCase } from './trace-suite.js';
export { DEFAULT_MAX_STEPS } from './max-steps.js';
export {
  recordingContent,
  scenarioIdentity,
  SIMULATOR_SCHEMA,
  type SimulatorRecording,
} from './simulator-recording.js';
export { limitsSchema, mergeLimits } from './trial-limits.js';
export {
  placeProblem,
  type ParsedDocument,
  type PositionedDocument,
  type RuleProblem,
  type WrittenDocument,
} from './document.js';
export { parseJsonDocument } from './json-document.js';
export { schemaProblems } from './schema-problems.js';
export { traceExtensions } from './trace-extensions.js';
export { traceFixtureSchema, type TraceFixture } from './trace-schema.js';
export { parseTraceFixture } from './trace.js';
export { writeRecordedRequest } from './trace-script.js';
export { parseYamlDocument, type ParsedYaml } from './yaml-document.js';
export { ASSERTION_TYPES, assertionSchema, type AssertionInput } from './assertion-schema.js';
export { agentSchema, compileAgent, type AgentContext } from './assertion-agent.js';
export { assertionSuiteSchema, type SuiteDefinition } from './assertion-suite-schema.js';
export { loadAssertionSuite, type AssertionLoadOptions } from './assertion-suite.js';
export { compileAssertions, type AssertionContext } from './compile-assertions.js';
export { admitFixtureText, admitSuiteText } from './admit-text.js';
export { compileFixtureChecks } from './compile-expects.js';
export { defineSuite, loadProgramSuite } from './program-suite.js';
export { defineScenario, type ScenarioDefinition } from './scenario-program.js';
export { loadSuiteAt } from './load-suite.js';
export {
  listSuites,
  resolveSuite,
  type FoundSuite,
  type ListedSuite,
  type ResolvedSuite,
  type SuiteOrigin,
  type SuiteRoots,
} from './resolve.js';
export { distributionSchema, readDistribution, type Distribution } from './distribution.js';
