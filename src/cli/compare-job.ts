import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseCompareJob, type CompareJob } from '../compare/index.js';
import { AssayError, canonicalJson, parseJson, type JsonValue } from '../core/index.js';
import { readRun } from '../store/index.js';
import { displayPath } from '../suite/index.js';
import type { JobFlags } from './commands/compare-jobs.js';

/** A job as it is stored before the first call: what the result is held against later. */
export function storedJob(job: CompareJob): JsonValue {
  const parsed = parseJson(JSON.stringify(job));
  return parsed.ok ? parsed.value : null;
}

/**
 * A job from a file, or for models from the command line alone.
 * @throws AssayError `USAGE` without either, `INPUT` with every problem of it
 */
export function readJob(kind: CompareJob['kind'], path: string | undefined, flags: JobFlags): CompareJob {
  if (path !== undefined) {
    const absolute = resolve(path);
    if (!existsSync(absolute)) {
      throw new AssayError('INPUT', `comparison not found: ${path}`, { fix: 'check the path' });
    }
    return parseCompareJob(kind, displayPath(absolute, process.cwd()), readFileSync(absolute, 'utf8'));
  }
  if (kind !== 'models' || flags.models === undefined) {
    throw new AssayError('USAGE', `assay compare ${kind} needs a file`, {
      fix: kind === 'models' ? 'name one, or give --models a,b' : 'name one',
    });
  }
  const arms = flags.models.split(',').map((model) => model.trim());
  const { limitCost, limitLatency } = flags;
  const written = {
    name: flags.name ?? 'models',
    suite: flags.suite,
    hypothesis: flags.hypothesis,
    success: flags.success,
    refuted_by: flags.refutedBy,
    difference: flags.difference,
    ...(flags.tolerance === undefined ? {} : { tolerance: flags.tolerance }),
    ...(flags.trials === undefined ? {} : { trials: flags.trials }),
    ...(flags.earlyStop === true ? { early_stop: true } : {}),
    ...(flags.weights === undefined ? {} : { weights: flags.weights }),
    ...(limitCost === undefined && limitLatency === undefined
      ? {}
      : { limits: { cost: limitCost, latency_ms: limitLatency } }),
    arms: arms.map((model, index) => ({ name: armName(model, index), model })),
  };
  return parseCompareJob(kind, 'command line', JSON.stringify(written));
}

/** A model's name as that of an arm. */
function armName(model: string, index: number): string {
  const plain = model.replace(/[^A-Za-z0-9._-]+/g, '-').replace(/^[^A-Za-z0-9]+/, '');
  return plain === '' ? `model-${index + 1}` : plain.slice(0, 60);
}

/**
 * What is compared is fixed before the first call.
 * @throws AssayError `USAGE` when the stored run was set down differently
 */
export function requireSameJob(directory: string, job: CompareJob): void {
  const stored = readRun(directory).header.settings?.['comparison'] ?? null;
  if (canonicalJson(stored) === canonicalJson(storedJob(job))) return;
  throw new AssayError('USAGE', 'the stored comparison was set down differently', {
    fix: 'what is compared is fixed before the first call: resume with the same file, or start anew',
  });
}
