import type { runCommandLine as Run } from '../../src/cli/command-line.js';

let heard: string | null = null;
const write = process.stdout.write.bind(process.stdout);

// The command line takes hold of stdout when it is loaded, so the ear must be there before.
process.stdout.write = (chunk: string | Uint8Array, ...more: unknown[]): boolean => {
  const text = typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('utf8');
  if (heard === null) return write(chunk);
  heard += text;
  const done = more.at(-1);
  if (typeof done === 'function') queueMicrotask(() => void done());
  return true;
};

/** The command line in this process. */
export const runCommandLine: typeof Run = async (words) => {
  const loaded = await import('../../src/cli/command-line.js');
  return loaded.runCommandLine(words);
};

/** What a command prints to stdout, which it must not share with anything else. */
export async function printed(words: readonly string[]): Promise<{ code: number; stdout: string }> {
  heard = '';
  try {
    const code = await runCommandLine(words);
    return { code, stdout: heard };
  } finally {
    heard = null;
  }
}
