import type { LanguageModelV3, LanguageModelV3CallOptions } from '@ai-sdk/provider';
import { createRequire } from 'node:module';
import type * as Jiti from 'jiti';
import { errorMessage, quote } from '../core/index.js';
import { guardProcess, packed, threadData, threadPort, unpacked } from '../thread/index.js';
import { crossingError } from './crossing-error.js';
import { createFunctionModel } from './function-model.js';
import { isLanguageModelV3, specificationVersion } from './is-language-model.js';
import type { FromModelThread, ModelThreadData, ToModelThread } from './module-messages.js';

// The body of the thread of a module that is a model. Only module-thread.ts starts it and sends it messages.

const port = threadPort();
const send = (message: FromModelThread): void => port.send(message);
const running = new Map<number, AbortController>();

function isFunction(value: unknown): value is (request: object) => unknown {
  return typeof value === 'function';
}

function exportOf(module: object, exportName: string | null): unknown {
  const members = new Map<string, unknown>(Object.entries(module));
  if (exportName !== null) return members.get(exportName);
  return members.get('default') ?? members.get('model');
}

async function answer(
  model: LanguageModelV3,
  type: 'generate' | 'stream',
  call: number,
  options: LanguageModelV3CallOptions,
): Promise<void> {
  const controller = new AbortController();
  running.set(call, controller);
  try {
    // What the other side packed are the options of a call.
    const given = { ...(unpacked(options) as LanguageModelV3CallOptions), abortSignal: controller.signal };
    if (type === 'generate') {
      const result = await model.doGenerate(given);
      // What was sent and received is the module's own affair and may hold anything.
      const { request: _request, response, ...rest } = result ?? {};
      const { body: _body, ...known } = response ?? {};
      const plain = packed(result === undefined ? result : { ...rest, response: known });
      send({ type: 'result', call, result: plain as typeof result });
      return;
    }
    const { stream } = await model.doStream(given);
    send({ type: 'stream', call, ended: false });
    for await (const part of stream) send({ type: 'part', call, part: packed(part) as typeof part });
    send({ type: 'stream', call, ended: true });
  } catch (error) {
    send({ type: 'failure', call, error: crossingError(error) });
  } finally {
    running.delete(call);
  }
}

function onMessage(model: LanguageModelV3, message: ToModelThread): void {
  switch (message.type) {
    case 'generate':
    case 'stream':
      void answer(model, message.type, message.call, message.options);
      return;
    case 'abort':
      running.get(message.call)?.abort(new Error(message.message));
      return;
    case 'ping':
      send({ type: 'pong' });
  }
}

async function supportedUrls(model: LanguageModelV3): Promise<{ [mediaType: string]: RegExp[] }> {
  const given: unknown = await model.supportedUrls;
  if (typeof given !== 'object' || given === null) return {};
  return Object.fromEntries(
    Object.entries(given).map(([type, patterns]) => [
      type,
      Array.isArray(patterns) ? patterns.filter((one) => one instanceof RegExp) : [],
    ]),
  );
}

/** The model in what a module exports, or what is wrong with it. */
function modelIn(
  module: unknown,
  { exportName, name }: ModelThreadData,
): { model: LanguageModelV3; toolCapable: boolean } | string {
  const found = typeof module === 'object' && module !== null ? exportOf(module, exportName) : undefined;
  if (isLanguageModelV3(found)) return { model: found, toolCapable: true };
  if (isFunction(found)) return { model: createFunctionModel(found, name), toolCapable: false };
  const version = specificationVersion(found);
  if (version !== null) {
    return `${name} exports a language model of specification ${version}; Assay speaks v3`;
  }
  if (found !== undefined) return `${name} exports ${found === null ? 'null' : typeof found}`;
  return exportName === null
    ? `${name} has neither a default export nor an export named model`
    : `${name} has no export named ${quote(exportName)}`;
}

async function start(data: ModelThreadData): Promise<void> {
  guardProcess();
  try {
    const { createJiti }: typeof Jiti = createRequire(import.meta.url)(data.loader);
    const module: unknown = await createJiti(data.path, {
      interopDefault: false,
      tsconfigPaths: true,
    }).import(data.path);
    const found = modelIn(module, data);
    if (typeof found === 'string') {
      const fix = 'export a function (request) => string, or a language model of the AI SDK 6';
      send({ type: 'unusable', message: found, fix });
      return;
    }
    const { model, toolCapable } = found;
    const { provider, modelId } = model;
    port.onMessage((message) => onMessage(model, message as ToModelThread));
    send({
      type: 'loaded',
      model: { provider, modelId, toolCapable, supportedUrls: await supportedUrls(model) },
    });
  } catch (error) {
    send({ type: 'unusable', message: `${data.name} cannot be loaded: ${errorMessage(error)}`, fix: '' });
  }
}

void start(threadData() as ModelThreadData);
