import { z } from 'zod';
import { AssayError, parseJson, plural } from '../core/index.js';
import { PROGRESS_SCHEMA } from '../report/index.js';
import { saidOrNothing, startAssay, type Ended, type Running } from './assay-process.js';
import type { Surroundings } from './surroundings.js';

/** Runs under way at once. */
const MOST_RUNS = 4;
/** Runs that are remembered after they ended. */
const MOST_REMEMBERED = 100;
/** Milliseconds between the steps of ending runs when the server ends: interrupted, again, by force. */
const LEAVE_MS = 1200;

const progressLine = z.object({
  schema: z.literal(PROGRESS_SCHEMA),
  event: z.enum(['start', 'trial', 'end']),
  suite: z.string(),
  run: z.string().nullable(),
  done: z.int().min(0),
  planned: z.int().min(0),
  passed: z.int().min(0),
  failed: z.int().min(0),
  errors: z.int().min(0),
  cost: z.number().min(0),
});

/** How far a run is; counts of trials, cost in US dollars as far as it is known. */
export type RunProgress = z.output<typeof progressLine>;

/** A run that this server started. */
export class Job {
  readonly id: string;
  /** How far it is; null before its first trial was planned. */
  progress: RunProgress | null = null;
  /** How it ended; null while it runs. */
  ended: Ended | null = null;
  cancelled = false;
  readonly #running: Running;
  readonly #listeners = new Set<() => void>();
  readonly #end: Promise<void>;

  constructor(id: string, words: readonly string[], surroundings: Surroundings) {
    this.id = id;
    this.#running = startAssay(words, surroundings, {
      mute: true,
      onLine: (line) => this.#take(line),
    });
    this.#end = this.#running.ended.then(
      (ended) => this.#finish(ended),
      (error: unknown) =>
        this.#finish({ code: 1, stdout: '', said: error instanceof Error ? error.message : String(error) }),
    );
  }

  /** Calls `listener` after every change, until the returned function is called. */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Waits for the end, at most `limitMs`; true when it has ended. */
  async end(limitMs = Infinity): Promise<boolean> {
    if (limitMs === Infinity) await this.#end;
    else if (this.ended === null) {
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, limitMs);
      });
      await Promise.race([this.#end, late]);
      clearTimeout(timer);
    }
    return this.ended !== null;
  }

  /** Stops it: running trials get a grace time, finished ones are kept, and it can be resumed. */
  cancel(): void {
    if (this.ended !== null || this.cancelled) return;
    this.cancelled = true;
    this.#running.interrupt();
  }

  /** Stops it without a grace time; what is finished is kept all the same. */
  hurry(): void {
    this.cancelled = true;
    this.#running.interrupt();
  }

  /** Stops it by force. */
  kill(): void {
    this.#running.kill();
  }

  /** What it said when it could not run at all. */
  get said(): string {
    return saidOrNothing(this.ended?.said ?? '');
  }

  #take(line: string): boolean {
    const parsed = line.startsWith('{') ? parseJson(line) : { ok: false as const };
    const told = parsed.ok ? progressLine.safeParse(parsed.value) : null;
    if (told?.success !== true) return false;
    this.progress = told.data;
    this.#tell();
    return true;
  }

  #finish(ended: Ended): void {
    this.ended = ended;
    this.#tell();
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}

/** The runs of one server. */
export class Runs {
  readonly #surroundings: Surroundings;
  readonly #jobs = new Map<string, Job>();
  #leaving = false;

  constructor(surroundings: Surroundings) {
    this.#surroundings = surroundings;
  }

  /** Starts `assay run` with these words. Throws AssayError `LIMIT` when too many are under way. */
  start(words: readonly string[]): Job {
    const under = [...this.#jobs.values()].filter((job) => job.ended === null);
    if (this.#leaving || under.length >= MOST_RUNS) {
      throw new AssayError('LIMIT', `${plural(under.length, 'run')} under way already`, {
        fix: 'wait for one to end, or cancel it with cancel_run',
      });
    }
    const job = new Job(this.#surroundings.source.id('job'), words, this.#surroundings);
    this.#jobs.set(job.id, job);
    for (const [id, old] of this.#jobs) {
      if (this.#jobs.size <= MOST_REMEMBERED) break;
      if (old.ended !== null) this.#jobs.delete(id);
    }
    return job;
  }

  /** The run of an id. Throws AssayError `RUN_NOT_FOUND`. */
  find(id: string): Job {
    const job = this.#jobs.get(id);
    if (job !== undefined) return job;
    throw new AssayError('RUN_NOT_FOUND', `this server started no run ${JSON.stringify(id)}`, {
      fix: 'list_runs shows what is stored',
    });
  }

  /**
   * Waits until a stored run that this server was told to stop has ended, so that it can be resumed.
   * @throws AssayError `INPUT` when it is under way and nobody stopped it
   */
  async settled(run: string): Promise<void> {
    const job = [...this.#jobs.values()].find((each) => each.ended === null && each.progress?.run === run);
    if (job === undefined) return;
    if (!job.cancelled) {
      throw new AssayError('INPUT', `${run} is under way`, { fix: 'wait for it with run_status' });
    }
    await job.end();
  }

  /** Ends everything that is under way; finished trials are kept. */
  async close(): Promise<void> {
    this.#leaving = true;
    const under = [...this.#jobs.values()].filter((job) => job.ended === null);
    const steps: ((job: Job) => void)[] = [(job) => job.cancel(), (job) => job.hurry(), (job) => job.kill()];
    for (const step of steps) {
      for (const job of under) if (job.ended === null) step(job);
      const left = await Promise.all(under.map((job) => job.end(LEAVE_MS)));
      if (left.every(Boolean)) return;
    }
  }
}
