import { basename } from 'node:path';
import type { RunEvent } from '../core/index.js';
import { countTrial, plannedTrials, startCounts, type Counts, type Progress } from './progress.js';

/** Schema of one line of progress. */
export const PROGRESS_SCHEMA = 'assay/progress/v1';

/**
 * Progress as JSON lines, for a program that started the run: one when the run starts, one after every trial, one at the
 * end. `planned` is an estimate until the last case was begun; `done` and `planned` count trials, `cost` is in US dollars
 * as far as it is known. Notes stay plain lines between them.
 */
export function createJsonProgress(stream: { write(text: string): unknown }): Progress {
  let counts: Counts | null = null;
  let run: string | null = null;

  const write = (event: 'start' | 'trial' | 'end', told: Counts): void => {
    const { suite, done, reused, passed, failed, errors, cost } = told;
    const line = {
      schema: PROGRESS_SCHEMA,
      event,
      suite,
      run,
      done,
      planned: plannedTrials(told),
      reused,
      passed,
      failed,
      errors,
      cost,
    };
    stream.write(`${JSON.stringify(line)}\n`);
  };
  return {
    event(event: RunEvent) {
      if (event.type === 'run-start') {
        counts = startCounts(event, 0);
        run = event.directory === null ? null : basename(event.directory);
        write('start', counts);
      }
      if (counts === null) return;
      if (event.type === 'trial-end') {
        countTrial(counts, event.trial, event.reused);
        write('trial', counts);
      } else if (event.type === 'case-end') {
        counts.casesDone += 1;
        counts.plannedDone += event.result.planned;
      } else if (event.type === 'run-end') {
        write('end', counts);
        counts = null;
      }
    },
    note: (text) => stream.write(text.endsWith('\n') ? text : `${text}\n`),
    refresh: () => undefined,
    stop: () => {
      counts = null;
    },
  };
}
