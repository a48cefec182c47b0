import { isJsonObject, type CheckSpec, type JsonValue } from '../core/index.js';
import { compileAssertions } from './compile-assertions.js';
import { traceChecks } from './trace-checks.js';
import { traceRules } from './trace-rules.js';
import { traceFixtureSchema } from './trace-schema.js';

/**
 * The checks that a trace fixture compiles to, for tools that propose other expectations; null when it would not be
 * admitted.
 * @param directory absolute; paths in its assertions are resolved against it
 */
export function compileFixtureChecks(fixture: JsonValue, directory: string): CheckSpec[] | null {
  const parsed = traceFixtureSchema.safeParse(fixture);
  if (!parsed.success || traceRules(fixture).length > 0) return null;
  const checks = traceChecks(parsed.data);
  const expects = isJsonObject(fixture) ? fixture['expects'] : undefined;
  const assertions = isJsonObject(expects) ? expects['assert'] : undefined;
  if (assertions === undefined) return checks;
  const compiled = compileAssertions(assertions, {
    path: ['expects', 'assert'],
    directory,
    turnCount: parsed.data.turns.length,
  });
  return compiled.problems.length > 0 ? null : [...checks, ...compiled.checks];
}
