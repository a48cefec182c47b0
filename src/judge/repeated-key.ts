/**
 * True when some object in a valid JSON text has the same key twice. `JSON.parse` keeps the last one without a word, so
 * a reply could say one thing first and another later.
 */
export function repeatsKey(json: string): boolean {
  const objects: (Set<string> | null)[] = [];
  for (let index = 0; index < json.length; index += 1) {
    const character = json.charAt(index);
    if (character === '{') objects.push(new Set());
    else if (character === '[') objects.push(null);
    else if (character === '}' || character === ']') objects.pop();
    else if (character === '"') {
      const end = stringEnd(json, index);
      if (followedByColon(json, end)) {
        const key: unknown = JSON.parse(json.slice(index, end));
        const keys = objects.at(-1);
        if (typeof key === 'string' && keys?.has(key) === true) return true;
        if (typeof key === 'string') keys?.add(key);
      }
      index = end - 1;
    }
  }
  return false;
}

/** The place after the closing quote of the string that opens at `start`. */
function stringEnd(json: string, start: number): number {
  let index = start + 1;
  while (index < json.length && json.charAt(index) !== '"') index += json.charAt(index) === '\\' ? 2 : 1;
  return index + 1;
}

function followedByColon(json: string, place: number): boolean {
  let index = place;
  while (' \t\n\r'.includes(json.charAt(index)) && index < json.length) index += 1;
  return json.charAt(index) === ':';
}
