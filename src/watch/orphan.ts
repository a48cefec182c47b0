import { isSameProcess } from '../store/index.js';
import { signalGroup } from '../thread/index.js';
import type { LockOwner } from './lock.js';

const GRACE_MS = 5000;
const LOOK_MS = 50;

function pause(ms: number): Promise<void> {
  return new Promise((done) => {
    setTimeout(done, ms);
  });
}

/**
 * Ends the run that a dead owner left behind: its result would be of an older state, and nobody would read it. Only a
 * process that is certainly that run is ended, so nothing is done where the system does not say when processes began.
 * @returns true when there was one
 */
export async function endOrphan(dead: LockOwner | null): Promise<boolean> {
  const child = dead?.child ?? null;
  if (child === null || child.start === null || !isSameProcess(child.pid, child.start)) return false;
  signalGroup(child.pid, 'SIGTERM');
  for (let waited = 0; waited < GRACE_MS; waited += LOOK_MS) {
    if (!isSameProcess(child.pid, child.start)) return true;
    await pause(LOOK_MS);
  }
  signalGroup(child.pid, 'SIGKILL');
  return true;
}
