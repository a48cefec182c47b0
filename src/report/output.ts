/** Where a report goes: standard output, a file, a string. Text arrives in order and in pieces of any size. */
export interface Output {
  write(text: string): void;
}

/** An output that keeps its text. */
export interface StringOutput extends Output {
  /** Everything written so far. */
  text(): string;
}

/** Collects a report in memory. */
export function stringOutput(): StringOutput {
  const pieces: string[] = [];
  return {
    write: (text) => {
      pieces.push(text);
    },
    text: () => pieces.join(''),
  };
}
