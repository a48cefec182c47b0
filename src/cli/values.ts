import { InvalidArgumentError } from 'commander';

/** Gathers the values of a repeatable option. */
export function collect(value: string, earlier: string[] | undefined): string[] {
  return [...(earlier ?? []), value];
}

/** A whole number, 0 or more. */
export function wholeNumber(value: string): number {
  const number = Number(value);
  if (!/^\d+$/.test(value) || !Number.isSafeInteger(number)) {
    throw new InvalidArgumentError('write a whole number, 0 or more');
  }
  return number;
}

/** A whole number, 1 or more. */
export function atLeastOne(value: string): number {
  const number = Number(value);
  if (!/^\d+$/.test(value) || number < 1 || number > 1_000_000) {
    throw new InvalidArgumentError('write a whole number, 1 or more');
  }
  return number;
}

/** A number above 0. */
export function positiveNumber(value: string): number {
  const number = Number(value);
  if (value.trim() === '' || !Number.isFinite(number) || number <= 0) {
    throw new InvalidArgumentError('write a number above 0');
  }
  return number;
}
