import type { Case } from '../suite/index.js';
import type { PreparedAgent } from '../trial/index.js';
import type { OnCapture, ProxiedHost, ProxiedOptions } from './proxied-agents.js';
import type { OutsideAgent } from './wired-agents.js';

export type { OnCapture } from './proxied-agents.js';

/** Programs and endpoints with a real model, and what they need until the run is over. */
export interface OutsideAgents {
  prepare(tested: Case, agent: OutsideAgent, trial: number): Promise<PreparedAgent>;
  close(): Promise<void>;
}

/**
 * Runs programs and endpoints with a real model: through the recording proxy where an upstream is given, else as they
 * are. The proxy is started when the first of them needs it.
 * @param options `onCapture` gets the traffic of every trial when it is over
 */
export function outsideAgents(options: ProxiedOptions & { onCapture?: OnCapture }): OutsideAgents {
  let host: Promise<ProxiedHost> | null = null;
  const hosted = async (): Promise<ProxiedHost> => {
    const { ProxiedHost: Host } = await import('./proxied-agents.js');
    return new Host(options);
  };
  return {
    async prepare(tested, agent, trial) {
      host ??= hosted();
      return (await host).prepare(tested, agent, trial);
    },
    async close() {
      await (await host)?.close();
    },
  };
}
