import { mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, isAbsolute, join } from 'node:path';
import { clip, errorMessage, presetFacts, type JsonObject, type Protocol } from '../core/index.js';
import { findProgram, runProgram, type Environment, type ProgramOutcome } from '../model/index.js';
import type { CommandAgent } from '../suite/index.js';
import { AgentError } from './agent-error.js';
import { nothingObserved, type AgentSession, type Observed } from './agent.js';
import type { ClosedNetwork } from './closed-network.js';
import { fillPlaceholders, fillValues, type AgentValues } from './placeholders.js';
import { presetRecipe, type Recipe } from './recipes.js';
import { endSurvivors } from './survivors.js';

/** Where a program finds its model. */
export interface ModelAddress {
  /** Without a version. */
  baseUrl: string;
  urls: { readonly [Name in Protocol]: string };
}

/** How a program is run as an agent. */
export interface CommandOptions {
  agent: CommandAgent;
  /** Where its model is in a turn (0-based); null when the program finds it by itself. */
  model: (turn: number) => ModelAddress | null;
  network: ClosedNetwork;
  /** The trial's private directories; both exist once asked for. */
  workspace: () => string;
  home: () => string;
  /** The whole environment that a trial gives to what it starts. */
  environment: () => { [name: string]: string };
  /** Assay's own environment: what an agent names of it is passed on, and well-known agents are looked for in it. */
  outer: Environment;
  signal: AbortSignal;
  /** True when nothing but the program tells how it ended, so that an exit code other than 0 is an error. */
  exitCounts: boolean;
}

const SHOWN_ERROR = 400;

/** The usual ways to tell a client where its model is, for programs that need no more than that. */
function usualVariables(model: ModelAddress): { [name: string]: string } {
  const key = 'sk-assay-scripted';
  return {
    ASSAY_MODEL_URL: model.baseUrl,
    ANTHROPIC_BASE_URL: model.urls.anthropic,
    ANTHROPIC_API_KEY: key,
    OPENAI_BASE_URL: model.urls['openai-chat'],
    OPENAI_API_KEY: key,
    GOOGLE_GEMINI_BASE_URL: model.baseUrl,
    GEMINI_API_KEY: key,
  };
}

function startOf(agent: CommandAgent): Recipe {
  if (agent.preset === undefined) {
    const [program = '', ...words] = agent.command;
    return { program, arguments: words, env: {}, files: {} };
  }
  const recipe = presetRecipe(agent.preset, agent.protocol, agent.model);
  return { ...recipe, arguments: [...recipe.arguments, ...agent.command] };
}

/**
 * A conversation with a program: it is started once a turn, in the trial's workspace, with a home of its own, an
 * environment by allowlist and standard input closed. What it answers is its standard output; who knows what it did
 * is a witness at its model.
 */
export class CommandSession implements AgentSession {
  private readonly options: CommandOptions;
  private readonly seen: Observed = nothingObserved();
  private readonly facts: JsonObject;
  private running: Promise<unknown> = Promise.resolve();

  constructor(options: CommandOptions) {
    this.options = options;
    this.facts = { network: options.network.state, exits: [] };
    this.seen.cost = null;
    this.seen.extra = { agent: this.facts };
  }

  observed(): Observed {
    return this.seen;
  }

  async close(): Promise<void> {
    await this.running;
  }

  async turn(user: string, index: number): Promise<string> {
    const work = this.run(user, index);
    // A turn that is given up still ends its program before the session is closed.
    this.running = work.catch(() => undefined);
    return work;
  }

  private async run(user: string, index: number): Promise<string> {
    const { agent, network, signal, exitCounts } = this.options;
    const workspace = this.options.workspace();
    const home = this.options.home();
    const model = this.options.model(index);
    const values = this.values(user, workspace, home, model);
    const start = startOf(agent);
    this.makeHome(home, start.files, values);
    const environment = this.environmentOf(start, values, model);
    const program = await this.find(fillPlaceholders(start.program, values), environment, workspace);
    const words = start.arguments.map((word) => fillPlaceholders(word, values));
    const started = network.wrap(program, words);
    const outcome = await runProgram({
      ...started,
      environment,
      directory: workspace,
      input: agent.stdin === undefined ? '' : fillPlaceholders(agent.stdin, values),
      signal,
    });
    await this.endLeftovers(index, home, workspace);
    this.note(outcome, index);
    if (outcome.ending === 'not-started') {
      throw new AgentError(
        'setup',
        `turn ${index + 1}: ${program} did not start: ${errorMessage(outcome.startError)}`,
      );
    }
    if (outcome.ending === 'overflow')
      throw new AgentError('limit', `turn ${index + 1}: ${program} wrote more than 64 MiB`);
    if (exitCounts && (outcome.ending === 'stopped' || outcome.code !== 0)) {
      throw new AgentError('agent', `turn ${index + 1}: ${this.howItEnded(outcome)}`);
    }
    const text = outcome.stdout.trim();
    this.seen.messages.push({ role: 'user', text: user }, { role: 'assistant', text });
    return text;
  }

  private values(prompt: string, workspace: string, home: string, model: ModelAddress | null): AgentValues {
    const { agent } = this.options;
    const base = model?.baseUrl ?? '';
    const usual = agent.preset === undefined ? null : presetFacts(agent.preset).protocols[0];
    const protocol = agent.protocol ?? usual;
    return {
      prompt,
      workspace,
      home,
      model_base: base,
      model_url: protocol === null || model === null ? base : model.urls[protocol],
      suite: agent.suiteDirectory ?? '',
    };
  }

  private makeHome(home: string, files: Recipe['files'], values: AgentValues): void {
    for (const [path, text] of Object.entries(files)) {
      const target = join(home, path);
      mkdirSync(dirname(target), { recursive: true });
      writeFileSync(target, fillPlaceholders(text, values));
    }
  }

  private environmentOf(
    start: Recipe,
    values: AgentValues,
    model: ModelAddress | null,
  ): { [name: string]: string } {
    const { agent, environment, outer, network } = this.options;
    const own = environment();
    // A directory that depends on where the program runs would let the workspace choose what is started.
    const path = (own['PATH'] ?? '').split(delimiter).filter((directory) => isAbsolute(directory));
    const passed: { [name: string]: string } = {};
    for (const name of agent.environment ?? []) {
      const value = outer[name];
      if (value !== undefined) passed[name] = value;
    }
    return {
      ...own,
      PATH: path.join(delimiter),
      ...(model === null || agent.preset !== undefined ? {} : usualVariables(model)),
      ...passed,
      ...fillValues(start.env, values),
      ...fillValues(agent.env ?? {}, values),
      ...network.environment,
    };
  }

  /** The absolute path of the program; a path with a slash is taken from the workspace on. */
  private async find(program: string, environment: Environment, workspace: string): Promise<string> {
    if (isAbsolute(program)) return program;
    if (/[\\/]/.test(program)) return join(workspace, program);
    const { agent, outer } = this.options;
    const found = await findProgram(program, agent.preset === undefined ? environment : outer);
    if (found !== null) return found;
    const hint = agent.preset === undefined ? '' : '; assay doctor says how to get it';
    throw new AgentError('setup', `${program} was not found on PATH${hint}`);
  }

  private async endLeftovers(index: number, home: string, workspace: string): Promise<void> {
    const survivors = await endSurvivors(home, [workspace, home]);
    if (survivors === null || survivors.length === 0) return;
    const names = [...new Set(survivors.map((survivor) => survivor.name))].toSorted().join(', ');
    const count = survivors.length === 1 ? 'a process' : `${survivors.length} processes`;
    this.seen.notes.push(`turn ${index + 1}: the agent left ${count} running, now ended: ${names}`);
  }

  private note(outcome: ProgramOutcome, index: number): void {
    const { exits } = this.facts;
    if (Array.isArray(exits)) exits.push(outcome.code ?? outcome.signal ?? outcome.ending);
    if (outcome.ending === 'exited' && outcome.code !== 0) {
      this.seen.notes.push(`turn ${index + 1}: ${this.howItEnded(outcome)}`);
    }
  }

  private howItEnded(outcome: ProgramOutcome): string {
    const how =
      outcome.ending === 'stopped'
        ? 'the program was stopped'
        : outcome.code === null
          ? `the program was ended by ${outcome.signal ?? 'a signal'}`
          : `the program ended with exit code ${outcome.code}`;
    const said = outcome.stderr.trim().slice(-SHOWN_ERROR);
    return said === '' ? how : `${how}: ${clip(said, SHOWN_ERROR)}`;
  }
}
