import type {
  LanguageModelV3,
  LanguageModelV3CallOptions,
  LanguageModelV3GenerateResult,
  LanguageModelV3StreamPart,
} from '@ai-sdk/provider';
import { createRequire } from 'node:module';
import type * as Jiti from 'jiti';
import { guardProcess, packed, threadData, threadPort, unpacked } from '../thread/index.js';
import type { FromAgentThread, ThreadAgentData, ToAgentThread, TurnMessage } from './module-messages.js';
import { adapterIn } from './scenario-adapter.js';

// The body of an agent's thread. Only the file beside this one starts it and sends it messages.

const port = threadPort();
const send = (message: FromAgentThread): void => port.send(message);

/** The failure of a model call, as the agent meets it. It may be thrown on, and is then the model's, not the agent's. */
class ModelFailure extends Error {
  readonly call: number;

  constructor(call: number, name: string, message: string) {
    super(message);
    this.name = name;
    this.call = call;
  }
}

interface Waiting {
  onResult?: (result: LanguageModelV3GenerateResult) => void;
  onStream?: (stream: ReadableStream<LanguageModelV3StreamPart>) => void;
  onFailure: (error: Error) => void;
  controller?: ReadableStreamDefaultController<LanguageModelV3StreamPart>;
}

const waiting = new Map<number, Waiting>();
let calls = 0;
let abort = new AbortController();

function ask(
  type: 'generate' | 'stream',
  options: LanguageModelV3CallOptions,
  wait: (call: number) => Waiting,
): void {
  calls += 1;
  const call = calls;
  const { abortSignal, ...rest } = options;
  waiting.set(call, wait(call));
  abortSignal?.addEventListener(
    'abort',
    () => {
      const given = waiting.get(call);
      waiting.delete(call);
      send({ type: 'give-up', call });
      const reason: unknown = abortSignal.reason;
      given?.onFailure(reason instanceof Error ? reason : new Error('the model call was given up'));
    },
    { once: true },
  );
  // Everything in the options of a call is data once the signal is taken out.
  send({ type, call, options: packed(rest) as LanguageModelV3CallOptions });
}

function modelOf(identity: NonNullable<TurnMessage['model']>): LanguageModelV3 {
  return {
    specificationVersion: 'v3',
    ...identity,
    supportedUrls: {},
    doGenerate: (options) =>
      new Promise((resolve, reject) => {
        ask('generate', options, () => ({ onResult: resolve, onFailure: reject }));
      }),
    doStream: (options) =>
      new Promise((resolve, reject) => {
        ask('stream', options, () => ({ onStream: (stream) => resolve({ stream }), onFailure: reject }));
      }),
  };
}

function takeStream(call: number, ended: boolean): void {
  const entry = waiting.get(call);
  if (entry === undefined) return;
  if (ended) {
    waiting.delete(call);
    entry.controller?.close();
    return;
  }
  entry.onStream?.(
    new ReadableStream<LanguageModelV3StreamPart>({
      start(controller) {
        entry.controller = controller;
        entry.onFailure = (error) => controller.error(error);
      },
    }),
  );
}

function failureCall(error: unknown): number | null {
  for (let current = error, depth = 0; current instanceof Error && depth < 10; depth += 1) {
    if (current instanceof ModelFailure) return current.call;
    // Frameworks wrap what a model throws after their own retries.
    const wrapped: unknown = Reflect.get(current, 'lastError') ?? current.cause;
    current = wrapped;
  }
  return null;
}

function messageOf(error: unknown): string {
  try {
    return error instanceof Error ? error.message || error.name : String(error);
  } catch {
    return 'something that cannot be shown';
  }
}

async function runTurn(agent: (request: object) => unknown, message: TurnMessage): Promise<void> {
  const { type: _type, model, ...request } = message;
  abort = new AbortController();
  try {
    const value = await agent({
      ...request,
      model: model === null ? null : modelOf(model),
      signal: abort.signal,
    });
    send({ type: 'answer', value: packed(value) });
  } catch (error) {
    send({ type: 'thrown', message: messageOf(error), call: failureCall(error) });
  }
}

function onMessage(agent: (request: object) => unknown, message: ToAgentThread): void {
  switch (message.type) {
    case 'turn':
      void runTurn(agent, message);
      return;
    case 'abort':
      abort.abort(new Error(message.message));
      return;
    case 'result':
      waiting.get(message.call)?.onResult?.(unpacked(message.result) as LanguageModelV3GenerateResult);
      waiting.delete(message.call);
      return;
    case 'part':
      waiting.get(message.call)?.controller?.enqueue(unpacked(message.part) as LanguageModelV3StreamPart);
      return;
    case 'stream':
      takeStream(message.call, message.ended);
      return;
    case 'failure':
      waiting.get(message.call)?.onFailure(new ModelFailure(message.call, message.name, message.message));
      waiting.delete(message.call);
  }
}

async function start({ path, exportName, loader }: ThreadAgentData): Promise<void> {
  let names: string[] | null = null;
  guardProcess();
  try {
    const { createJiti }: typeof Jiti = createRequire(import.meta.url)(loader);
    const loaded: unknown = await createJiti(path, {
      interopDefault: false,
      tsconfigPaths: true,
      // A cache on disk would be shared by trials.
      fsCache: false,
    }).import(path);
    const module = typeof loaded === 'object' && loaded !== null ? loaded : {};
    names = Object.keys(module);
    const exported: unknown = Reflect.get(module, exportName);
    const agent =
      typeof exported === 'function'
        ? (request: object) => exported(request) as unknown
        : adapterIn(exported);
    if (agent === null) throw new Error(`it exports no function named ${exportName}`);
    port.onMessage((message) => onMessage(agent, message as ToAgentThread));
    send({ type: 'loaded' });
  } catch (error) {
    send({ type: 'unusable', message: messageOf(error), names });
  }
}

void start(threadData() as ThreadAgentData);
