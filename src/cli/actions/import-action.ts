import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { loadConfig, type LoadedConfig } from '../../config/index.js';
import { AssayError, errorMessage, systemSource, terminalLine } from '../../core/index.js';
import {
  admitImported,
  importAgentevals,
  importInspect,
  importOpenaiEvals,
  importOpenaiGraders,
  importPromptfoo,
  importSkillEvals,
  importSkillResults,
  MATCHES,
  originPath,
  originText,
  storeImportedRun,
  tableLines,
  type ImportedRun,
  type ImportedSuite,
  type Origin,
  type TableRow,
} from '../../exchange/index.js';
import { suiteSummary } from '../../report/index.js';
import { vacuousChecks } from '../../run/index.js';
import { writeFileAtomic } from '../../store/index.js';
import { displayPath } from '../../suite/index.js';
import type { ImportFlags } from '../commands/exchange.js';
import { ExitCode } from '../exit-code.js';
import { suiteRoots } from '../open-suites.js';
import { suiteBounds } from '../project-root.js';
import { storeRoot } from '../run-store.js';
import { say } from '../streams.js';

/** What any import came to. */
interface Imported {
  suites: ImportedSuite[];
  runs: ImportedRun[];
  rows: TableRow[];
  origin: Origin | null;
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8').replace(/^\uFEFF/, '');
  } catch (error) {
    throw new AssayError('INPUT', `${file} cannot be read: ${errorMessage(error)}`, { cause: error });
  }
}

/** The root of the skill that an evals.json belongs to. */
function skillRoot(path: string, flags: ImportFlags, cwd: string): string {
  if (flags.root !== undefined) return resolve(cwd, flags.root);
  const directory = dirname(path);
  return basename(directory) === 'evals' ? dirname(directory) : directory;
}

function readImport(format: string, path: string, shown: string, flags: ImportFlags, cwd: string): Imported {
  const none = { suites: [], runs: [], origin: null };
  const name = flags.name ?? null;
  const title = name ?? basename(path).replace(/\.[^.]+$/, '');
  switch (format) {
    case 'promptfoo':
      return { ...none, ...importPromptfoo(readText(path), path, shown, name) };
    case 'evals':
      return { ...none, ...importSkillEvals(readText(path), skillRoot(path, flags, cwd), shown, name) };
    case 'openai-evals': {
      const match = MATCHES.find((each) => each === flags.match) ?? 'match';
      return { ...none, ...importOpenaiEvals(readText(path), shown, title, match) };
    }
    case 'openai-graders': {
      const data = flags.data === undefined ? null : readText(resolve(cwd, flags.data));
      return { ...none, ...importOpenaiGraders(readText(path), data, shown, title) };
    }
    case 'inspect':
      return { ...none, ...importInspect(path, shown, name) };
    case 'agentevals':
      return { ...none, ...importAgentevals(readText(path), shown, name) };
    default:
      return { ...none, ...importSkillResults(path, shown, name) };
  }
}

interface PlannedSuite {
  path: string;
  text: string;
  idle: string[];
}

/** Every suite admitted at its place, before one of them is written. */
function planSuites(
  imported: Imported,
  about: string,
  flags: ImportFlags,
  loaded: LoadedConfig,
  cwd: string,
): PlannedSuite[] {
  const [root = cwd] = suiteRoots(loaded).projectDirs;
  const out = flags.out === undefined ? root : resolve(cwd, flags.out);
  const isFile = flags.out !== undefined && /\.ya?ml$/.test(out);
  if (isFile && imported.suites.length > 1) {
    throw new AssayError(
      'USAGE',
      `the import makes ${imported.suites.length} suites, and --out names one file`,
      {
        fix: 'name a directory',
      },
    );
  }
  const comments = [`Imported from ${about}.`, 'What did not come over was printed by the import.'];
  return imported.suites.flatMap((made): PlannedSuite[] => {
    const path = isFile ? out : join(out, `${made.name}.yaml`);
    const options = { cwd, ...suiteBounds(path, loaded, cwd) };
    const admitted = admitImported(made, path, comments, options, imported.rows);
    if (admitted === null) return [];
    const idle = [...admitted.suite.cases].filter((one) => vacuousChecks(one) !== null).map((one) => one.id);
    return [{ path, text: admitted.text, idle }];
  });
}

async function writeSuites(
  plans: readonly PlannedSuite[],
  origin: Origin | null,
  flags: ImportFlags,
  cwd: string,
): Promise<void> {
  const there = plans.find(({ path }) => existsSync(path));
  if (there !== undefined && flags.force !== true) {
    throw new AssayError('INPUT', `${displayPath(there.path, cwd)} exists already`, {
      fix: 'use --force to overwrite it, or --name or --out for another place',
    });
  }
  for (const { path, text } of plans) {
    mkdirSync(dirname(path), { recursive: true });
    await writeFileAtomic(path, text, 0o644);
    if (origin !== null) await writeFileAtomic(originPath(path), originText(origin), 0o644);
  }
}

/** `assay import`. Throws ExitCode 1 when nothing came over. */
export async function importAction(format: string, file: string, flags: ImportFlags): Promise<void> {
  const cwd = process.cwd();
  const loaded = await loadConfig(cwd, flags.config);
  const path = resolve(cwd, file);
  const shown = displayPath(path, cwd);
  if (statSync(path, { throwIfNoEntry: false }) === undefined)
    throw new AssayError('INPUT', `${shown} does not exist`);
  const imported = readImport(format, path, shown, flags, cwd);
  const plans = planSuites(imported, `${shown} (${format})`, flags, loaded, cwd);
  for (const { path: suite, idle } of plans) {
    for (const id of idle) {
      const note = `an agent that does nothing passes it (${displayPath(suite, cwd)})`;
      imported.rows.push({ outcome: 'changed', kind: 'case', name: id, line: null, note });
    }
  }
  await writeSuites(plans, imported.origin, flags, cwd);
  const stored: { runId: string; suite: string; directory: string }[] = [];
  for (const run of imported.runs) {
    const { runId, directory } = await storeImportedRun(run, {
      root: storeRoot(loaded),
      file: path,
      fsync: loaded.config.store.fsync,
      source: systemSource(),
      describe: suiteSummary,
    });
    stored.push({ runId, suite: run.suite, directory: displayPath(directory, cwd) });
  }
  if (flags.json === true) {
    const suites = plans.map((plan) => displayPath(plan.path, cwd));
    say(
      JSON.stringify(
        { schema: 'assay/import/v1', format, file: shown, suites, runs: stored, rows: imported.rows },
        null,
        2,
      ),
    );
  } else {
    for (const line of tableLines(imported.rows, `${shown} (${format})`)) say(line);
    for (const plan of plans) say(terminalLine(`wrote ${displayPath(plan.path, cwd)}`));
    for (const { runId, suite } of stored) say(terminalLine(`stored run ${runId} of ${suite}`));
    if (stored.length > 0) say('next: assay show RUN, or assay grade RUN --suite SUITE');
  }
  if (plans.length + stored.length === 0) throw new ExitCode(1);
}
