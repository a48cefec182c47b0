import { resolve } from 'node:path';
import { diffOf, readBaseline, type Baseline, type BaselineEntry } from '../../baseline/index.js';
import { formatBaseline, formatBaselineDiff, type BaselineListEntry } from '../../report/index.js';
import { wilson } from '../../stats/index.js';
import { displayPath } from '../../suite/index.js';
import type { BaselineFlags } from '../commands/baseline.js';
import { say, wantsColor } from '../streams.js';

const HASH_SHOWN = 12;

function open(file: string): Baseline {
  const cwd = process.cwd();
  const path = resolve(cwd, file);
  return readBaseline(path, displayPath(path, cwd));
}

function listEntry(entry: BaselineEntry): BaselineListEntry {
  const gating = entry.checks.filter((check) => !check.diagnostic);
  return {
    id: entry.case_id,
    verdict: entry.verdict,
    passes: entry.repeat.passes,
    trials: entry.repeat.k,
    checksPassed: gating.filter((check) => check.passed).length,
    checks: gating.length,
    score: entry.score,
    tokens: entry.total_tokens,
    mode: entry.mode,
    model: entry.provider_ref,
    judge: entry.judge_ref,
    hash: entry.case_hash.slice(0, HASH_SHOWN),
  };
}

/** `assay baseline show`. */
export function showBaseline(file: string, flags: BaselineFlags): void {
  const baseline = open(file);
  const entries = [...baseline.entries.values()];
  const passed = entries.filter((entry) => entry.verdict === 'pass').length;
  const rate = entries.length === 0 ? null : wilson({ n: entries.length, c: passed });
  const interval = rate === null ? null : { lo: rate.lo, hi: rate.hi };
  if (flags.json === true) {
    const { suite } = baseline;
    say(
      JSON.stringify(
        { schema: 'assay/baseline-list/v1', file: baseline.file, suite, passed, interval, entries },
        null,
        2,
      ),
    );
    return;
  }
  const color = wantsColor(flags.color, process.stdout);
  say(formatBaseline(baseline.file, entries.map(listEntry), interval, { color }));
}

/** `assay baseline diff`: what changed, whatever it is; a gate is what `assay run --baseline` is for. */
export function diffBaselines(before: string, after: string, flags: BaselineFlags): void {
  const [older, newer] = [open(before), open(after)];
  const cases = diffOf(older, newer);
  if (flags.json === true) {
    const changes = cases.map((one) => ({
      case_id: one.id,
      classification: one.classification,
      verdict: one.verdict,
      baseline_verdict: one.baselineVerdict,
      changed: one.changed,
      checks_lost: one.lost,
      checks_won: one.won,
      token_delta_pct: one.tokenDelta,
    }));
    say(
      JSON.stringify(
        { schema: 'assay/baseline-diff/v1', before: older.file, after: newer.file, cases: changes },
        null,
        2,
      ),
    );
    return;
  }
  const color = wantsColor(flags.color, process.stdout);
  say(formatBaselineDiff({ before: older.file, after: newer.file }, cases, { color }));
}
