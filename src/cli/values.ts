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

/** A share, from 0 to 1. */
export function share(value: string): number {
  const number = Number(value);
  if (value.trim() === '' || !(number >= 0 && number <= 1)) {
    throw new InvalidArgumentError('write a number from 0 to 1, such as 0.95');
  }
  return number;
}

/** A share strictly between 0 and 1. */
export function openShare(value: string): number {
  const number = Number(value);
  if (value.trim() === '' || !(number > 0 && number < 1)) {
    throw new InvalidArgumentError('write a share between 0 and 1, such as 0.95');
  }
  return number;
}

/** Whole numbers that grow, parted by commas: `3,10`. */
export function growingNumbers(value: string): number[] {
  const numbers = value.split(',').map(atLeastOne);
  if (numbers.some((number, at) => number <= (numbers[at - 1] ?? 0))) {
    throw new InvalidArgumentError('write whole numbers that grow, such as 3,10');
  }
  return numbers;
}

/** A share of 0 or more and below 1. */
export function shareValue(value: string): number {
  const number = Number(value);
  if (value.trim() === '' || !(number >= 0 && number < 1)) {
    throw new InvalidArgumentError('write a share, 0 or more and below 1: 0.05 is 5 points');
  }
  return number;
}

/** Seconds, 0 or more; parts of a second are allowed. */
export function secondsValue(value: string): number {
  const number = Number(value);
  if (value.trim() === '' || !Number.isFinite(number) || number < 0) {
    throw new InvalidArgumentError('write seconds, 0 or more, such as 12 or 0.5');
  }
  return number;
}

const WEIGHTS = ['quality', 'cost', 'latency'] as const;

/** Weights of a choice between arms: `quality=50,cost=25,latency=25`; one that is not named weighs nothing. */
export function weightsValue(value: string): { quality: number; cost: number; latency: number } {
  const weights = { quality: 0, cost: 0, latency: 0 };
  const seen = new Set<string>();
  for (const part of value.split(',')) {
    const [name, number, ...more] = part.split('=').map((word) => word.trim());
    const known = WEIGHTS.find((one) => one === name);
    const weight = Number(number);
    const good = known !== undefined && number !== '' && Number.isFinite(weight) && weight >= 0;
    if (!good || more.length > 0 || seen.has(known)) {
      throw new InvalidArgumentError('write weights of 0 or more, such as quality=50,cost=25,latency=25');
    }
    seen.add(known);
    weights[known] = weight;
  }
  return weights;
}
