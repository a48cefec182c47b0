import { AssayError } from '../core/index.js';

/** What gives a trial its tools broke: the trial's surroundings failed, not its agent. */
export class ToolSourceError extends AssayError {
  constructor(message: string, fix = '', cause?: unknown) {
    super('AGENT', message, { fix, ...(cause === undefined ? {} : { cause }) });
    this.name = 'ToolSourceError';
  }
}
