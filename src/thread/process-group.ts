import { spawn, type ChildProcess } from 'node:child_process';

const live = new Set<number>();
let guarded = false;

/**
 * Sends a signal to a process and everything it started. Says nothing when they are gone already.
 * On Windows, where there are no process groups, the tree is ended by the system's own tool, always by force.
 */
export function signalGroup(leader: number, signal: NodeJS.Signals): void {
  if (process.platform === 'win32') {
    spawn('taskkill', ['/pid', String(leader), '/T', '/F'], { stdio: 'ignore', windowsHide: true }).on(
      'error',
      () => undefined,
    );
    return;
  }
  try {
    process.kill(-leader, signal);
  } catch {
    // Already gone.
  }
}

/**
 * Remembers a child that leads its own process group, so that it does not outlive this process: such a child does not
 * get the terminal's Ctrl-C. Returns a function that forgets it.
 */
export function guardGroup(child: ChildProcess): () => void {
  const { pid } = child;
  if (pid === undefined) return () => undefined;
  live.add(pid);
  if (!guarded) {
    guarded = true;
    process.on('exit', () => {
      for (const leader of live) signalGroup(leader, 'SIGKILL');
    });
  }
  return () => {
    live.delete(pid);
  };
}
