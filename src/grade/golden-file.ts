import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import type * as diffLibrary from 'diff';
import { AssayError, clip, errorMessage, quote, type CheckSpecOf, type Recording } from '../core/index.js';
import { shapeText, turnText } from './graded-text.js';
import { cannotGrade, decide, type Verdict } from './grader.js';

const load = createRequire(import.meta.url);

const FILE_LIMIT = 16 * 1024 * 1024;
const DIFF_MS = 500;
const DIFF_SHOWN = 3000;

type GoldenSpec = CheckSpecOf<'matches-file'>;

function unixLines(text: string): string {
  return text.replace(/\r\n/g, '\n');
}

function readGolden(path: string): { text: string } | { missing: true } | { problem: string } {
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats === undefined) return { missing: true };
    if (!stats.isFile()) return { problem: 'it is not a regular file' };
    if (stats.size > FILE_LIMIT) return { problem: 'it is larger than 16 MiB' };
    return { text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(readFileSync(path)) };
  } catch (error) {
    return { problem: errorMessage(error) };
  }
}

/** A short unified diff; '' when it would take too long. */
function shortDiff(golden: string, actual: string): string {
  const { structuredPatch }: typeof diffLibrary = load('diff');
  const patch = structuredPatch('golden', 'response', golden, actual, undefined, undefined, {
    context: 2,
    timeout: DIFF_MS,
  });
  if (patch === undefined) return '';
  const lines = patch.hunks.flatMap((hunk) => [
    `@@ -${hunk.oldStart},${hunk.oldLines} +${hunk.newStart},${hunk.newLines} @@`,
    ...hunk.lines,
  ]);
  return clip(lines.join('\n'), DIFF_SHOWN);
}

/** Passes when the text is the golden file's, line ends aside (and white space at both ends, when the check trims). */
export function gradeMatchesFile(spec: GoldenSpec, text: string): Verdict {
  const name = quote(basename(spec.path));
  const golden = readGolden(spec.path);
  if ('missing' in golden)
    return cannotGrade(`the golden file ${name} is missing; run with --update to write it`);
  if ('problem' in golden) return cannotGrade(`cannot read the golden file ${name}: ${golden.problem}`);
  const expected = unixLines(shapeText(spec, golden.text));
  const actual = unixLines(text);
  if (expected === actual) return decide(true, `matches the golden file ${name}`);
  const diff = shortDiff(expected, actual);
  return decide(false, `differs from the golden file ${name}${diff === '' ? '' : `:\n${diff}`}`);
}

/**
 * Writes the graded text of a recording into the check's golden file (temp and rename), for `--update`. Gives true when
 * the file changed. A trimmed text gets a line feed at its end.
 * @throws AssayError `INPUT` when there is no text to write or the check is negated, `STORE` when writing fails.
 */
export function updateGoldenFile(spec: GoldenSpec, recording: Recording): boolean {
  const name = quote(basename(spec.path));
  const text = turnText(spec, recording);
  if (spec.negated) {
    throw new AssayError('INPUT', `${spec.label}: a negated check has no golden file to update`, {
      fix: `edit ${name} by hand`,
    });
  }
  if (text === null || text.trim() === '') {
    throw new AssayError('INPUT', `${spec.label}: there is no text to write into ${name}`, {
      fix: 'an empty golden file would match an agent that does nothing; run the case again',
    });
  }
  const shaped = unixLines(shapeText(spec, text));
  const content = spec.trim ? `${shaped}\n` : shaped;
  const known = readGolden(spec.path);
  if ('text' in known && known.text === content) return false;
  const temporary = join(dirname(spec.path), `.${basename(spec.path)}.${process.pid}.tmp`);
  try {
    mkdirSync(dirname(spec.path), { recursive: true });
    writeFileSync(temporary, content);
    renameSync(temporary, spec.path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw new AssayError('STORE', `cannot write the golden file ${name}: ${errorMessage(error)}`, {
      cause: error,
    });
  }
  return true;
}
