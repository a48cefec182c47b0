/** True for a path that its words alone keep inside its root: not empty, not absolute, no drive, no `..`. */
export function isSafeRelativePath(path: string): boolean {
  if (path === '' || path.includes('\0')) return false;
  if (/^[/\\]/.test(path) || /^[A-Za-z]:/.test(path)) return false;
  return !path.split(/[/\\]/).includes('..');
}
