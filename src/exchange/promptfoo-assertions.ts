import { isJsonObject, parseJson, type JsonObject, type JsonValue } from '../core/index.js';
import { parseYamlDocument } from '../suite/index.js';

/** The twins of one assertion, or why it has none. All of them together mean what it means. */
export type Twins =
  | { ok: true; assertions: JsonObject[]; judged: boolean; changed: string | null }
  | { ok: false; why: string };

interface Written {
  type: string;
  negated: boolean;
  value: JsonValue | undefined;
  threshold: number | null;
  whole: JsonObject;
}

function twin(type: string, rest: JsonObject, changed: string | null = null, judged = false): Twins {
  return { ok: true, assertions: [{ type, ...rest }], judged, changed };
}

function none(why: string): Twins {
  return { ok: false, why };
}

/** A list as promptfoo takes it: a list, or one text with commas and quotes. */
function listOf(value: JsonValue | undefined): string[] | null {
  if (Array.isArray(value)) {
    return value.every((item) => typeof item === 'string' || typeof item === 'number')
      ? value.map(String)
      : null;
  }
  if (typeof value !== 'string') return null;
  const items: string[] = [];
  for (const match of value.matchAll(/\s*(?:"((?:[^"]|"")*)"|([^,]*))\s*(?:,|$)/g)) {
    if (match.index >= value.length && items.length > 0) break;
    items.push(match[1] === undefined ? (match[2] ?? '').trim() : match[1].replaceAll('""', '"'));
  }
  return items;
}

function textOf(value: JsonValue | undefined): string | null {
  if (typeof value === 'string') return value;
  return typeof value === 'number' ? String(value) : null;
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}

/** A JSON Schema as promptfoo takes it: an object, or a text of JSON or YAML. */
function schemaOf(value: JsonValue | undefined): JsonObject | null | undefined {
  if (value === undefined || value === null) return undefined;
  if (isJsonObject(value)) return value;
  if (typeof value !== 'string') return null;
  const parsed = parseJson(value);
  if (parsed.ok) return isJsonObject(parsed.value) ? parsed.value : null;
  const yaml = parseYamlDocument('schema', value);
  return yaml.ok && isJsonObject(yaml.document.value) ? yaml.document.value : null;
}

function anyOf(written: Written): Twins {
  const items = listOf(written.value);
  if (items === null || items.length === 0) return none('its value is no list of texts');
  const { type, negated } = written;
  const not = negated ? 'not-' : '';
  switch (type) {
    case 'contains-any':
    case 'contains-all':
      return twin(`${not}${type}`, { value: items });
    case 'icontains-any':
      return twin(
        `${not}regex`,
        { value: items.map(escaped).join('|'), flags: 'iu' },
        'written as a regular expression',
      );
    default: {
      const value = `^${items.map((item) => `(?=[\\s\\S]*${escaped(item)})`).join('')}`;
      return twin(`${not}regex`, { value, flags: 'iu' }, 'written as a regular expression');
    }
  }
}

function wordCount({ value, negated }: Written): Twins {
  const type = negated ? 'not-word-count' : 'word-count';
  if (typeof value === 'number') return twin(type, { exact: value });
  if (!isJsonObject(value)) return none('its value is neither a number nor min and max');
  const { min, max } = value;
  const bounds = { ...(typeof min === 'number' ? { min } : {}), ...(typeof max === 'number' ? { max } : {}) };
  return Object.keys(bounds).length === 0 ? none('it has no bound') : twin(type, bounds);
}

function toolUsed({ value, negated }: Written): Twins {
  if (typeof value === 'string') return twin(negated ? 'tool-not-used' : 'tool-used', { value });
  if (Array.isArray(value) && value.every((name) => typeof name === 'string'))
    return twin(negated ? 'tool-not-used' : 'tool-used', { value }, null);
  if (!isJsonObject(value) || typeof value['name'] !== 'string') return none('it names tools by a pattern');
  const { name, min, max } = value;
  if (min === undefined && max === undefined)
    return twin(negated ? 'tool-not-used' : 'tool-used', { value: name });
  const bounds = {
    ...(typeof min === 'number' && min > 0 ? { min } : {}),
    ...(typeof max === 'number' ? { max } : {}),
  };
  return Object.keys(bounds).length === 0
    ? none('min 0 is always true')
    : twin(negated ? 'not-tool-calls' : 'tool-calls', { tool: name, ...bounds });
}

function toolSequence({ value, negated }: Written): Twins {
  const steps = isJsonObject(value) ? value['steps'] : value;
  const exact = isJsonObject(value) && value['mode'] === 'exact';
  if (!exact) return none('an order with other calls in between has no twin');
  if (!Array.isArray(steps) || !steps.every((step) => typeof step === 'string'))
    return none('its steps are patterns');
  return twin(negated ? 'not-tool-calls' : 'tool-calls', {
    calls: steps.map((tool) => ({ tool })),
    order: 'strict',
  });
}

function toolArguments({ value, negated }: Written): Twins {
  if (!isJsonObject(value) || typeof value['name'] !== 'string' || !isJsonObject(value['args']))
    return none('it names no tool, or no arguments');
  if (value['mode'] === 'exact') return none('exact arguments have no twin');
  return twin(negated ? 'not-tool-arguments' : 'tool-arguments', {
    tool: value['name'],
    value: value['args'],
  });
}

function judged(written: Written): Twins {
  const { type, value, threshold, negated } = written;
  const not = negated ? 'not-' : '';
  if (typeof value !== 'string' || value.trim() === '') return none('its rubric is no text');
  if (type === 'model-graded-closedqa')
    return twin(`${not}llm-assert`, { value: [value] }, 'judged by the statement alone', true);
  const bound = threshold !== null && threshold > 0 ? { threshold } : {};
  return twin(`${not}llm-rubric`, { value, ...bound }, 'judged from 1 to 5 by the judge of Assay', true);
}

const BOUNDS: ReadonlyMap<string, string> = new Map([
  ['latency', 'latency'],
  ['cost', 'cost'],
]);

function convert(written: Written): Twins {
  const { type, negated, value, threshold } = written;
  const not = negated ? 'not-' : '';
  const bound = BOUNDS.get(type);
  if (bound !== undefined) {
    return threshold === null ? none('it has no threshold') : twin(`${not}${bound}`, { value: threshold });
  }
  switch (type) {
    case 'equals':
      return value === undefined ? none('it has no value') : twin(`${not}equals`, { value });
    case 'contains':
    case 'icontains':
    case 'starts-with':
    case 'regex': {
      const text = textOf(value);
      return text === null ? none('its value is no text') : twin(`${not}${type}`, { value: text });
    }
    case 'contains-any':
    case 'contains-all':
    case 'icontains-any':
    case 'icontains-all':
      return anyOf(written);
    case 'is-json':
    case 'contains-json': {
      const schema = schemaOf(value);
      if (schema === null) return none('its schema cannot be read');
      return twin(`${not}${type}`, schema === undefined ? {} : { schema });
    }
    case 'levenshtein': {
      const text = textOf(value);
      const most = threshold === null ? {} : { threshold: Math.floor(threshold) };
      return text === null
        ? none('its value is no text')
        : twin(`${not}levenshtein`, { value: text, ...most });
    }
    case 'word-count':
      return wordCount(written);
    case 'trajectory:tool-used':
      return toolUsed(written);
    case 'trajectory:tool-sequence':
      return toolSequence(written);
    case 'trajectory:tool-args-match':
      return toolArguments(written);
    case 'llm-rubric':
    case 'model-graded-closedqa':
      return judged(written);
    default:
      return none(`the type ${JSON.stringify(negated ? `not-${type}` : type)} has no twin`);
  }
}

const KNOWN = new Set(['type', 'value', 'threshold', 'weight', 'metric']);

/**
 * The twins of a promptfoo assertion, its templates filled already. `value` holds what its text was written as.
 * @param assertion the assertion as it is written
 */
export function promptfooTwins(assertion: JsonObject): Twins {
  const { type } = assertion;
  if (typeof type !== 'string') return none('it has no type');
  const extra = Object.keys(assertion).filter((key) => !KNOWN.has(key));
  if (extra.length > 0) return none(`its ${extra.join(', ')} ${extra.length === 1 ? 'has' : 'have'} no twin`);
  const { value, threshold } = assertion;
  if (typeof value === 'string' && /^(?:file|package):\/\//.test(value))
    return none(`${value.slice(0, 80)} is code or data of another file`);
  const negated = type.startsWith('not-');
  const twins = convert({
    type: negated ? type.slice('not-'.length) : type,
    negated,
    value,
    threshold: typeof threshold === 'number' ? threshold : null,
    whole: assertion,
  });
  if (!twins.ok) return twins;
  const { metric, weight } = assertion;
  const common: JsonObject = {
    ...(typeof metric === 'string' ? { metric } : {}),
    ...(typeof weight === 'number' && weight >= 0 ? { weight } : {}),
  };
  return { ...twins, assertions: twins.assertions.map((one) => ({ ...one, ...common })) };
}
