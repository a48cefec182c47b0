import type { JsonValue, KeyPath } from '../core/index.js';
import { isJsonObject } from '../core/index.js';
import type { CheckMaker } from './check-maker.js';
import { isCanonicalNumber } from './assertion-text.js';

/**
 * The value of a key that takes JSON, where a number or truth value whose written form is not JSON's own (`1.10`,
 * `0x1f`, `True`, more digits than a double holds) is the text that was written.
 */
export function writtenScalar(value: JsonValue, maker: CheckMaker, key = 'value'): JsonValue {
  if (typeof value === 'string' || (typeof value === 'object' && value !== null)) return value;
  const source = maker.sourceAt(key);
  if (source === null || source === '') return value;
  if (typeof value === 'number') return isCanonicalNumber(value, source) ? value : source;
  return source === '~' || source === String(value) ? value : source;
}

/** True when the digits of a written number survive being held as a double. */
function survives(value: number, written: string): boolean {
  if (/^[-+]?\d+$/.test(written)) return BigInt(value) === BigInt(written.replace(/^\+/, ''));
  const digits = written
    .replace(/e.*$/i, '')
    .replace(/\D/g, '')
    .replace(/^0+|0+$/g, '');
  return digits.length <= 15;
}

/**
 * Refuses every number inside a JSON value that a double cannot hold exactly; a comparison with it would be a
 * comparison with another number. True when there was one.
 */
export function inexactNumbers(value: JsonValue, maker: CheckMaker, path: KeyPath): boolean {
  if (typeof value === 'number') {
    const source = maker.sourceAt(path);
    if (source === null || survives(value, source)) return false;
    maker.refuse(
      path,
      `the number ${source} cannot be held exactly and would silently become ${value}`,
      'put it in quotes',
    );
    return true;
  }
  if (Array.isArray(value)) {
    return value.map((item, index) => inexactNumbers(item, maker, [...path, index])).includes(true);
  }
  if (!isJsonObject(value)) return false;
  return Object.entries(value)
    .map(([key, item]) => inexactNumbers(item, maker, [...path, key]))
    .includes(true);
}
