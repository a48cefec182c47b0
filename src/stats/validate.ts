import { StatsError } from './error.js';

/** Values by the name they have in the input, so that a message can name them. */
export type Named = Readonly<Record<string, number>>;

/** Throws NOT_INTEGER unless every value is a whole number that a double holds exactly. */
export function requireWhole(values: Named): void {
  for (const [name, value] of Object.entries(values)) {
    if (!Number.isSafeInteger(value)) {
      throw new StatsError('NOT_INTEGER', `${name} must be a whole number, got ${value}`);
    }
  }
}

/** Throws NOT_INTEGER for fractions, then C_OUT_OF_RANGE for counts below 0. */
export function requireCounts(values: Named): void {
  requireWhole(values);
  for (const [name, value] of Object.entries(values)) {
    if (value < 0) throw new StatsError('C_OUT_OF_RANGE', `${name} must be 0 or more, got ${value}`);
  }
}

/** Throws NOT_INTEGER or N_LT_1 unless n is a whole number of at least 1. */
export function requireSize(n: number, name = 'n'): void {
  requireWhole({ [name]: n });
  if (n < 1) throw new StatsError('N_LT_1', `${name} must be at least 1 scored trial, got ${n}`);
}

/** Throws C_OUT_OF_RANGE unless 0 <= part <= whole. */
export function requirePart(part: number, whole: number, partName: string, wholeName: string): void {
  if (part < 0 || part > whole) {
    throw new StatsError(
      'C_OUT_OF_RANGE',
      `${partName} must lie in 0..${wholeName} = 0..${whole}, got ${part}`,
    );
  }
}

/** n trials with c passes: NOT_INTEGER, then N_LT_1, then C_OUT_OF_RANGE. */
export function requireTrials(n: number, c: number): void {
  requireWhole({ n, c });
  requireSize(n);
  requirePart(c, n, 'c', 'n');
}

/** n trials with c passes and k draws: NOT_INTEGER, N_LT_1, C_OUT_OF_RANGE, then K_LT_1. */
export function requireDraws(n: number, c: number, k: number): void {
  requireWhole({ n, c, k });
  requireTrials(n, c);
  requireAtLeastOne(k, 'k');
}

/** Throws NOT_INTEGER or K_LT_1 unless the value is a whole number of at least 1. */
export function requireAtLeastOne(value: number, name: string): void {
  requireWhole({ [name]: value });
  if (value < 1) throw new StatsError('K_LT_1', `${name} must be at least 1, got ${value}`);
}

/** Throws K_GT_N unless k <= n. */
export function requireAtMost(k: number, n: number, name = 'k'): void {
  if (k > n) throw new StatsError('K_GT_N', `${name} = ${k} is larger than n = ${n}`);
}

/** Throws INVALID_INPUT unless every value lies strictly between 0 and 1. */
export function requireInsideUnit(values: Named): void {
  for (const [name, value] of Object.entries(values)) {
    if (!(value > 0 && value < 1)) {
      throw new StatsError('INVALID_INPUT', `${name} must lie strictly between 0 and 1, got ${value}`);
    }
  }
}

/** Throws INVALID_INPUT unless every value lies in 0..1. */
export function requireUnit(values: Named): void {
  for (const [name, value] of Object.entries(values)) {
    if (!(value >= 0 && value <= 1)) {
      throw new StatsError('INVALID_INPUT', `${name} must lie in 0..1, got ${value}`);
    }
  }
}

/** Throws INVALID_INPUT unless every value is finite and above 0. */
export function requirePositive(values: Named): void {
  for (const [name, value] of Object.entries(values)) {
    if (!(value > 0 && value < Number.POSITIVE_INFINITY)) {
      throw new StatsError('INVALID_INPUT', `${name} must be a finite number above 0, got ${value}`);
    }
  }
}

/** Throws INVALID_INPUT unless every value is finite and not below 0. */
export function requireNonNegative(values: Named): void {
  for (const [name, value] of Object.entries(values)) {
    if (!(value >= 0 && value < Number.POSITIVE_INFINITY)) {
      throw new StatsError('INVALID_INPUT', `${name} must be a finite number of at least 0, got ${value}`);
    }
  }
}

/** Throws INVALID_INPUT for the first value that is not finite. */
export function requireFinite(name: string, values: readonly number[]): void {
  for (const [index, value] of values.entries()) {
    if (!Number.isFinite(value)) {
      throw new StatsError('INVALID_INPUT', `${name}[${index}] must be a finite number, got ${value}`);
    }
  }
}

/** Throws LENGTH_MISMATCH unless both arrays have the same length. */
export function requireSameLength(
  left: readonly unknown[],
  right: readonly unknown[],
  leftName: string,
  rightName: string,
): void {
  if (left.length !== right.length) {
    throw new StatsError(
      'LENGTH_MISMATCH',
      `${leftName} has ${left.length} values and ${rightName} has ${right.length}; they must pair up`,
    );
  }
}

/** Throws N_LT_2 unless there are at least two values. */
export function requireTwo(values: readonly unknown[], name: string): void {
  if (values.length < 2) {
    throw new StatsError('N_LT_2', `${name} needs at least two values, got ${values.length}`);
  }
}

/** Throws EMPTY unless there is at least one value. */
export function requireSome(values: readonly unknown[], name: string): void {
  if (values.length === 0) throw new StatsError('EMPTY', `${name} holds no data`);
}

/** A table of numbers: EMPTY without rows or columns, LENGTH_MISMATCH when rows differ, INVALID_INPUT if not finite. */
export function requireTable(name: string, table: readonly (readonly number[])[]): void {
  requireSome(table, name);
  const width = table[0]?.length ?? 0;
  if (width === 0) throw new StatsError('EMPTY', `${name} holds no columns`);
  for (const [index, row] of table.entries()) {
    if (row.length !== width) {
      throw new StatsError('LENGTH_MISMATCH', `${name}[${index}] has ${row.length} columns, not ${width}`);
    }
    requireFinite(`${name}[${index}]`, row);
  }
}
