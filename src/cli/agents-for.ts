import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { LanguageModelV3 } from '@ai-sdk/provider';
import { NEUTRAL_SYSTEM_TEXT, promptSystemText } from '../agent/index.js';
import type { LoadedConfig } from '../config/index.js';
import { assayVersion, AssayError, sha256, type Source } from '../core/index.js';
import type { GradeContext } from '../grade/index.js';
import { updateGoldenFile } from '../grade/index.js';
import { assertDistinct, createJudge } from '../judge/index.js';
import {
  asLanguageModel,
  callModel,
  createLimits,
  parseModelRef,
  readOutputs,
  resolveLevel,
  resolveModel,
  retryPolicy,
  type ModelServices,
  type ResolvedModel,
} from '../model/index.js';
import {
  judgeGrader,
  modelAgents,
  outputAgents,
  replayAgents,
  type AgentSource,
  type RunOptions,
} from '../run/index.js';
import type { Case, Suite } from '../suite/index.js';
import type { RunFlags } from './commands/run.js';
import { storeRoot } from './run-store.js';
import { note } from './streams.js';

/** What a suite is run with. */
export interface PreparedAgents {
  agents: AgentSource;
  /** Milliseconds a turn may take; null for no limit. */
  turnTimeoutMs: number | null;
  judgeRef: string | null;
  promptHash: string | null;
  grade: Partial<GradeContext> | null;
  onGraded: RunOptions['onGraded'] | null;
  close(): Promise<void>;
}

/** What agents are prepared in. */
export interface AgentsContext {
  flags: RunFlags;
  loaded: LoadedConfig;
  cwd: string;
  source: Source;
  cancel: AbortSignal;
}

const JUDGED = new Set(['llm-rubric', 'llm-assert', 'pairwise', 'trace-judge']);

/** What of a suite's cases decides which models are needed; found in one walk. */
interface Needs {
  judge: boolean;
  model: boolean;
  functions: boolean;
}

function needsOf(suite: Suite): Needs {
  const needs: Needs = { judge: false, model: false, functions: false };
  for (const tested of suite.cases) {
    needs.judge ||= tested.checks.some((check) => JUDGED.has(check.type));
    if (tested.agent.type === 'module') needs.functions = true;
    else needs.model = true;
    if (needs.judge && needs.model && needs.functions) break;
  }
  return needs;
}

function services(context: AgentsContext): ModelServices {
  const { loaded, source, flags } = context;
  const { config } = loaded;
  return {
    source,
    version: assayVersion(),
    cacheDirectory: flags.cache === false ? null : join(storeRoot(loaded), 'cache'),
    limits: createLimits(source, config.concurrency),
    retry: retryPolicy(config.retry),
    ...(config.prices === undefined ? {} : { prices: config.prices }),
  };
}

/** A model with the time it may take. */
interface ChosenModel {
  resolved: ResolvedModel;
  timeoutMs: number;
  fallback: ResolvedModel | null;
}

async function chooseModel(
  named: string | null,
  level: string,
  least: number,
  context: AgentsContext,
): Promise<ChosenModel> {
  const { loaded, cwd, source } = context;
  const chosen = resolveLevel(level, loaded.config);
  const within = {
    directory: loaded.file === null ? cwd : loaded.root,
    environment: process.env,
    source,
    config: loaded.config,
  };
  if (named !== null && named !== '') {
    const resolved = await resolveModel(parseModelRef(named), within);
    return { resolved, timeoutMs: Math.max(chosen.timeoutMs, least), fallback: null };
  }
  const settings = { ...within, effort: chosen.effort, thinking: chosen.thinking };
  return {
    resolved: await resolveModel(chosen.ref, settings),
    timeoutMs: Math.max(chosen.timeoutMs, least),
    fallback: chosen.fallback === null ? null : await resolveModel(chosen.fallback, settings),
  };
}

/** Least time that one call of the agent gets, whatever its level says; milliseconds. */
const AGENT_LEAST_MS = 90_000;
/** Least time that one call of the judge gets. */
const JUDGE_LEAST_MS = 90_000;

/** True when some check of the suite asks a judge. */
export function suiteNeedsJudge(suite: Suite): boolean {
  return needsOf(suite).judge;
}

/**
 * The judge of a suite: the one named, else the configured one, else the model of the suite's judge level.
 * @throws AssayError `JUDGE` when it is the model under test and that is not allowed
 */
export async function prepareJudge(
  suite: Suite,
  agentRef: string,
  context: AgentsContext,
): Promise<{ ref: string; grade: Partial<GradeContext> }> {
  const { loaded, flags, source, cancel } = context;
  const named = flags.judge ?? suite.judgeModel ?? loaded.config.eval.judge_provider;
  const judge = await chooseModel(named, suite.judgeLevel, JUDGE_LEAST_MS, context);
  const { ref } = judge.resolved;
  const pairing = assertDistinct({
    agentRef,
    judgeRef: ref,
    agentServed: null,
    judgeServed: null,
    override: flags.allowSameJudge === true,
  });
  if (pairing.status === 'same') throw new AssayError('JUDGE', pairing.message, { fix: pairing.fix });
  if (pairing.status === 'overridden' && flags.quiet !== true) note(`note: ${pairing.mark}`);
  const shared = services(context);
  const built = createJudge({
    modelRef: ref,
    random: () => source.random(),
    async ask(request, signal) {
      const call = await callModel(
        judge.resolved,
        {
          system: request.system,
          prompt: [{ role: 'user', content: [{ type: 'text', text: request.user }] }],
          ...(request.schema === null ? {} : { responseFormat: { type: 'json', schema: request.schema } }),
          timeoutMs: judge.timeoutMs,
          ...(signal === undefined ? {} : { signal }),
          cache: true,
          trialIndex: 1,
          purpose: request.purpose,
          ...(judge.fallback === null ? {} : { fallback: judge.fallback }),
        },
        shared,
      );
      return {
        text: call.text,
        servedModel: call.servedModel,
        inputTokens: call.usage.inputTokens,
        outputTokens: call.usage.outputTokens,
        cost: call.cost,
        cached: call.cached,
      };
    },
  });
  return { ref, grade: { judge: judgeGrader(built, cancel) } };
}

/** The system text of prompt agents: the configured live files, else a neutral line. */
function systemText(loaded: LoadedConfig): string {
  const files = loaded.config.eval.system_prompt_files ?? [];
  const texts = files
    .map((file) => resolve(loaded.root, file))
    .filter((path) => existsSync(path))
    .map((path) => readFileSync(path, 'utf8').trim());
  return texts.length === 0 ? NEUTRAL_SYSTEM_TEXT : texts.join('\n\n---\n\n');
}

function goldenUpdates(): RunOptions['onGraded'] {
  return (tested: Case, recording) => {
    for (const check of tested.checks) {
      if (check.type === 'matches-file') updateGoldenFile(check, recording);
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
  const needs = needsOf(suite);
  const base = {
    turnTimeoutMs: flags.timeout === undefined ? null : flags.timeout * 1000,
    onGraded: flags.update === true ? (goldenUpdates() ?? null) : null,
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
    const judged = needs.judge && (flags.judge !== undefined || loaded.config.eval.judge_provider !== '');
    const judge = judged ? await prepareJudge(suite, agents.modelRef, context) : null;
    return { ...base, agents, promptHash: null, judgeRef: judge?.ref ?? null, grade: judge?.grade ?? null };
  }
  const text = systemText(loaded);
  const agents = await assertionAgents(suite, needs, text, context);
  const judge = needs.judge ? await prepareJudge(suite, agents.modelRef, context) : null;
  return {
    ...base,
    agents,
    promptHash: flags.outputs === undefined ? sha256(promptSystemText(text)) : null,
    judgeRef: judge?.ref ?? null,
    grade: judge?.grade ?? null,
  };
}

async function assertionAgents(
  suite: Suite,
  needs: Needs,
  text: string,
  context: AgentsContext,
): Promise<AgentSource> {
  const { flags, loaded, cwd } = context;
  if (flags.outputs !== undefined) return outputAgents(await readOutputs(resolve(cwd, flags.outputs)));
  if (flags.mode === 'replay') {
    throw new AssayError('MODE', `${suite.name} is an assertion suite: it has no scripted model to replay`, {
      fix: 'leave --mode out, or grade stored answers with --outputs FILE',
    });
  }
  const named = flags.model ?? suite.agentModel ?? loaded.config.eval.live_provider;
  if (!needs.model && named === '') {
    return modelAgents({
      modelRef: 'none',
      model: null,
      toolCapable: false,
      systemText: text,
      deterministic: false,
    });
  }
  const chosen = await chooseModel(named, suite.agentLevel, AGENT_LEAST_MS, context);
  const shared = services(context);
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
      shared,
    );
  return modelAgents({
    modelRef: chosen.resolved.ref,
    model,
    toolCapable: chosen.resolved.toolCapable,
    systemText: text,
    deterministic: false,
  });
}
