import { basename, isAbsolute, relative, win32 } from 'node:path';

/** True for a path that says where on a machine something lies. */
function isHostPath(text: string): boolean {
  return isAbsolute(text) || win32.isAbsolute(text) || /^(?:~|\.{1,2})(?:[/\\]|$)/.test(text);
}

function lastName(path: string): string {
  return basename(path.replaceAll('\\', '/'));
}

/**
 * A model as history names it: paths of machines lose their directories, addresses lose user, path and query.
 * `module:/home/me/agent.mjs` becomes `module:agent.mjs`.
 */
export function portableReference(reference: string): string {
  const address = /^(.*?)([a-z][a-z0-9+.-]*):\/\/([^/?#\s]*)/i.exec(reference);
  if (address !== null) {
    const [, before = '', scheme = '', authority = ''] = address;
    return `${before}${scheme}://${authority.slice(authority.lastIndexOf('@') + 1)}`;
  }
  const path = /^(.*?[:@=]|)((?:[/\\~]|\.{1,2}[/\\]|[A-Za-z]:[/\\]).*)$/s.exec(reference);
  return path === null ? reference : `${path[1] ?? ''}${lastName(path[2] ?? '')}`;
}

/** A suite's directory or file relative to the working directory; only its last name when it lies elsewhere. */
export function portableDirectory(path: string, cwd: string): string {
  const from = relative(cwd, path);
  if (from === '') return lastName(path);
  return isHostPath(from) || from.startsWith('..') ? lastName(path) : from.replaceAll('\\', '/');
}
