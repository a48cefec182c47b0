import type { LoadedConfig } from '../config/index.js';
import { AssayError } from '../core/index.js';
import { parseModelRef, resolveLevel, runsOwnTools } from '../model/index.js';
import type { ModelAgentsOptions, RunOptions } from '../run/index.js';
import type { Case, CaseTraits, Suite } from '../suite/index.js';
import type { RunFlags } from './commands/run.js';

/**
 * The model of a live run as named; '' leaves it to the suite's level. A suite of fixtures has no level, so somebody
 * must name its model.
 * @throws AssayError `CONFIG` that names the key, before anything is built
 */
export function namedModel(suite: Suite, flags: RunFlags, loaded: LoadedConfig): string {
  const named = (flags.model ?? suite.agentModel ?? loaded.config.eval.live_provider).trim();
  if (named !== '' || suite.format !== 'trace') return named;
  throw new AssayError(
    'CONFIG',
    'a live run of trace fixtures needs a model, and eval.live_provider is empty',
    {
      fix: 'name one there or with --model, such as openai-compatible:MODEL@http://localhost:11434/v1',
    },
  );
}

/**
 * Refuses a command-line model as the model of the built-in loop, also as its fallback: it starts tools of its own,
 * which no allowlist and no workspace holds.
 * @throws AssayError `MODE`, before anything is built
 */
export function refuseOwnTools(
  suite: Suite,
  kinds: CaseTraits['agents'],
  named: string,
  loaded: LoadedConfig,
): void {
  if (!kinds.has('loop')) return;
  const level = named === '' ? resolveLevel(suite.agentLevel, loaded.config) : null;
  const refs = level === null ? [parseModelRef(named)] : [level.ref, level.fallback];
  for (const ref of refs) {
    if (ref === null || !runsOwnTools(ref)) continue;
    const role = ref === level?.fallback ? `the fallback of the level ${level.name}` : 'the model';
    throw new AssayError(
      'MODE',
      `${ref.text}, ${role}, runs tools of its own and cannot be the model of the built-in loop`,
      { fix: 'name a provider (anthropic:, openai:, google:, openai-compatible:), or use agent: prompt' },
    );
  }
}

/** The tools that live cases may be granted. */
export function allowedTools(loaded: LoadedConfig): NonNullable<ModelAgentsOptions['allowedTools']> {
  return { names: loaded.config.eval.live_allowed_tools, written: loaded.explicit.has('live_allowed_tools') };
}

/** True for the replay of a fixture as the reference knows it: nothing in it can take time. */
function isPlainReplay(tested: Case, replayed: boolean): boolean {
  return (
    replayed &&
    (tested.agent.type === 'prompt' || (tested.agent.type === 'loop' && tested.agent.tools === null))
  );
}

/**
 * Time limits of turns: what the command line says; else `eval.case_timeout_secs` for every agent that can hang. The
 * calls of a prompt agent have limits of their own, so the key holds for it only where somebody wrote it.
 */
export function turnTimeouts(
  suite: Suite,
  replayed: boolean,
  flags: RunFlags,
  loaded: LoadedConfig,
): Exclude<RunOptions['turnTimeoutMs'], undefined> {
  if (flags.timeout !== undefined) return flags.timeout * 1000;
  const standard = loaded.config.eval.case_timeout_secs * 1000;
  const always = suite.format === 'trace' || loaded.explicit.has('case_timeout_secs');
  return (tested) => {
    if (isPlainReplay(tested, replayed)) return null;
    return always || tested.agent.type !== 'prompt' ? standard : null;
  };
}
