/** Levels name an intent; the configuration says which model serves it. */
export const LEVELS = ['low', 'medium', 'high', 'max'] as const;
/** A level's name. */
export type LevelName = (typeof LEVELS)[number];

/** Reasoning efforts that can be asked for. */
export const EFFORTS = ['low', 'medium', 'high', 'xhigh', 'max'] as const;
/** A reasoning effort. */
export type Effort = (typeof EFFORTS)[number];

/** Whether extended thinking is left as the model has it, or switched off. */
export const THINKING = ['default', 'off'] as const;
/** A setting of extended thinking. */
export type Thinking = (typeof THINKING)[number];
