/** The answer that a child process stores for a case. */
export function answerOf(caseId: string): string;
