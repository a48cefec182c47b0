import type {
  LanguageModelV3CallOptions,
  LanguageModelV3GenerateResult,
  LanguageModelV3StreamPart,
  LanguageModelV3StreamResult,
} from '@ai-sdk/provider';
import { errorMessage, terminalSafe } from '../core/index.js';
import { LOAD_MS, packed, startThread, unpacked, type WorkThread } from '../thread/index.js';
import { crossedError } from './crossing-error.js';
import { ModelError } from './model-error.js';
import type { FromModelThread, LoadedModel, ModelThreadData, ToModelThread } from './module-messages.js';

/** A thread that does not answer for this long after a call was given up is blocked; milliseconds. */
const ANSWER_MS = 3000;

/** How long a new call waits for a thread of which that is not known yet, before it gets another one; milliseconds. */
const DOUBT_MS = 250;

interface Running {
  onResult?: (result: LanguageModelV3GenerateResult) => void;
  onStream?: (stream: ReadableStream<LanguageModelV3StreamPart>) => void;
  onFailure: (error: Error) => void;
  controller?: ReadableStreamDefaultController<LanguageModelV3StreamPart>;
}

/** One thread with the module in it, and the calls that it is answering. */
class Session {
  readonly loaded: Promise<LoadedModel>;
  /** Settles once it is known whether the thread still answers; null when nothing is in doubt. */
  doubt: Promise<void> | null = null;
  private readonly name: string;
  private readonly thread: WorkThread;
  private readonly running = new Map<number, Running>();
  private readonly onEnd: () => void;
  private pong: (() => void) | null = null;
  private gone: string | null = null;
  private calls = 0;

  constructor(data: ModelThreadData, onEnd: () => void) {
    this.name = data.name;
    this.onEnd = onEnd;
    this.thread = startThread({
      entry: new URL('../model/module-worker.js', import.meta.url),
      data,
      onPrint: (text) => void process.stderr.write(terminalSafe(text)),
    });
    this.loaded = this.load();
  }

  private load(): Promise<LoadedModel> {
    const { thread, name } = this;
    return new Promise((resolve, reject) => {
      const slow = setTimeout(() => {
        reject(new ModelError('module', `${name} did not finish loading in ${LOAD_MS / 1000} s`));
        void thread.end();
      }, LOAD_MS);
      thread.onEnd((why) => {
        clearTimeout(slow);
        reject(new ModelError('module', `${name} cannot be loaded: ${why}`));
        this.ended(why);
      });
      thread.onMessage((message) => {
        // Only the worker of this file sends messages.
        const read = message as FromModelThread;
        if (read.type !== 'loaded' && read.type !== 'unusable') {
          this.take(read);
          return;
        }
        clearTimeout(slow);
        if (read.type === 'loaded') {
          if (this.running.size === 0) thread.release();
          resolve(read.model);
          return;
        }
        reject(new ModelError('module', read.message, { fix: read.fix }));
        void thread.end();
      });
    });
  }

  ask(type: 'generate' | 'stream', options: LanguageModelV3CallOptions, entry: Running): void {
    const { abortSignal, ...rest } = options;
    if (this.gone !== null) {
      entry.onFailure(this.endOf(this.gone));
      return;
    }
    this.calls += 1;
    const call = this.calls;
    this.running.set(call, entry);
    this.thread.hold();
    abortSignal?.addEventListener('abort', () => this.giveUp(call, abortSignal.reason), { once: true });
    // Everything in the options of a call is data once the signal is taken out.
    this.send({ type, call, options: packed(rest) as LanguageModelV3CallOptions });
  }

  private send(message: ToModelThread): void {
    if (this.gone === null) this.thread.send(message);
  }

  private endOf(why: string): ModelError {
    return new ModelError('module', `${this.name} ended before it answered: ${why}`);
  }

  private ended(why: string): void {
    if (this.gone !== null) return;
    this.gone = why;
    this.onEnd();
    this.pong?.();
    for (const call of this.running.keys()) this.fail(call, this.endOf(why));
  }

  private giveUp(call: number, reason: unknown): void {
    if (!this.running.has(call)) return;
    this.send({ type: 'abort', call, message: errorMessage(reason) });
    this.doubt ??= this.check();
    this.fail(call, reason instanceof Error ? reason : new Error(errorMessage(reason)));
  }

  /** Ends the thread when it does not answer: the code in it blocks. */
  private async check(): Promise<void> {
    let late: NodeJS.Timeout | undefined;
    const answered = await new Promise<boolean>((resolve) => {
      late = setTimeout(() => resolve(false), ANSWER_MS);
      this.pong = () => resolve(true);
      this.send({ type: 'ping' });
    });
    clearTimeout(late);
    this.pong = null;
    if (!answered) {
      this.ended('its code blocked, and was stopped');
      await this.thread.end();
    }
    this.doubt = null;
  }

  private take(message: Exclude<FromModelThread, { type: 'loaded' | 'unusable' }>): void {
    if (message.type === 'pong') {
      this.pong?.();
      return;
    }
    const entry = this.running.get(message.call);
    if (entry === undefined) return;
    switch (message.type) {
      case 'result':
        this.settle(message.call);
        entry.onResult?.(unpacked(message.result) as LanguageModelV3GenerateResult);
        return;
      case 'failure':
        this.fail(message.call, crossedError(message.error));
        return;
      case 'part':
        entry.controller?.enqueue(unpacked(message.part) as LanguageModelV3StreamPart);
        return;
      case 'stream':
        if (message.ended) {
          this.settle(message.call);
          entry.controller?.close();
        } else openStream(entry);
    }
  }

  private fail(call: number, error: Error): void {
    const entry = this.running.get(call);
    this.settle(call);
    entry?.onFailure(error);
  }

  private settle(call: number): void {
    this.running.delete(call);
    // A module with nothing to answer must not keep the process alive, whatever timers it left.
    if (this.running.size === 0) this.thread.release();
  }
}

function openStream(entry: Running): void {
  entry.onStream?.(
    new ReadableStream<LanguageModelV3StreamPart>({
      start(controller) {
        entry.controller = controller;
        entry.onFailure = (error) => controller.error(error);
      },
    }),
  );
}

/** The module of a model in its thread: started when it is needed, and anew after it has ended or was ended. */
export class ModuleThread {
  private readonly data: ModelThreadData;
  private current: Session | null = null;

  constructor(data: ModelThreadData) {
    this.data = data;
  }

  /** Loads the module unless it is. Throws a `ModelError` of kind `module`. */
  async open(): Promise<LoadedModel> {
    return (await this.session()).loaded;
  }

  /** One call. Rejects with what the module threw, or why its thread ended. */
  generate(options: LanguageModelV3CallOptions): Promise<LanguageModelV3GenerateResult> {
    return new Promise((resolve, reject) => {
      void this.ask('generate', options, { onResult: resolve, onFailure: reject });
    });
  }

  /** The same as a stream. */
  stream(options: LanguageModelV3CallOptions): Promise<LanguageModelV3StreamResult> {
    return new Promise((resolve, reject) => {
      const onStream = (stream: ReadableStream<LanguageModelV3StreamPart>): void => resolve({ stream });
      void this.ask('stream', options, { onStream, onFailure: reject });
    });
  }

  private async session(): Promise<Session> {
    const doubtful = this.current;
    if (doubtful !== null && doubtful.doubt !== null) {
      await Promise.race([doubtful.doubt, new Promise((done) => setTimeout(done, DOUBT_MS))]);
      // It may still finish what it has; new calls do not wait for it.
      if (doubtful.doubt !== null && this.current === doubtful) this.current = null;
    }
    if (this.current === null) {
      const made = new Session(this.data, () => {
        if (this.current === made) this.current = null;
      });
      this.current = made;
    }
    return this.current;
  }

  private async ask(
    type: 'generate' | 'stream',
    options: LanguageModelV3CallOptions,
    entry: Running,
  ): Promise<void> {
    try {
      const session = await this.session();
      await session.loaded;
      // It may have been given up while the module was loading.
      options.abortSignal?.throwIfAborted();
      session.ask(type, options, entry);
    } catch (error) {
      entry.onFailure(error instanceof Error ? error : new Error(errorMessage(error)));
    }
  }
}
