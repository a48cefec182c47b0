const OTHERS = new Set(['install', 'uninstall', 'doctor', 'log', 'work', 'help']);

/** True for the line that an agent runs after an edit, `assay hook --…`: the agent never hears of a failure. */
export function isHookCall(words: readonly string[]): boolean {
  const [first, second] = words;
  return first === 'hook' && (second?.startsWith('-') ?? true) && !words.some((word) => OTHERS.has(word));
}
