import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { LanguageModelV3 } from '@ai-sdk/provider';
import { NEUTRAL_SYSTEM_TEXT, promptSystemText } from '../agent/index.js';
import type { LoadedConfig } from '../config/index.js';
import { AssayError, sha256 } from '../core/index.js';
import { updateGoldenFile, type GradeContext } from '../grade/index.js';
import { asLanguageModel, readOutputs } from '../model/index.js';
import { modelAgents, outputAgents, replayAgents, type AgentSource, type RunOptions } from '../run/index.js';
import { caseTraits, displayPath, type Case, type CaseTraits, type Suite } from '../suite/index.js';
import { chooseModel, type AgentsContext } from './choose-model.js';
import { prepareJudge } from './judge-for.js';

/** What a suite is run with. */
export interface PreparedAgents {
  agents: AgentSource;
  /** Milliseconds a turn may take; null for no limit. */
  turnTimeoutMs: number | null;
  judgeRef: string | null;
  promptHash: string | null;
  grade: Partial<GradeContext> | null;
  onRecorded: RunOptions['onRecorded'] | null;
  close(): Promise<void>;
}

/** Least time that one call of the agent gets, whatever its level says; milliseconds. */
const AGENT_LEAST_MS = 90_000;

/** The system text of prompt agents: the configured live files, else a neutral line. */
function systemText(loaded: LoadedConfig): string {
  const files = loaded.config.eval.system_prompt_files ?? [];
  const texts = files
    .map((file) => resolve(loaded.root, file))
    .filter((path) => existsSync(path))
    .map((path) => readFileSync(path, 'utf8').trim());
  return texts.length === 0 ? NEUTRAL_SYSTEM_TEXT : texts.join('\n\n---\n\n');
}

function goldenUpdates(): RunOptions['onRecorded'] {
  return (tested: Case, recording) => {
    for (const check of tested.checks) {
      if (check.type === 'matches-file' && !check.negated) updateGoldenFile(check, recording);
    }
  };
}

/**
 * Chooses what answers for a suite: scripts in replay, stored outputs, or models.
 * @throws AssayError before anything is spent
 */
export async function agentsFor(suite: Suite, context: AgentsContext): Promise<PreparedAgents> {
  const { flags, loaded } = context;
  const mode = flags.mode ?? loaded.config.eval.mode;
  const { judged, agents: kinds } = caseTraits(suite.cases);
  const base = {
    turnTimeoutMs: flags.timeout === undefined ? null : flags.timeout * 1000,
    onRecorded: flags.update === true ? (goldenUpdates() ?? null) : null,
    close: () => Promise.resolve(),
  };
  if (suite.format === 'trace') {
    if (flags.outputs !== undefined) {
      throw new AssayError('USAGE', '--outputs grades assertion suites; this is a suite of trace fixtures', {
        fix: 'leave --outputs out, or name an assertion suite',
      });
    }
    if (mode === 'live') {
      throw new AssayError('MODE', 'live runs of trace fixtures do not exist in this version', {
        fix: 'run them in replay: assay run --mode replay',
      });
    }
    const agents = replayAgents(
      flags.maxSteps ?? (loaded.explicit.has('max_steps') ? loaded.config.eval.max_steps : undefined),
    );
    const wanted = judged && (flags.judge !== undefined || loaded.config.eval.judge_provider !== '');
    const judge = wanted ? await prepareJudge(suite, agents.modelRef, context) : null;
    return { ...base, agents, promptHash: null, judgeRef: judge?.ref ?? null, grade: judge?.grade ?? null };
  }
  const text = systemText(loaded);
  const agents = await assertionAgents(suite, kinds, text, context);
  const judge = judged ? await judgeOrReason(suite, agents, context) : null;
  return {
    ...base,
    agents,
    promptHash: flags.outputs === undefined ? sha256(promptSystemText(text)) : null,
    judgeRef: judge?.ref ?? null,
    grade: judge?.grade ?? null,
  };
}

/**
 * The judge of a suite. Where nothing is spent on an agent, a judge that cannot be had makes errors of its own checks
 * and the others are graded all the same.
 */
async function judgeOrReason(
  suite: Suite,
  agents: AgentSource,
  context: AgentsContext,
): Promise<{ ref: string | null; grade: Pick<GradeContext, 'judge'> }> {
  try {
    return await prepareJudge(suite, agents.modelRef, context);
  } catch (error) {
    if (agents.mode !== 'outputs' || !AssayError.isInstance(error)) throw error;
    const evidence = `there is no judge: ${error.message}`;
    return { ref: null, grade: { judge: () => Promise.resolve({ outcome: 'error', evidence }) } };
  }
}

async function assertionAgents(
  suite: Suite,
  kinds: CaseTraits['agents'],
  text: string,
  context: AgentsContext,
): Promise<AgentSource> {
  const { flags, loaded, cwd } = context;
  if (flags.outputs !== undefined)
    return outputAgents(await readOutputs(displayPath(resolve(cwd, flags.outputs), process.cwd())));
  if (flags.mode === 'replay') {
    throw new AssayError('MODE', `${suite.name} is an assertion suite: it has no scripted model to replay`, {
      fix: 'leave --mode out, or grade stored answers with --outputs FILE',
    });
  }
  const named = flags.model ?? suite.agentModel ?? loaded.config.eval.live_provider;
  const modelless = [...kinds].every((kind) => kind === 'module');
  if (modelless && named === '') {
    return modelAgents({
      modelRef: 'none',
      model: null,
      toolCapable: false,
      systemText: text,
      deterministic: false,
    });
  }
  const chosen = await chooseModel(named, suite.agentLevel, AGENT_LEAST_MS, context);
  const model = (tested: Case, trial: number): LanguageModelV3 =>
    asLanguageModel(
      chosen.resolved,
      {
        timeoutMs: chosen.timeoutMs,
        trialIndex: trial,
        caseId: tested.id,
        purpose: 'agent',
        cache: false,
        ...(chosen.fallback === null ? {} : { fallback: chosen.fallback }),
      },
      context.services,
    );
  return modelAgents({
    modelRef: chosen.resolved.ref,
    model,
    toolCapable: chosen.resolved.toolCapable,
    systemText: text,
    deterministic: false,
  });
}
