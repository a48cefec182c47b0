import { AgentError, OPEN_NETWORK, WitnessedSession, type Observed, type Witness } from '../agent/index.js';
import { scrubCredentials } from '../tool/index.js';
import type { Case } from '../suite/index.js';
import type { PreparedAgent } from '../trial/index.js';
import {
  captureTraffic,
  startRecordingProxy,
  wireEvidence,
  type Capture,
  type CaptureHandle,
  type RecordingProxy,
  type RecordingProxyOptions,
} from '../wire/index.js';
import { closedWith, openOutside, placesOf, type OutsideAgent } from './wired-agents.js';
import type { ScriptPlaces } from './wire-script.js';
import { observedOnWire } from './wire-witness.js';

/** The recording proxy as the witness of one trial. */
class ProxyWitness implements Witness {
  private readonly handle: CaptureHandle;
  private answered = 0;

  constructor(handle: CaptureHandle) {
    this.handle = handle;
  }

  beginTurn(user: string): void {
    this.handle.beginTurn(user);
  }

  /** @throws AgentError of kind `model` when the provider gave the turn no answer at all */
  endTurn(turn: number): void {
    const { exchanges } = this.handle.capture();
    const replies = exchanges.filter((exchange) => exchange.reply !== null).length;
    const before = this.answered;
    this.answered = replies;
    const failed = exchanges.findLast((exchange) => exchange.reply === null);
    if (replies > before || failed === undefined) return;
    throw new AgentError('model', `turn ${turn + 1}: ${failed.error ?? 'the provider gave no answer'}`);
  }

  text(turn: number): string {
    return this.evidence().turns[turn]?.text ?? '';
  }

  seen(): Observed {
    const evidence = this.evidence();
    const seen = observedOnWire(evidence, null);
    const { exchanges } = this.handle.capture();
    seen.servedModel = exchanges.findLast((each) => each.reply !== null)?.reply?.model ?? null;
    for (const { number, reply, error } of exchanges) {
      if (reply === null) seen.notes.push(`request ${number} has no reply: ${error ?? 'unknown'}`);
    }
    return seen;
  }

  private evidence(): ReturnType<typeof wireEvidence> {
    return wireEvidence(captureTraffic(this.handle.capture()), scrubCredentials);
  }
}

/** What is told of a captured trial when it is over. */
export type OnCapture = (tested: Case, trial: number, capture: Capture, places: ScriptPlaces) => void;

/** How programs and endpoints are run with a real model. */
export interface ProxiedOptions {
  /** Where the recording proxy forwards to; null when each agent finds its model by itself. */
  upstreams: RecordingProxyOptions['upstreams'] | null;
  /** Text that must not be kept: the keys. */
  secrets: readonly string[];
  onCapture?: OnCapture;
}

/** Programs and endpoints with a real model: behind the recording proxy, or as they are. */
export class ProxiedHost {
  private readonly options: ProxiedOptions;
  private starting: Promise<RecordingProxy> | null = null;
  private opened = 0;

  constructor(options: ProxiedOptions) {
    this.options = options;
  }

  async prepare(tested: Case, agent: OutsideAgent, trial: number): Promise<PreparedAgent> {
    const { upstreams } = this.options;
    const shared = { agent, network: OPEN_NETWORK, caseId: tested.id, trial };
    if (upstreams === null) {
      return {
        workspace: true,
        open: (context) => openOutside({ ...shared, model: () => null, context, alone: true }),
      };
    }
    this.starting ??= this.start(upstreams);
    const proxy = await this.starting;
    return {
      workspace: true,
      open: (context) => {
        this.opened += 1;
        const handle = proxy.openCapture({ id: `${tested.id} ${this.opened}` });
        const session = new WitnessedSession({
          agent: openOutside({ ...shared, model: () => handle, context, alone: false }),
          witness: new ProxyWitness(handle),
          text: agent.type === 'command' ? 'witness' : 'agent',
          reports: false,
        });
        const places = placesOf(context);
        return closedWith(session, () => {
          const capture = handle.close();
          this.options.onCapture?.(tested, trial, capture, places);
        });
      },
    };
  }

  async close(): Promise<void> {
    await (await this.starting)?.close();
  }

  private start(upstreams: RecordingProxyOptions['upstreams']): Promise<RecordingProxy> {
    const { secrets } = this.options;
    return startRecordingProxy({
      upstreams,
      redact: (text) =>
        secrets.reduce(
          (shown, secret) => (secret === '' ? shown : shown.replaceAll(secret, '[REDACTED]')),
          text,
        ),
    });
  }
}
