/** Offset of the first character of the line that holds `offset`. */
export function lineStart(text: string, offset: number): number {
  return text.lastIndexOf('\n', offset - 1) + 1;
}

/** Offset just behind the line that ends what ends at `offset`; what ends with a line feed ends its line itself. */
export function lineEnd(text: string, offset: number): number {
  if (offset > 0 && text[offset - 1] === '\n') return offset;
  const end = text.indexOf('\n', offset);
  return end < 0 ? text.length : end + 1;
}

/** Columns from the start of its line to `offset`, 0-based. */
export function columnOf(text: string, offset: number): number {
  return offset - lineStart(text, offset);
}

/** The text with the stretch from `start` to `end` replaced. */
export function spliced(text: string, start: number, end: number, replacement: string): string {
  return text.slice(0, start) + replacement + text.slice(end);
}

/** Every line that is not blank moved by so many columns. */
export function shifted(block: string, columns: number): string {
  return block
    .split('\n')
    .map((line) => {
      if (line.trim() === '' || columns === 0) return line;
      if (columns > 0) return ' '.repeat(columns) + line;
      const indent = line.length - line.trimStart().length;
      return line.slice(Math.min(indent, -columns));
    })
    .join('\n');
}
