import type { JsonObject, JsonValue, KeyPath } from '../core/index.js';
import type { SourceAt } from './assertion-text.js';
import type { CaseTemplate } from './case-template.js';
import type { RuleProblem } from './document.js';
import { valueText, type Variables } from './template.js';

/** No variables at all. */
export const NO_VARIABLES: Variables = { value: () => undefined, text: () => '' };

/** The variables of a `vars` block; as text a number is what was written. */
export function declaredVariables(values: JsonObject, path: KeyPath, sourceAt: SourceAt): Variables {
  const value = (name: string): JsonValue | undefined =>
    Object.hasOwn(values, name) ? values[name] : undefined;
  return {
    value,
    text(name) {
      const held = value(name);
      if (held === undefined) return '';
      const written =
        typeof held === 'number' || typeof held === 'boolean' ? sourceAt([...path, name]) : null;
      return written ?? valueText(held);
    },
  };
}

/** Variables out of several tables: a name is looked up in the first that has it. */
export function layeredVariables(layers: readonly Variables[]): Variables {
  const [only = NO_VARIABLES] = layers;
  if (layers.length < 2) return only;
  const holder = (name: string): Variables =>
    layers.find((layer) => layer.value(name) !== undefined) ?? NO_VARIABLES;
  return { value: (name) => holder(name).value(name), text: (name) => holder(name).text(name) };
}

/** Variables that a case uses and that have no value, or null where text is needed. */
export function missingVariables(
  template: CaseTemplate,
  variables: Variables,
): { name: string; problem: Pick<RuleProblem, 'message' | 'fix'> }[] {
  const missing: { name: string; problem: Pick<RuleProblem, 'message' | 'fix'> }[] = [];
  for (const name of template.names) {
    const value = variables.value(name);
    if (value === undefined) {
      missing.push({
        name,
        problem: { message: `there is no ${JSON.stringify(name)} here`, fix: 'give it a value' },
      });
    } else if (value === null && template.textNames.has(name)) {
      missing.push({
        name,
        problem: {
          message: `${JSON.stringify(name)} is null and cannot stand in a text`,
          fix: 'write a text, "" for none',
        },
      });
    }
  }
  return missing;
}
