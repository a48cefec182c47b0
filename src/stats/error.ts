/** Every code a StatsError can carry, with its meaning. */
export const statsErrorCodes = {
  N_LT_1: 'no scored trials',
  N_LT_2: 'needs at least two values',
  C_OUT_OF_RANGE: 'passes below 0 or above n',
  K_LT_1: 'k below 1',
  K_GT_N: 'k larger than the number of scored trials',
  NOT_INTEGER: 'non-integer count',
  LENGTH_MISMATCH: 'paired arrays differ in length',
  CLUSTERS_LT_2: 'fewer than two clusters',
  UNEQUAL_RATERS: 'rows with different rater counts',
  RATERS_LT_2: 'fewer than two raters',
  NO_PAIRABLE_VALUES: 'no unit has two ratings',
  MISSING_CLASS: 'gold set lacks passes or lacks fails',
  JUDGE_NOT_BETTER_THAN_CHANCE: 'sensitivity + specificity <= 1',
  NOT_STRONGLY_CONNECTED: 'the Bradley-Terry maximum does not exist',
  NOT_A_STOPPING_POINT: 'counts are not a stopping point of the rule',
  EMPTY: 'no data',
  INVALID_INPUT: 'unknown, missing or mistyped input, or a value outside its domain',
} as const;

/** The code of a StatsError. */
export type StatsErrorCode = keyof typeof statsErrorCodes;

/** A statistic was asked for on input it is not defined for. The message names the input and what is allowed. */
export class StatsError extends Error {
  readonly code: StatsErrorCode;

  constructor(code: StatsErrorCode, message: string) {
    super(message);
    this.name = 'StatsError';
    this.code = code;
  }
}
