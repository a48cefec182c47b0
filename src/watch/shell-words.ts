const PLAIN = /^[A-Za-z0-9_@%+=:,./-]+$/;

function quoted(word: string, windows: boolean): string {
  if (PLAIN.test(word)) return word;
  // Settings files of agents hold one line for a shell; single quotes leave nothing for it to interpret.
  return windows ? `"${word}"` : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** Words as one line for a shell that gives exactly these words back. */
export function shellLine(words: readonly string[], platform: NodeJS.Platform = process.platform): string {
  return words.map((word) => quoted(word, platform === 'win32')).join(' ');
}

/**
 * The words of a line for a shell; null for a line in which a shell would do more than take words apart: variables,
 * several commands, redirections, patterns.
 */
export function shellWords(line: string, platform: NodeJS.Platform = process.platform): string[] | null {
  const words: string[] = [];
  const pattern =
    platform === 'win32'
      ? /\s*((?:[^\s"'|&;<>()$`*?[\]#~!{}%^]|"[^"%]*")+)/y
      : /\s*((?:[A-Za-z0-9_@%+=:,./-]|'[^']*'|\\'|"[^"$`\\!]*")+)/y;
  const text = line.trimEnd();
  let at = 0;
  while (at < text.length) {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    const [whole, word] = match ?? [];
    if (whole === undefined || word === undefined) return null;
    at += whole.length;
    if (at < text.length && !/\s/.test(text.charAt(at))) return null;
    words.push(
      word.replace(
        /'([^']*)'|"([^"]*)"|\\(')/g,
        (_match, single?: string, double?: string, escaped?: string) => single ?? double ?? escaped ?? '',
      ),
    );
  }
  return words.length === 0 ? null : words;
}
