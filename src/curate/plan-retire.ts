import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Case, Suite } from '../suite/index.js';
import { readText, requireOwn, type ChangePlan } from './change-plan.js';
import {
  entriesOf,
  freePath,
  movedFixtures,
  planOf,
  requireRest,
  withAppended,
  withOnly,
  withoutEntries,
} from './move-texts.js';
import type { PlanContext } from './plan-edit.js';
import { admitText, caseIndexes, plainName, requireData, suiteText } from './suite-text.js';

/** Directory, beside a suite, of what is no longer run. */
const RETIRED = '_retired';

/**
 * Plans cases, or a whole suite (no cases named), leaving for the `_retired` directory beside it, where nothing is run
 * and nothing is lost.
 * @throws AssayError `INPUT`, or as loading does
 */
export function planRetire(
  suite: Suite,
  cases: readonly Case[],
  reason: string,
  context: PlanContext,
): ChangePlan {
  requireOwn(suite, context.roots);
  const directory = join(suite.format === 'trace' ? suite.root : dirname(suite.path), RETIRED);
  const details = { reason };
  const ids = cases.map(({ id }) => id);
  if (suite.format === 'trace') {
    const leaving = cases.length === 0 ? [...suite.cases] : cases;
    return planOf(
      'retire',
      suite,
      ids,
      directory,
      movedFixtures(suite, leaving, directory),
      details,
      context,
    );
  }
  if (cases.length === 0) {
    const target = freePath(directory, basename(suite.path));
    const files = [
      { path: target, text: suiteText(suite) },
      { path: suite.path, text: null },
    ];
    return planOf('retire', suite, [], target, files, details, context);
  }
  requireData(suite, 'remove the case');
  const before = suiteText(suite);
  const shown = suite.displayPath;
  const indexes = caseIndexes(suite, before, cases);
  requireRest(suite, indexes.length);
  const after = withoutEntries(before, indexes);
  admitText(suite, suite.path, after, context);
  const target = join(directory, `${plainName(suite.path)}.yaml`);
  const note = `# retired ${context.now.slice(0, 10)}: ${reason.replace(/\s+/g, ' ')}\n`;
  const entries = entriesOf(before, shown, indexes).map(({ value, raw }) => ({
    value,
    raw: raw === null ? null : note + raw,
  }));
  const text = existsSync(target)
    ? withAppended(readText(target), target, entries)
    : withOnly(before, entries);
  const files = [
    { path: target, text },
    { path: suite.path, text: after },
  ];
  return planOf('retire', suite, ids, target, files, details, context);
}
