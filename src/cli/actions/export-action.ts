import { existsSync, mkdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { loadConfig, type LoadedConfig } from '../../config/index.js';
import { AssayError, type JsonObject, type TrialResult } from '../../core/index.js';
import {
  exportBenchmark,
  exportGradings,
  exportOpenaiEvals,
  exportOpenaiGraders,
  exportSkillEvals,
  readOrigin,
  tableLines,
  trajectoryLine,
  writtenSuiteCases,
  type BenchmarkArm,
  type TableRow,
} from '../../exchange/index.js';
import { findRun, readRun, writeFileAtomic } from '../../store/index.js';
import { displayPath } from '../../suite/index.js';
import type { ExportFlags } from '../commands/exchange.js';
import { ExitCode } from '../exit-code.js';
import { openSuites } from '../open-suites.js';
import { storeRoot } from '../run-store.js';
import { note, say } from '../streams.js';

/** What is written: one text, or several files in a directory. */
interface Exported {
  text: string | null;
  files: { path: string; text: string }[];
  rows: TableRow[];
}

function jsonText(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

function lines(values: readonly JsonObject[]): string {
  return values.map((value) => `${JSON.stringify(value)}\n`).join('');
}

function armOf(
  reference: string,
  configuration: string,
  loaded: LoadedConfig,
): BenchmarkArm & { suite: string } {
  if (!/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/.test(configuration) || configuration === 'delta') {
    throw new AssayError('USAGE', `${JSON.stringify(configuration)} cannot be the name of a configuration`, {
      fix: 'use letters, digits, underscores and hyphens: --arms with_skill,without_skill',
    });
  }
  const run = readRun(findRun(storeRoot(loaded), reference).directory);
  const trials: TrialResult[] = [];
  for (const stored of run.cases()) trials.push(...stored.trials);
  return { configuration, header: run.header, trials, suite: run.header.suite };
}

function exportRun(format: string, what: string, flags: ExportFlags, loaded: LoadedConfig): Exported {
  const [first = 'with_skill', second = 'without_skill'] = flags.arms.split(',').map((name) => name.trim());
  if (flags.against !== undefined && format !== 'benchmark')
    throw new AssayError('USAGE', '--against is for benchmark', { fix: 'leave it out' });
  const arm = armOf(what, first, loaded);
  if (format === 'agentevals') {
    const rows: TableRow[] = arm.trials.map((trial) => {
      const name = `${trial.caseId} trial ${trial.trial}`;
      const kept = trial.recording !== null;
      return {
        outcome: kept ? 'kept' : 'dropped',
        kind: 'trial',
        name,
        line: null,
        note: kept ? '' : 'nothing was recorded',
      };
    });
    return { text: lines(arm.trials.map(trajectoryLine).filter((line) => line !== null)), files: [], rows };
  }
  if (format === 'grading') {
    if (flags.out === undefined)
      throw new AssayError('USAGE', 'gradings are many files', { fix: 'name a directory with --out' });
    return { text: null, ...exportGradings(arm) };
  }
  const arms = flags.against === undefined ? [arm] : [arm, armOf(flags.against, second, loaded)];
  const { document, rows } = exportBenchmark(arms, arm.suite, flags.dialect ?? 'A');
  return { text: jsonText(document), files: [], rows };
}

async function exportSuite(
  format: string,
  what: string,
  flags: ExportFlags,
  loaded: LoadedConfig,
  cwd: string,
): Promise<Exported> {
  const [suite] = await openSuites([what], { loaded, cwd, gate: false, quiet: true });
  if (suite === undefined) throw new AssayError('SUITE_NOT_FOUND', `suite not found: ${what}`);
  const written = writtenSuiteCases(suite);
  if (format === 'openai-evals') {
    const { lines: samples, rows } = exportOpenaiEvals(written);
    return { text: lines(samples), files: [], rows };
  }
  const made =
    format === 'evals'
      ? exportSkillEvals(written, readOrigin(suite.path), flags.dialect ?? null)
      : exportOpenaiGraders(written);
  return { text: jsonText(made.document), files: [], rows: made.rows };
}

async function writeOut({ text, files }: Exported, flags: ExportFlags, cwd: string): Promise<void> {
  if (flags.out === undefined) {
    say(text ?? '');
    return;
  }
  const out = resolve(cwd, flags.out);
  const targets =
    text === null ? files.map((file) => ({ ...file, path: join(out, file.path) })) : [{ path: out, text }];
  const there = targets.find(({ path }) => existsSync(path));
  if (there !== undefined && flags.force !== true) {
    throw new AssayError('INPUT', `${displayPath(there.path, cwd)} exists already`, {
      fix: 'use --force to overwrite it',
    });
  }
  for (const target of targets) {
    mkdirSync(dirname(target.path), { recursive: true });
    await writeFileAtomic(target.path, target.text, 0o644);
  }
}

const OF_RUNS = new Set(['grading', 'benchmark', 'agentevals']);

/** `assay export`. Throws ExitCode 1 when nothing was left to write. */
export async function exportAction(format: string, what: string, flags: ExportFlags): Promise<void> {
  const cwd = process.cwd();
  const loaded = await loadConfig(cwd, flags.config);
  const exported = OF_RUNS.has(format)
    ? exportRun(format, what, flags, loaded)
    : await exportSuite(format, what, flags, loaded, cwd);
  await writeOut(exported, flags, cwd);
  if (flags.quiet !== true) for (const line of tableLines(exported.rows, `${what} as ${format}`)) note(line);
  if (!exported.rows.some((row) => row.outcome !== 'dropped')) throw new ExitCode(1);
}
