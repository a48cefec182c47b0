import { AssayError, type ErrorKind } from '../core/index.js';

/** The agent could not finish a turn. `kind` says whose fault it was. */
export class AgentError extends AssayError {
  readonly kind: ErrorKind;

  constructor(kind: ErrorKind, message: string, cause?: unknown) {
    super('AGENT', message, cause === undefined ? {} : { cause });
    this.name = 'AgentError';
    this.kind = kind;
  }
}
