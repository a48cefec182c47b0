import { AssayError, quote, type KeyPath } from '../core/index.js';

const PART = /^(?:\.?([A-Za-z_$][\w$-]*)|\[(\d+)\]|\["((?:[^"\\]|\\.)*)"\])/;

/**
 * A key path as people write it: `turns[0].expects`, `response_json["/a/b"]`.
 * @throws AssayError `USAGE`
 */
export function parseKeyPath(written: string): KeyPath {
  const path: (string | number)[] = [];
  let rest = written;
  while (rest !== '') {
    const match = PART.exec(rest);
    if (match === null || (path.length === 0 && rest.startsWith('.'))) {
      throw new AssayError('USAGE', `${quote(written)} is no key path`, {
        fix: 'write keys with dots between them and numbers in brackets: assert[0].value',
      });
    }
    const [whole, name, index, quoted] = match;
    if (name !== undefined) path.push(name);
    else if (index !== undefined) path.push(Number(index));
    else path.push(String(JSON.parse(`"${quoted ?? ''}"`)));
    rest = rest.slice(whole.length);
  }
  if (path.length === 0) {
    throw new AssayError('USAGE', 'a key path must name a key', {
      fix: 'such as threshold or assert[0].value',
    });
  }
  return path;
}
