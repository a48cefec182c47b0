import { formatKeyPath, type CheckSpec, type JsonValue, type KeyPath } from '../core/index.js';
import { assertionUnit, withDistinctLabels } from './assertion-unit.js';
import type { SourceAt } from './assertion-text.js';
import type { RuleProblem } from './document.js';
import { describeValue } from './schema-problems.js';

/** What compiling a list of assertions must know of the place it stands in. */
export interface AssertionContext {
  /** Key path of the list in its document. */
  path: KeyPath;
  /** Absolute directory against which paths in assertions are resolved. */
  directory: string;
  /** Absolute directory that no path may leave. Default `directory`. */
  within?: string;
  /** User turns of the case. */
  turnCount: number;
  /** 0-based turn whose asserts these are; absent for those of the whole case. */
  turn?: number;
  /** An empty answer may pass the case. Default false. */
  allowEmpty?: boolean;
  /** The text of a scalar as it was written, where the document knows it. */
  sourceAt?: SourceAt;
  /** Golden files need not exist yet: this run writes them. Default false. */
  goldenFilesMayBeMissing?: boolean;
}

/**
 * Compiles a list of assertions as suites write them, for places outside assertion suites (a trace fixture's
 * `expects.assert`). Nothing is templated. `checks` is complete only when there are no problems.
 */
export function compileAssertions(
  values: JsonValue,
  context: AssertionContext,
): { checks: CheckSpec[]; problems: RuleProblem[] } {
  const { path } = context;
  const problems: RuleProblem[] = [];
  if (!Array.isArray(values)) {
    const message = `must be a list, not ${describeValue(values)}`;
    return { checks: [], problems: [{ path, message, fix: 'write a list of assertions' }] };
  }
  if (values.length === 0) {
    const message = 'the list of assertions is empty, so it tests nothing';
    return { checks: [], problems: [{ path, message, fix: 'add an assertion, or remove the key' }] };
  }
  const checks = values.flatMap((value, index) => {
    const place = {
      path: [...path, index],
      key: formatKeyPath([...path, index]),
      turn: context.turn ?? null,
      turnCount: context.turnCount,
      allowEmpty: context.allowEmpty ?? false,
      root: { directory: context.directory, within: context.within ?? context.directory },
      goldenFilesMayBeMissing: context.goldenFilesMayBeMissing ?? false,
      sourceAt: context.sourceAt ?? ((): null => null),
    };
    return assertionUnit(value, place, null, problems)?.fixed ?? [];
  });
  return { checks: withDistinctLabels(checks), problems };
}
