import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);
const LIMIT_MS = 5000;

/** Commit and dirtiness of the working tree a run happens in; null outside of one. */
export async function gitState(cwd: string): Promise<{ commit: string; dirty: boolean } | null> {
  try {
    const options = { cwd, timeout: LIMIT_MS, windowsHide: true };
    const [head, status] = await Promise.all([
      run('git', ['rev-parse', 'HEAD'], options),
      run('git', ['status', '--porcelain', '--untracked-files=no'], options),
    ]);
    return { commit: head.stdout.trim(), dirty: status.stdout.trim() !== '' };
  } catch {
    return null;
  }
}
