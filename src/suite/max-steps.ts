/** Model requests that the built-in loop makes in one turn before it gives up. */
export const DEFAULT_MAX_STEPS = 10;
