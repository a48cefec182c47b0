import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import type { ReadBuffer } from '@modelcontextprotocol/sdk/shared/stdio.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { clip, terminalLine } from '../core/index.js';
import { guardGroup, signalGroup } from '../thread/index.js';

/** Milliseconds a server gets to end by itself once its input is closed, and again once it was told to. */
const GRACE_MS = 1000;
/** How long output may still come after the program itself is gone. */
const DRAIN_MS = 100;
const TAIL_BYTES = 4096;
const TAIL_SHOWN = 500;

/** A program to start as a server. Never a shell line. */
export interface ServerProgram {
  command: readonly string[];
  /** The whole environment; nothing is inherited. */
  environment: { [name: string]: string };
  directory: string;
}

/** The parts of the protocol's package that reading and writing lines needs. */
export interface LineCodec {
  ReadBuffer: new () => ReadBuffer;
  serializeMessage(message: JSONRPCMessage): string;
}

/**
 * A server that is a child process in a process group of its own, spoken to over its standard streams. Closing it ends
 * everything it started, also what ignores signals.
 */
export class ServerProcess implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: Transport['onmessage'];
  private readonly program: ServerProgram;
  private readonly codec: LineCodec;
  private readonly buffer: ReadBuffer;
  private child: ChildProcessWithoutNullStreams | null = null;
  private forget: () => void = () => undefined;
  private gone: Promise<void> = Promise.resolve();
  private errors = Buffer.alloc(0);
  private ended: string | null = null;

  constructor(program: ServerProgram, codec: LineCodec) {
    this.program = program;
    this.codec = codec;
    this.buffer = new codec.ReadBuffer();
  }

  /** How the program ended and what it last said on standard error; null while it runs. */
  get ending(): string | null {
    return this.ended;
  }

  start(): Promise<void> {
    const { command, environment, directory } = this.program;
    const [program = '', ...programArguments] = command;
    return new Promise((resolve, reject) => {
      const child = spawn(program, programArguments, {
        cwd: directory,
        env: environment,
        stdio: 'pipe',
        detached: process.platform !== 'win32',
        windowsHide: true,
      });
      this.child = child;
      this.forget = guardGroup(child);
      this.gone = new Promise((left) => {
        child.once('exit', (code, signal) => {
          const how = code === null ? `by ${signal ?? 'a signal'}` : `with exit code ${code}`;
          setTimeout(() => {
            this.finish(`it ended ${how}${this.lastWords()}`);
            left();
          }, DRAIN_MS);
        });
        child.once('error', (error) => {
          if (child.pid !== undefined) return;
          this.finish(`it cannot be started: ${error.message}`);
          reject(error);
          left();
        });
      });
      child.once('spawn', resolve);
      for (const stream of [child.stdin, child.stdout, child.stderr]) stream.on('error', () => undefined);
      child.stdout.on('data', (chunk: Buffer) => this.take(chunk));
      child.stderr.on('data', (chunk: Buffer) => {
        this.errors = Buffer.from(Buffer.concat([this.errors, chunk]).subarray(-TAIL_BYTES));
      });
    });
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const { child } = this;
    if (child === null || this.ended !== null || !child.stdin.writable) throw new Error('the server is gone');
    if (child.stdin.write(this.codec.serializeMessage(message))) return;
    await Promise.race([
      this.gone,
      new Promise((resolve) => {
        child.stdin.once('drain', resolve);
      }),
    ]);
  }

  /** Ends the program: its input is closed, then it is told to, then it is made to. */
  async close(): Promise<void> {
    const { child } = this;
    if (child?.pid === undefined || this.ended !== null) return;
    child.stdin.end();
    await this.within(GRACE_MS);
    if (this.ended === null) {
      signalGroup(child.pid, 'SIGTERM');
      await this.within(GRACE_MS);
    }
    // Always: what it left running in the background goes as well.
    signalGroup(child.pid, 'SIGKILL');
    await this.within(GRACE_MS);
    this.finish('it was stopped');
  }

  private async within(limitMs: number): Promise<void> {
    const late = new AbortController();
    await Promise.race([this.gone, wait(limitMs, undefined, { signal: late.signal }).catch(() => undefined)]);
    late.abort();
  }

  private finish(how: string): void {
    if (this.ended !== null) return;
    this.ended = how;
    const { child } = this;
    if (child?.pid !== undefined) signalGroup(child.pid, 'SIGKILL');
    this.forget();
    for (const stream of [child?.stdin, child?.stdout, child?.stderr]) stream?.destroy();
    this.buffer.clear();
    this.onclose?.();
  }

  private take(chunk: Buffer): void {
    try {
      this.buffer.append(chunk);
    } catch (error) {
      // More than the protocol's own bound without an end of line.
      this.onerror?.(error instanceof Error ? error : new Error(String(error)));
      void this.close();
      return;
    }
    for (;;) {
      try {
        const message = this.buffer.readMessage();
        if (message === null) return;
        this.onmessage?.(message);
      } catch (error) {
        // A line that is no message: servers print greetings and logs where they should not.
        this.onerror?.(error instanceof Error ? error : new Error(String(error)));
      }
    }
  }

  private lastWords(): string {
    const said = this.errors.toString('utf8').trim();
    if (said === '') return ' and said nothing';
    const end = Array.from(said).slice(-TAIL_SHOWN).join('');
    return `; it last said: ${terminalLine(clip(end, TAIL_SHOWN))}`;
  }
}
