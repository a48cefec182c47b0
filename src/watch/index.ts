/** Config-change regression: edits of the files that shape an agent run a suite, and a drop is told. */
export { hookAgent, hookScope, HOOK_AGENTS, HOOK_SCOPES, type HookAgent, type HookScope } from './agents.js';
export { decide, type ChangeVerdict, type Decision, type DropLimits } from './decide.js';
export { dropTest, type CaseScores } from './drop-test.js';
export { runEnvironment } from './environment.js';
export { takeHook, type HookContext } from './hook.js';
export {
  applySettings,
  installedLine,
  planInstall,
  planUninstall,
  type HookTarget,
  type SettingsPlan,
} from './install.js';
export { lockOwner, takeLock, type HeldLock, type LockAnswer, type LockOwner } from './lock.js';
export { appendLog, readLog, tryLog, type LogEntry, type LogEvent, type SkipReason } from './log.js';
export { observe, type Observer } from './observe.js';
export { PROBE_KEY } from './payload.js';
export { watchPlace, type WatchPlace } from './place.js';
export { enqueue, pendingEdits, removeEdits, waitFor, type PendingEdit } from './queue.js';
export { readInput } from './read-input.js';
export type { CaseFacts, RunFacts } from './run-facts.js';
export { sentinelsOf, type Sentinels } from './sentinels.js';
export { shellLine, shellWords } from './shell-words.js';
export { switchedOff } from './switched-off.js';
export { isInsideRun, subagentMarker } from './who.js';
export { work, type WorkContext } from './work.js';
