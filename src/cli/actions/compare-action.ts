import { existsSync } from 'node:fs';
import {
  comparisonMarkdown,
  comparisonTable,
  compareRuns,
  gateExitCode,
  readSide,
  type Comparison,
} from '../../compare/index.js';
import { loadConfig, type LoadedConfig } from '../../config/index.js';
import { AssayError } from '../../core/index.js';
import { findRun, readRun } from '../../store/index.js';
import { loadSuiteAt } from '../../suite/index.js';
import type { CompareFlags } from '../commands/compare.js';
import { ExitCode } from '../exit-code.js';
import { suiteBounds } from '../project-root.js';
import { openResultOutput } from '../result-output.js';
import { storeRoot } from '../run-store.js';
import { note } from '../streams.js';

/** Families of correlated cases by hash, from the suite as it is now; without it, every case stands alone. */
async function clustersOf(path: string, loaded: LoadedConfig): Promise<ReadonlyMap<string, string>> {
  const clusters = new Map<string, string>();
  if (!existsSync(path)) {
    note(`${path} is gone: every case is taken to stand alone`);
    return clusters;
  }
  try {
    const { cases } = await loadSuiteAt(path, suiteBounds(path, loaded, process.cwd()));
    for (const tested of cases) if (tested.cluster !== null) clusters.set(tested.hash, tested.cluster);
  } catch (error) {
    if (!AssayError.isInstance(error)) throw error;
    note(`${path} does not load: every case is taken to stand alone`);
  }
  return clusters;
}

/** A comparison in the form that was asked for. */
export function comparisonText(comparison: Comparison, format: CompareFlags['format']): string {
  if (format === 'json') return `${JSON.stringify(comparison, null, 2)}\n`;
  return format === 'markdown' ? comparisonMarkdown(comparison) : comparisonTable(comparison);
}

/** `assay compare A B [C...]` on stored runs. */
export async function compareAction(references: readonly string[], flags: CompareFlags): Promise<void> {
  if (references.length < 2) {
    throw new AssayError('USAGE', 'assay compare needs two runs or more', {
      fix: 'name them: assay compare A B; assay list runs shows what is stored',
    });
  }
  if (flags.allowUndecided === true && flags.gate !== true) {
    throw new AssayError('USAGE', '--allow-undecided changes what --gate does, and --gate is not given');
  }
  const loaded = await loadConfig(process.cwd(), flags.config);
  const root = storeRoot(loaded);
  const runs = references.map((reference) => readRun(findRun(root, reference).directory));
  const directories = new Set(runs.map((run) => run.directory));
  if (directories.size < runs.length) {
    throw new AssayError('USAGE', 'the same run is named twice', { fix: 'name different runs' });
  }
  const clusters = await clustersOf(runs[0]?.header.suitePath ?? '', loaded);
  const sides = runs.map((run) => readSide(run, { clusterOf: (hash) => clusters.get(hash) ?? null }));
  const comparison = compareRuns(sides, {
    measure: flags.by,
    tolerance: flags.tolerance,
    alpha: flags.alpha,
  });
  const output = openResultOutput(flags.out);
  output.write(comparisonText(comparison, flags.json === true ? 'json' : flags.format));
  output.commit();
  const code = flags.gate === true ? gateExitCode(comparison, flags.allowUndecided === true) : 0;
  if (code !== 0) throw new ExitCode(code);
}
