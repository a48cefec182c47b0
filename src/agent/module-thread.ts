import type { LanguageModelV3, LanguageModelV3CallOptions } from '@ai-sdk/provider';
import { createRequire } from 'node:module';
import { AssayError, errorMessage, quote } from '../core/index.js';
import { LOAD_MS, packed, startThread, unpacked, type WorkThread } from '../thread/index.js';
import { AgentError } from './agent-error.js';
import type { AgentAnswer, AgentFunction, AgentRequest } from './module.js';
import type { FromAgentThread, ThreadAgentData, ToAgentThread } from './module-messages.js';

const load = createRequire(import.meta.url);

/** An agent function that runs in a thread of its own. */
export interface ThreadAgent {
  run: AgentFunction;
  /** Ends the thread, also when the function is in an endless loop. */
  release(): Promise<void>;
}

interface Turn {
  resolve(value: unknown): void;
  reject(error: unknown): void;
  model: LanguageModelV3 | null;
}

/** The side of the process: carries out the model calls of the thread and gives on its answers. */
class AgentThread {
  private readonly thread: WorkThread;
  private readonly failures = new Map<number, unknown>();
  private readonly running = new Map<number, AbortController>();
  private turn: Turn | null = null;
  private gone: string | null = null;

  constructor(thread: WorkThread) {
    this.thread = thread;
    // Only the thread's own module sends messages.
    thread.onMessage((message) => this.take(message as FromAgentThread));
    thread.onEnd((message) => {
      this.gone = message;
      this.turn?.reject(new AgentError('agent', `the agent's thread ended: ${message}`));
    });
  }

  ask(request: AgentRequest): Promise<unknown> {
    const { model, signal, ...rest } = request;
    return new Promise((resolve, reject) => {
      if (this.gone !== null) {
        reject(new AgentError('agent', `the agent's thread ended: ${this.gone}`));
        return;
      }
      this.turn = { resolve, reject, model };
      signal.addEventListener(
        'abort',
        () => this.give({ type: 'abort', message: errorMessage(signal.reason) }),
        {
          once: true,
        },
      );
      this.give({
        type: 'turn',
        ...rest,
        model: model === null ? null : { provider: model.provider, modelId: model.modelId },
      });
    });
  }

  async release(): Promise<void> {
    for (const controller of this.running.values()) controller.abort();
    await this.thread.end();
  }

  private give(message: ToAgentThread): void {
    if (this.gone === null) this.thread.send(message);
  }

  private take(message: FromAgentThread): void {
    switch (message.type) {
      case 'answer':
        this.turn?.resolve(unpacked(message.value));
        return;
      case 'thrown': {
        const cause = message.call === null ? undefined : this.failures.get(message.call);
        this.turn?.reject(cause ?? new AgentError('agent', `the agent function threw: ${message.message}`));
        return;
      }
      case 'generate':
      case 'stream':
        void this.callModel(message.type, message.call, message.options);
        return;
      case 'give-up':
        this.running.get(message.call)?.abort();
        return;
      case 'loaded':
      case 'unusable':
    }
  }

  private async callModel(
    type: 'generate' | 'stream',
    call: number,
    options: LanguageModelV3CallOptions,
  ): Promise<void> {
    const model = this.turn?.model ?? null;
    const controller = new AbortController();
    this.running.set(call, controller);
    try {
      if (model === null) throw new AgentError('setup', 'the agent called a model and none is named');
      // What the thread packed are the options of a call.
      const given = { ...(unpacked(options) as LanguageModelV3CallOptions), abortSignal: controller.signal };
      if (type === 'generate') {
        const { request: _request, ...result } = await model.doGenerate(given);
        this.give({ type: 'result', call, result: packed(result) as typeof result });
        return;
      }
      const { stream } = await model.doStream(given);
      this.give({ type: 'stream', call, ended: false });
      for await (const part of stream) this.give({ type: 'part', call, part: packed(part) as typeof part });
      this.give({ type: 'stream', call, ended: true });
    } catch (error) {
      this.failures.set(call, error);
      const name = error instanceof Error ? error.name : 'Error';
      this.give({ type: 'failure', call, name, message: errorMessage(error) });
    } finally {
      this.running.delete(call);
    }
  }
}

function loaded(thread: WorkThread, path: string, exportName: string, loadMs: number): Promise<void> {
  const unusable = (message: string, fix = ''): AssayError =>
    new AssayError('AGENT', `the agent module ${quote(path)} cannot be used: ${message}`, { fix });
  return new Promise((resolve, reject) => {
    const slow = setTimeout(
      () => reject(unusable(`it did not finish loading in ${loadMs / 1000} s`)),
      loadMs,
    );
    thread.onEnd((message) => {
      clearTimeout(slow);
      reject(unusable(message));
    });
    thread.onNextMessage((first) => {
      clearTimeout(slow);
      const message = first as FromAgentThread;
      if (message.type === 'loaded') resolve();
      else if (message.type !== 'unusable') reject(unusable('it did not load'));
      else if (message.names === null) reject(unusable(message.message));
      else {
        const names = message.names.join(', ');
        const fix = names === '' ? `export a function ${exportName} from it` : `it exports ${names}`;
        reject(unusable(message.message, fix));
      }
    });
  });
}

/**
 * Starts an agent function from a module of the user's, in place, in a thread of its own: what it keeps in memory or
 * changes in its environment does not reach another trial, and an endless loop in it holds nobody. Its model calls are
 * carried out on this side.
 * @param print takes what the module prints
 * @param loadMs milliseconds that loading may take
 * @throws AssayError `AGENT` when the module cannot be loaded or exports no such function
 */
export async function startAgentModule(
  path: string,
  exportName: string,
  print: (text: string) => void = () => undefined,
  loadMs: number = LOAD_MS,
): Promise<ThreadAgent> {
  const data: ThreadAgentData = { path, exportName, loader: load.resolve('jiti') };
  const thread = startThread({
    entry: new URL('../agent/module-worker.js', import.meta.url),
    data,
    onPrint: print,
  });
  try {
    await loaded(thread, path, exportName, loadMs);
  } catch (error) {
    await thread.end();
    throw error;
  }
  const agent = new AgentThread(thread);
  return {
    // What comes back is the user's; the session looks at it before anything is taken from it.
    run: (request) => agent.ask(request) as Promise<AgentAnswer>,
    release: () => agent.release(),
  };
}
