/** Suites over time: what they are worth, and how they are kept. */
export { lintSuite, type LintReport } from './lint.js';
export type { LintFinding } from './lint-finding.js';
export { balanceOf, polarityOf } from './lint-suite-rules.js';
export type { CaseProof, ProveOptions, Survivor } from './prove-case.js';
export { proveCase } from './prove-case.js';
export { proofFaults, proveSuite, type ProofBar, type SuiteProof } from './prove-suite.js';
export { proveText } from './prove-text.js';
export { storedPasses } from './stored-passes.js';
export {
  isAsExpected,
  verifyCase,
  verifySuite,
  type AnswerVerification,
  type CaseVerification,
} from './verify.js';
export { verifyText } from './verify-text.js';
export { removeYaml, setYaml } from './yaml-edit.js';
export { yamlEntry } from './yaml-entry.js';
export { removeJson, setJson } from './json-edit.js';
export { parseKeyPath } from './key-path.js';
export { parseCaseText, parseYamlValue } from './yaml-value.js';
export { applyPlan, HISTORY_NAME, type ChangePlan, type CurationEntry } from './change-plan.js';
export { planAddCase, planEdit, type EditRequest, type PlanContext } from './plan-edit.js';
export { planGraduateCases, planGraduateSuite } from './plan-graduate.js';
export { planRetire } from './plan-retire.js';
export { runEvidence, type RunEvidence } from './run-evidence.js';
export {
  GRADUATION_BAR,
  POOLED_RUNS,
  saturationOf,
  type CaseEvidence,
  type EvidenceRule,
  type SaturationReport,
} from './saturation.js';
export { findCase } from './suite-text.js';
export { planCreate, type NewSuite, type NewSuiteFormat } from './new-suite.js';
export { mutantsOf, type MutantSet } from './mutants.js';
export type { FileChange, Mutant } from './mutant.js';
export { mergedExpects } from './paste.js';
export { percent } from './prove-suite.js';
