/** Ends a command with an exit code after it has said what there is to say. */
export class ExitCode extends Error {
  readonly code: number;

  constructor(code: number) {
    super(`exit ${code}`);
    this.name = 'ExitCode';
    this.code = code;
  }
}
