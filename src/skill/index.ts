/** Assay as a skill of an agent: its files, where they go, and the log of what was done with them. */
export {
  EXECUTION_LOG_NAME,
  EXECUTION_STATUSES,
  executionsJson,
  logExecution,
  readExecutions,
  selectExecutions,
  type ExecutionEntry,
  type ExecutionFilter,
  type ExecutionStatus,
} from './execution-log.js';
export { applyInstall, editedFiles, planInstall, type InstallPlan } from './install.js';
export { skillDirectory, type SkilledAgent } from './places.js';
export { applyUninstall, planUninstall, type UninstallPlan } from './uninstall.js';
export { SKILL_NAME } from './workflows.js';
