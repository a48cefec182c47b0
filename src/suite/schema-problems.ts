import type { z } from 'zod';
import { didYouMean, isJsonObject, type JsonValue, type KeyPath } from '../core/index.js';
import type { RuleProblem } from './document.js';

type Issue = z.core.$ZodIssue;
type Schema = z.core.$ZodType;

/** A schema without the wrappers that add nothing to its shape: defaults, optionals, descriptions, transforms. */
export function unwrapSchema(schema: Schema): Schema {
  let current = schema;
  for (;;) {
    const definition = current._zod.def;
    if ('innerType' in definition) current = definition.innerType as Schema;
    else if (definition.type === 'lazy') current = (definition as z.core.$ZodLazyDef).getter();
    else if (definition.type === 'pipe') current = (definition as z.core.$ZodPipeDef).in;
    else return current;
  }
}

/** Every schema that may stand at `path`; several where a union leaves it open. */
function schemasAt(schema: Schema, path: KeyPath): Schema[] {
  const current = unwrapSchema(schema);
  const definition = current._zod.def;
  if (definition.type === 'union') {
    return (definition as z.core.$ZodUnionDef).options.flatMap((option) => schemasAt(option, path));
  }
  const [head, ...rest] = path;
  if (head === undefined) return [current];
  if (definition.type === 'object') {
    const member = (definition as z.core.$ZodObjectDef).shape[String(head)];
    return member === undefined ? [] : schemasAt(member, rest);
  }
  if (definition.type === 'array') return schemasAt((definition as z.core.$ZodArrayDef).element, rest);
  if (definition.type === 'record') return schemasAt((definition as z.core.$ZodRecordDef).valueType, rest);
  return [];
}

function knownKeys(schema: Schema, path: KeyPath): string[] {
  const keys = new Set<string>();
  for (const found of schemasAt(schema, path)) {
    const definition = found._zod.def;
    if (definition.type === 'object') {
      for (const key of Object.keys((definition as z.core.$ZodObjectDef).shape)) keys.add(key);
    }
  }
  return [...keys];
}

const TYPE_NAMES: ReadonlyMap<string, string> = new Map([
  ['string', 'text'],
  ['number', 'a number'],
  ['int', 'a whole number'],
  ['boolean', 'true or false'],
  ['array', 'a list'],
  ['object', 'an object'],
  ['record', 'an object'],
  ['null', 'null'],
  ['nonoptional', 'a value'],
]);

function typeName(type: string): string {
  return TYPE_NAMES.get(type) ?? type;
}

/** What a value is, in the words of an error message. */
export function describeValue(value: JsonValue | undefined): string {
  if (value === undefined) return 'missing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'an object';
  if (typeof value === 'string') return value.length > 40 ? 'text' : `the text ${JSON.stringify(value)}`;
  return `${value}`;
}

function valueAt(root: JsonValue, path: KeyPath): JsonValue | undefined {
  let value: JsonValue | undefined = root;
  for (const part of path) {
    if (Array.isArray(value)) value = typeof part === 'number' ? value[part] : undefined;
    else if (isJsonObject(value))
      value = Object.hasOwn(value, String(part)) ? value[String(part)] : undefined;
    else return undefined;
  }
  return value;
}

function pathOf(issue: Issue): (string | number)[] {
  return issue.path.map((part) => (typeof part === 'symbol' ? String(part) : part));
}

/** Options of a union that has no discriminator: the issues of the option that came nearest. */
function nearestOption(issue: z.core.$ZodIssueInvalidUnion): Issue[] {
  const ranked = issue.errors
    .filter((option) => option.length > 0)
    .toSorted((left, right) => depthOf(right) - depthOf(left) || left.length - right.length);
  const best = ranked[0];
  return best === undefined ? [] : best.map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] }));
}

function depthOf(issues: readonly Issue[]): number {
  return Math.max(...issues.map((issue) => issue.path.length));
}

function quotedList(values: readonly unknown[]): string {
  return values.map((value) => JSON.stringify(value)).join(', ');
}

function explain(issue: Issue, schema: Schema, root: JsonValue): RuleProblem[] {
  const path = pathOf(issue);
  const value = valueAt(root, path);
  switch (issue.code) {
    case 'unrecognized_keys': {
      const known = knownKeys(schema, path);
      return issue.keys.map((key) => {
        const meant = didYouMean(key, known);
        return {
          path: [...path, key],
          at: 'key' as const,
          message: 'unknown key',
          fix: meant === null ? `remove it; the keys here are ${known.join(', ')}` : `did you mean ${meant}?`,
        };
      });
    }
    case 'invalid_type': {
      const wanted = typeName(issue.expected);
      if (value === undefined) {
        return [{ path, message: `missing; ${wanted} is required here`, fix: `add it (${wanted})` }];
      }
      return [{ path, message: `must be ${wanted}, not ${describeValue(value)}`, fix: `write ${wanted}` }];
    }
    case 'invalid_value': {
      const values = quotedList(issue.values);
      const meant =
        typeof value === 'string'
          ? didYouMean(
              value,
              issue.values.filter((option) => typeof option === 'string'),
            )
          : null;
      const message =
        value === undefined
          ? `missing; must be one of ${values}`
          : `${describeValue(value)} is not one of ${values}`;
      return [
        {
          path,
          message,
          fix: meant === null ? `write one of ${values}` : `did you mean ${JSON.stringify(meant)}?`,
        },
      ];
    }
    case 'too_small':
    case 'too_big': {
      const bound = issue.code === 'too_small' ? issue.minimum : issue.maximum;
      const within = issue.inclusive !== false;
      const side =
        issue.code === 'too_small' ? (within ? 'at least' : 'more than') : within ? 'at most' : 'less than';
      if (issue.origin === 'string') {
        return issue.code === 'too_small' && value === ''
          ? [{ path, message: 'must not be empty', fix: 'write some text' }]
          : [
              {
                path,
                message: `must have ${side} ${bound} characters`,
                fix: `write ${side} ${bound} characters`,
              },
            ];
      }
      if (issue.origin === 'array') {
        return [
          {
            path,
            message: `must have ${side} ${bound} ${Number(bound) === 1 ? 'entry' : 'entries'}`,
            fix: issue.code === 'too_small' ? 'add an entry, or remove the key' : 'remove entries',
          },
        ];
      }
      return [
        {
          path,
          message: `must be ${side} ${bound}, not ${describeValue(value)}`,
          fix: `write a number that is ${side} ${bound}`,
        },
      ];
    }
    case 'invalid_union': {
      if ('discriminator' in issue && typeof issue.discriminator === 'string') {
        const tagPath = path.at(-1) === issue.discriminator ? path : [...path, issue.discriminator];
        const tags = schemasAt(schema, tagPath).flatMap((option) => {
          const definition = option._zod.def;
          return definition.type === 'literal'
            ? [...(definition as z.core.$ZodLiteralDef<z.core.util.Literal>).values]
            : [];
        });
        const tag = valueAt(root, tagPath);
        const meant =
          typeof tag === 'string'
            ? didYouMean(
                tag,
                tags.filter((option) => typeof option === 'string'),
              )
            : null;
        return [
          {
            path: tagPath,
            message: tag === undefined ? 'missing' : `${describeValue(tag)} is not known here`,
            fix:
              meant === null ? `write one of ${quotedList(tags)}` : `did you mean ${JSON.stringify(meant)}?`,
          },
        ];
      }
      const nearest = nearestOption(issue);
      if (nearest.length > 0) return nearest.flatMap((inner) => explain(inner, schema, root));
      return [
        { path, message: `${describeValue(value)} does not fit here`, fix: 'see the reference of this key' },
      ];
    }
    case 'invalid_key':
    case 'invalid_element':
      return issue.issues.flatMap((inner) =>
        explain({ ...inner, path: [...issue.path, ...inner.path] }, schema, root),
      );
    case 'not_multiple_of':
    case 'invalid_format':
    case 'custom': {
      const fix =
        issue.code === 'custom' && typeof issue.params?.['fix'] === 'string' ? issue.params['fix'] : '';
      return [{ path, message: issue.message, fix }];
    }
    default:
      return [{ path, message: 'is not valid here', fix: '' }];
  }
}

/**
 * Zod's issues as problems a person can act on: unknown keys come with a did-you-mean, types in plain words.
 * `root` is the value that was parsed, `base` the key path at which it stands in its file.
 */
export function schemaProblems(
  error: z.core.$ZodError,
  schema: Schema,
  root: JsonValue,
  base: KeyPath = [],
): RuleProblem[] {
  return error.issues
    .flatMap((issue) => explain(issue, schema, root))
    .map((problem) => ({ ...problem, path: [...base, ...problem.path] }));
}
