import {
  closeNetwork,
  CommandSession,
  httpAgentFunction,
  ModuleSession,
  OPEN_NETWORK,
  WitnessedSession,
  type AgentSession,
  type ClosedNetwork,
  type ModelAddress,
  type TrialClock,
} from '../agent/index.js';
import { systemSource } from '../core/index.js';
import type { AgentSpec, Case } from '../suite/index.js';
import type { PreparedAgent, SessionContext } from '../trial/index.js';
import { startScriptedServer, type ScriptedServer } from '../wire/index.js';
import { divergenceNotes, type DivergenceRules } from './divergence.js';
import { wireScript, type ScriptPlaces } from './wire-script.js';
import { WireWitness } from './wire-witness.js';

/** An agent that is no part of this process. */
export type OutsideAgent = Extract<AgentSpec, { type: 'command' | 'http' }>;

/** What a session of an outside agent is opened with. */
export interface OutsideOptions {
  agent: OutsideAgent;
  /** Where its model is in a turn; null when it finds it by itself. */
  model: (turn: number) => ModelAddress | null;
  network: ClosedNetwork;
  context: SessionContext;
  caseId: string;
  trial: number;
  /** True when nobody else sees what the agent does. */
  alone: boolean;
}

/** Opens a session of a program or an endpoint. */
export function openOutside(options: OutsideOptions): AgentSession {
  const { agent, model, network, context, alone } = options;
  if (agent.type === 'command') {
    return new CommandSession({
      agent,
      model,
      network,
      workspace: () => context.workspace(),
      home: () => context.home(),
      environment: () => context.environment(),
      outer: process.env,
      signal: context.signal,
      exitCounts: alone,
    });
  }
  return new ModuleSession({
    agent: httpAgentFunction({ url: agent.url, model }),
    model: null,
    workspace: () => context.workspace(),
    clock: context.clock,
    signal: context.signal,
    caseId: options.caseId,
    trial: options.trial,
  });
}

/** Where the workspace and the home of a trial are. */
export function placesOf(context: SessionContext): ScriptPlaces {
  return { workspace: context.workspace(), home: context.home() };
}

/** The scripted server of a run, with the network closed around it; made when the first agent needs it. */
export class ScriptedHost {
  private readonly rules: DivergenceRules;
  private starting: Promise<{ server: ScriptedServer; network: ClosedNetwork }> | null = null;
  private opened = 0;

  constructor(rules: DivergenceRules) {
    this.rules = rules;
  }

  /** Makes the agent of one trial ready; its script is played at an address of its own. */
  async prepare(tested: Case, agent: OutsideAgent, trial: number): Promise<PreparedAgent> {
    this.starting ??= this.start();
    const { server, network } = await this.starting;
    const clock = new ScriptClock(tested);
    return {
      workspace: true,
      clock,
      open: (context) => {
        const places = placesOf(context);
        this.opened += 1;
        // The number keeps two trials of one case apart; it comes last, so that names stay readable.
        const wire = server.openTrial({
          id: `${tested.id} ${this.opened}`,
          script: wireScript(tested, places),
        });
        const witness = new WireWitness(wire, tested.turns.length - 1, (traffic) =>
          divergenceNotes(tested, traffic, places, this.rules),
        );
        const session = openOutside({
          agent,
          model: () => wire,
          network: agent.type === 'command' && agent.network !== 'open' ? network : OPEN_NETWORK,
          context,
          caseId: tested.id,
          trial,
          alone: false,
        });
        const witnessed = new WitnessedSession({
          agent: session,
          witness,
          text: agent.type === 'command' ? 'witness' : 'agent',
          reports: false,
        });
        return closedWith(timed(witnessed, clock), () => {
          witness.close();
        });
      },
    };
  }

  async close(): Promise<void> {
    if (this.starting === null) return;
    const { server, network } = await this.starting;
    await network.close();
    await server.close();
  }

  private async start(): Promise<{ server: ScriptedServer; network: ClosedNetwork }> {
    // A replay takes no time of its own: its clock stands still, so that two runs record the same bytes.
    const server = await startScriptedServer({ source: { ...systemSource(), monotonic: () => 0 } });
    return { server, network: await closeNetwork(server.url) };
  }
}

/** The clock of a script that is played over the wire: it moves on when a turn is over, by all replies of the turn. */
class ScriptClock implements TrialClock {
  readonly #turns: readonly number[];
  #spent = 0;

  constructor({ turns }: Case) {
    this.#turns = turns.map(({ steps }) =>
      (steps ?? []).reduce((sum, step) => sum + (step.durationMs ?? 0), 0),
    );
  }

  elapsed(): number {
    return this.#spent;
  }

  endTurn(turn: number): void {
    this.#spent += this.#turns[turn] ?? 0;
  }
}

/** A session whose turns move the clock of its script. */
function timed(session: AgentSession, clock: ScriptClock): AgentSession {
  return {
    async turn(user, index) {
      const answer = await session.turn(user, index);
      clock.endTurn(index);
      return answer;
    },
    observed: () => session.observed(),
    close: () => session.close(),
  };
}

/** A session that ends something else with itself. */
export function closedWith(session: AgentSession, end: () => void): AgentSession {
  return {
    turn: (user, index) => session.turn(user, index),
    observed: () => session.observed(),
    async close() {
      try {
        await session.close();
      } finally {
        end();
      }
    },
  };
}
