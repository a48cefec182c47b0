import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { LanguageModelV3 } from '@ai-sdk/provider';
import { NEUTRAL_SYSTEM_TEXT, promptSystemText } from '../agent/index.js';
import type { LoadedConfig } from '../config/index.js';
import { AssayError, sha256 } from '../core/index.js';
import type { GradeContext } from '../grade/index.js';
import { asLanguageModel, modelUpstreams, parseModelRef, readOutputs } from '../model/index.js';
import {
  modelAgents,
  outputAgents,
  outsideAgents,
  replayAgents,
  type AgentSource,
  type ModelAgentsOptions,
  type RunOptions,
} from '../run/index.js';
import { caseTraits, displayPath, type Case, type CaseTraits, type Suite } from '../suite/index.js';
import { chooseModel, modelPlace, type AgentsContext } from './choose-model.js';
import { goldenUpdates } from './golden-updates.js';
import { prepareJudge } from './judge-for.js';
import { allowedTools, namedModel, refuseOwnTools, turnTimeouts } from './live-guards.js';
import { modelScope, type RunInputs } from './run-identity.js';
import { refuseBillingAgents } from './no-spend.js';
import { createRedactor } from './redactor.js';
import { prepareUsers, type PreparedUsers } from './simulator-for.js';
import { note } from './streams.js';
import { noteUnusedOutputs } from './unused-outputs.js';

/** What a suite is run with. */
export interface PreparedAgents {
  agents: AgentSource;
  /** Milliseconds a turn may take; null for no limit. */
  turnTimeoutMs: Exclude<RunOptions['turnTimeoutMs'], undefined>;
  /** Takes out of trials what must not be kept. */
  redact: (text: string) => string;
  judgeRef: string | null;
  promptHash: string | null;
  scopes: Pick<RunInputs, 'agentScope' | 'judgeScope' | 'simulatorScope'>;
  grade: Partial<GradeContext> | null;
  /** Who speaks in scenarios; null where there are none. */
  users: Pick<PreparedUsers, 'userOf' | 'ref'> | null;
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

/**
 * Chooses what answers for a suite: scripts in replay, stored outputs, or models.
 * @throws AssayError before anything is spent
 */
export async function agentsFor(suite: Suite, context: AgentsContext): Promise<PreparedAgents> {
  const { flags, loaded } = context;
  const mode = flags.mode ?? loaded.config.eval.mode;
  const { judged, agents: kinds, scenarios, simulated } = caseTraits(suite.cases);
  const replayed = suite.format === 'trace' && mode !== 'live';
  const base = {
    // A program or a tool that hangs must not hang the run.
    turnTimeoutMs: turnTimeouts(suite, replayed, flags, loaded),
    redact: createRedactor(process.env, []),
    users: null,
    onRecorded: flags.update === true ? (goldenUpdates() ?? null) : null,
    close: () => Promise.resolve(),
  };
  if (suite.format === 'trace' && flags.outputs !== undefined) {
    throw new AssayError('USAGE', '--outputs grades assertion suites; this is a suite of trace fixtures', {
      fix: 'leave --outputs out, or name an assertion suite',
    });
  }
  // The rubrics of fixtures are advice until they are calibrated, so they are asked only where a judge is named.
  const advised = judged && (flags.judge !== undefined || loaded.config.eval.judge_provider !== '');
  if (replayed) {
    const maxSteps =
      flags.maxSteps ?? (loaded.explicit.has('max_steps') ? loaded.config.eval.max_steps : undefined);
    const agents = replayAgents({
      ...(maxSteps === undefined ? {} : { maxSteps }),
      strict: flags.strict === true,
      warn: (message) => message.split('\n').forEach(note),
    });
    const judge = advised ? await prepareJudge(suite, agents.modelRef, context) : null;
    return {
      ...base,
      agents,
      close: () => agents.close(),
      promptHash: null,
      scopes: { agentScope: null, judgeScope: judge?.scope ?? null },
      judgeRef: judge?.ref ?? null,
      grade: judge?.grade ?? null,
    };
  }
  const text = systemText(loaded);
  const { agents, close, secrets, scope } = await liveAgents(suite, kinds, text, context);
  const asked = suite.format === 'trace' ? advised : judged;
  const judge = asked ? await judgeOrReason(suite, agents, context) : null;
  let redact = createRedactor(process.env, secrets);
  let users: PreparedUsers | null = null;
  if (scenarios && agents.mode !== 'outputs') {
    users = await prepareUsers(suite, simulated, context, (answer) => redact(answer));
    redact = createRedactor(process.env, [...secrets, ...users.secrets]);
  }
  return {
    ...base,
    redact,
    users,
    agents,
    close,
    promptHash: flags.outputs === undefined ? sha256(promptSystemText(text)) : null,
    scopes: {
      agentScope: scope,
      judgeScope: judge?.scope ?? null,
      ...(users === null ? {} : { simulatorScope: users.scope }),
    },
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
): Promise<{ ref: string | null; scope: string | null; grade: Pick<GradeContext, 'judge'> }> {
  try {
    return await prepareJudge(suite, agents.modelRef, context);
  } catch (error) {
    if (agents.mode !== 'outputs' || !AssayError.isInstance(error)) throw error;
    const evidence = `there is no judge: ${error.message}`;
    return {
      ref: null,
      scope: null,
      grade: { judge: () => Promise.resolve({ outcome: 'error', evidence }) },
    };
  }
}

const nothingToClose = (): Promise<void> => Promise.resolve();

async function liveAgents(
  suite: Suite,
  kinds: CaseTraits['agents'],
  text: string,
  context: AgentsContext,
): Promise<{
  agents: AgentSource;
  close: () => Promise<void>;
  secrets: readonly string[];
  scope: string | null;
}> {
  const { flags, loaded, cwd } = context;
  if (flags.outputs !== undefined) {
    const outputs = await readOutputs(displayPath(resolve(cwd, flags.outputs), process.cwd()));
    if (flags.quiet !== true) noteUnusedOutputs(suite, outputs, flags.trials ?? null);
    return { agents: outputAgents(outputs), close: nothingToClose, secrets: [], scope: null };
  }
  if (flags.mode === 'replay') {
    throw new AssayError('MODE', `${suite.name} is an assertion suite: it has no scripted model to replay`, {
      fix: 'leave --mode out, or grade stored answers with --outputs FILE',
    });
  }
  refuseBillingAgents(kinds, flags);
  const bareKinds = [...kinds].every((kind) => kind === 'module' || kind === 'command' || kind === 'http');
  const named = bareKinds
    ? (flags.model ?? suite.agentModel ?? loaded.config.eval.live_provider)
    : namedModel(suite, flags, loaded);
  refuseOwnTools(suite, kinds, named, loaded);
  const maxSteps =
    flags.maxSteps ?? (loaded.explicit.has('max_steps') ? loaded.config.eval.max_steps : undefined);
  const common = {
    systemText: text,
    deterministic: false,
    allowedTools: allowedTools(loaded),
    ...(maxSteps === undefined ? {} : { maxSteps }),
  };
  const outside = await outsideFor(kinds, named, context);
  if (bareKinds && (named === '' || !kinds.has('module'))) {
    return {
      agents: modelAgents({
        ...common,
        ...outside.options,
        modelRef: named === '' ? 'none' : named,
        model: null,
        toolCapable: false,
      }),
      close: outside.close,
      secrets: outside.secrets,
      scope: null,
    };
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
  return {
    agents: modelAgents({
      ...common,
      ...outside.options,
      modelRef: chosen.resolved.ref,
      model,
      toolCapable: chosen.resolved.toolCapable && chosen.fallback?.toolCapable !== false,
    }),
    close: outside.close,
    scope: modelScope(chosen),
    secrets: [...outside.secrets, ...chosen.resolved.secrets, ...(chosen.fallback?.secrets ?? [])],
  };
}

/**
 * Programs and endpoints of a suite. With a model named they reach it through the recording proxy, which sees what
 * they do; without one each finds its model by itself, and only its answer is known.
 */
async function outsideFor(
  kinds: CaseTraits['agents'],
  named: string,
  context: AgentsContext,
): Promise<{
  options: Pick<ModelAgentsOptions, 'outside'>;
  close: () => Promise<void>;
  secrets: readonly string[];
}> {
  if (!kinds.has('command') && !kinds.has('http')) return { options: {}, close: nothingToClose, secrets: [] };
  const upstreams = named === '' ? null : await modelUpstreams(parseModelRef(named), modelPlace(context));
  const agents = outsideAgents({
    upstreams: upstreams?.targets ?? null,
    secrets: upstreams?.secrets ?? [],
  });
  return {
    options: { outside: (tested, agent, trial) => agents.prepare(tested, agent, trial) },
    close: () => agents.close(),
    secrets: upstreams?.secrets ?? [],
  };
}
