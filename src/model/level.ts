import { AssayError, didYouMean, quote } from '../core/index.js';
import type { ModelsConfig } from './config.js';
import { LEVELS, type Effort, type LevelName, type Thinking } from './level-names.js';
import { parseModelRef, type ModelRef } from './ref.js';

/** What a level stands for. */
export interface Level {
  name: LevelName;
  ref: ModelRef;
  /** Time limit of one try, milliseconds. */
  timeoutMs: number;
  /** Null leaves the effort to the model. */
  effort: Effort | null;
  thinking: Thinking;
  /** Asked once when `ref` fails; the answer is flagged as a downgrade. */
  fallback: ModelRef | null;
}

interface LevelDefault {
  model: string;
  seconds: number;
  fallback: string | null;
}

// The user's own subscription, one tier a level.
const DEFAULTS: Readonly<Record<LevelName, LevelDefault>> = {
  low: { model: 'claude-cli:haiku', seconds: 15, fallback: null },
  medium: { model: 'claude-cli:sonnet', seconds: 30, fallback: null },
  high: { model: 'claude-cli:opus', seconds: 90, fallback: null },
  max: { model: 'claude-cli:fable', seconds: 120, fallback: 'claude-cli:opus' },
};

/** The level used where none is named. */
export const DEFAULT_LEVEL: LevelName = 'medium';

/** True for the name of a level. */
export function isLevelName(name: string): name is LevelName {
  return LEVELS.some((level) => level === name);
}

/** Effort is known to be taken by the subscription command lines; an API model may refuse it, so it must be asked for. */
function defaultEffort(ref: ModelRef): Effort | null {
  return ref.kind === 'claude-cli' || ref.kind === 'codex-cli' ? 'high' : null;
}

/**
 * What a level stands for, under the configuration. No name means `medium`.
 * Throws an `AssayError` with code `CONFIG` for a name that is no level, and with code `MODEL` for a bad model.
 */
export function resolveLevel(name: string | null, config?: ModelsConfig): Level {
  const level = name ?? DEFAULT_LEVEL;
  if (!isLevelName(level)) {
    const near = didYouMean(level, LEVELS);
    throw new AssayError('CONFIG', `${quote(level)} is not a level`, {
      fix: `${near === null ? '' : `did you mean ${near}? `}write one of ${LEVELS.join(', ')}`,
    });
  }
  const written = config?.levels?.[level];
  const standard = DEFAULTS[level];
  const ref = parseModelRef(written?.model ?? standard.model);
  // A level that was given another model does not keep the standard model's fallback.
  const fallback =
    written?.fallback === undefined
      ? written?.model === undefined
        ? standard.fallback
        : null
      : written.fallback;
  return {
    name: level,
    ref,
    timeoutMs: Math.round((written?.timeout_secs ?? standard.seconds) * 1000),
    effort: written?.effort === undefined ? defaultEffort(ref) : written.effort,
    thinking: written?.thinking ?? 'default',
    fallback: fallback === null ? null : parseModelRef(fallback),
  };
}
