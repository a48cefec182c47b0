/** Confidence of every interval unless the caller says otherwise. */
export const DEFAULT_CONFIDENCE = 0.95;

/** Two-sided error rate of a test, and the total error of an anytime-valid method. */
export const DEFAULT_ALPHA = 0.05;

/** Chance of seeing an effect that is there, in planning. */
export const DEFAULT_POWER = 0.8;

/** Both shapes of Jeffreys' prior for a rate. */
export const JEFFREYS = 0.5;

/** Both shapes of the uniform prior for a rate. */
export const UNIFORM = 1;
