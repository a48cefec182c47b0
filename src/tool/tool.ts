import type { JsonObject, JsonValue } from '../core/index.js';

/** What a tool gave back. */
export interface ToolOutcome {
  ok: boolean;
  /** Output, or the error text when `ok` is false. */
  text: string;
}

/** Where a tool call happens. */
export interface ToolContext {
  /** Absolute path of the trial's workspace, made on first use. */
  workspace(): string;
  signal: AbortSignal | null;
}

/** Something the built-in loop can call. */
export interface Tool {
  name: string;
  description: string;
  /** JSON Schema of the arguments. */
  parameters: JsonObject;
  /** Runs the call. A failure is an outcome; throwing is allowed and recorded as a failure too. */
  execute(input: JsonValue, context: ToolContext): ToolOutcome | Promise<ToolOutcome>;
}
