import { quote } from '../core/index.js';

const LONGEST_PATH = 1024;
/** Most bytes that file systems take for one name. */
const LONGEST_NAME = 255;
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/;
// Lone halves of characters, marks that turn the direction of writing, and characters nobody sees.
const INVISIBLE = /[\p{Cs}\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]/u;
const SEPARATORS = /[\\/]/;
/** Names that are devices on Windows, whatever their ending. */
const DEVICE = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)(?:\.|$)/i;

/** A path that would leave the workspace, or that no confined tool may touch. */
export class ConfinementError extends Error {
  constructor(path: string, why: string) {
    super(`${quote(path.length > 100 ? `${path.slice(0, 100)}…` : path)} ${why}`);
    this.name = 'ConfinementError';
  }
}

function nameFault(name: string): string | null {
  if (name === '..') return 'leaves the workspace';
  if (Buffer.byteLength(name, 'utf8') > LONGEST_NAME) return 'has a name that is too long';
  // Windows drops these, so that the file would be another one there.
  if (/[. ]$/.test(name)) return 'has a name that ends in a dot or a space';
  if (DEVICE.test(name)) return 'is the name of a device';
  return null;
}

/** What is wrong with a path by its words alone; null when nothing is. */
function pathFault(path: string): string | null {
  if (path === '') return 'is empty';
  if (path.length > LONGEST_PATH) return 'is too long';
  if (CONTROL.test(path)) return 'holds control characters';
  if (INVISIBLE.test(path)) return 'holds invisible characters';
  if (/^[A-Za-z]:/.test(path) || /^[\\/~]/.test(path)) return 'must be relative to the workspace';
  // The parts are looked at first: a way out is told as one.
  if (path.split(SEPARATORS).includes('..')) return 'leaves the workspace';
  if (path.includes('\\')) return 'holds a backslash; separate names with /';
  const alike = path.normalize('NFKC');
  if (
    alike.split(SEPARATORS).includes('..') ||
    alike.split(SEPARATORS).length !== path.split(SEPARATORS).length
  ) {
    return 'holds a character that looks like . or /';
  }
  return null;
}

/**
 * The names of a workspace path, from the top: relative, without `..`, and nothing in it that another system would read
 * as something else. `.` and empty names are left out, so the workspace itself is an empty list.
 * @throws ConfinementError
 */
export function workspaceNames(path: string): string[] {
  const fault = pathFault(path);
  if (fault !== null) throw new ConfinementError(path, fault);
  const names = path.split('/').filter((name) => name !== '' && name !== '.');
  for (const name of names) {
    const wrong = nameFault(name);
    if (wrong !== null) throw new ConfinementError(path, wrong);
  }
  return names;
}

/** A name as file systems that ignore case and form compare it. */
export function foldedName(name: string): string {
  return name.normalize('NFKC').toUpperCase().toLowerCase();
}
