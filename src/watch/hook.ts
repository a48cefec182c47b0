import type { ConfigChange } from '../config/index.js';
import type { Source } from '../core/index.js';
import type { Environment } from '../model/index.js';
import { tryLog, type LogEntry, type SkipReason } from './log.js';
import { readPayload, type HookPayload } from './payload.js';
import type { WatchPlace } from './place.js';
import { enqueue } from './queue.js';
import type { ReadInput } from './read-input.js';
import type { Sentinels } from './sentinels.js';
import { isInsideRun, subagentMarker } from './who.js';

/** What a hook decides with. */
export interface HookContext {
  place: WatchPlace;
  sentinels: Sentinels;
  subagents: ConfigChange['subagents'];
  environment: Environment;
  source: Source;
  /** Where relative paths of a payload start that does not say. */
  cwd: string;
  /** Hears why a line could not be logged; an edit is tested all the same. */
  onUnlogged(why: string): void;
}

interface Skip {
  skip: SkipReason;
  why: string;
  trigger: string | null;
  probe: string | null;
}

function subagentSkip(payload: HookPayload, context: HookContext): string | null {
  if (context.subagents === 'test') return null;
  if (payload.subagent !== null) return `the edit of a subagent (${payload.subagent})`;
  const marker = subagentMarker(context.environment);
  return marker === null ? null : `the edit of a subagent (variable ${marker})`;
}

/** The edited sentinels, or why there is nothing to test. */
function decideEdit(payload: HookPayload, context: HookContext): { edited: string[] } | Skip {
  const { probe, paths } = payload;
  const [first = null] = paths;
  const edited = paths.filter((path) => context.sentinels.match(path) !== null);
  const [trigger = null] = edited;
  if (trigger === null) return { skip: 'skip-not-sentinel', why: 'no sentinel', trigger: first, probe };
  const subagent = subagentSkip(payload, context);
  if (subagent !== null) return { skip: 'skip-subagent', why: subagent, trigger, probe };
  if (probe === null) return { edited };
  return { skip: 'skip-probe', why: 'a probe of assay hook doctor: an edit would be tested', trigger, probe };
}

function skipEntry({ skip, why, trigger, probe }: Skip): LogEntry {
  return { event: skip, trigger, reason: why, ...(probe === null ? {} : { probe }) };
}

/**
 * Takes what an agent gave its hook: puts edits of sentinels into the queue and notes everything else with its reason.
 * @returns how many edits were put into the queue
 * @throws AssayError `STORE` when the queue cannot be written
 */
export async function takeHook(input: ReadInput, context: HookContext): Promise<number> {
  const { place, source, environment, cwd } = context;
  const now = source.now();
  const log = (entry: LogEntry): void => {
    const unlogged = tryLog(place.log, now, entry);
    if (unlogged !== null) context.onUnlogged(unlogged);
  };
  if (input.text === null) {
    log({ event: input.skip, trigger: null, reason: input.why });
    return 0;
  }
  const read = readPayload(input.text, cwd);
  const decided = read.payload === null ? read : decideEdit(read.payload, context);
  if (isInsideRun(environment)) {
    const trigger = 'skip' in decided ? decided.trigger : (decided.edited[0] ?? null);
    log({ event: 'skip-recursion', trigger, reason: 'inside a run that a changed configuration set off' });
    return 0;
  }
  if ('skip' in decided) {
    log(skipEntry(decided));
    return 0;
  }
  for (const trigger of decided.edited) {
    await enqueue(place.pending, { at: now, trigger, seenBy: 'hook' });
    log({ event: 'queued', trigger });
  }
  return decided.edited.length;
}
