import { isJsonObject } from '../core/index.js';
import type { Tool } from './tool.js';

/** The one tool of replay: gives its `message` back. A missing or wrong argument is a success with `(empty)`. */
export const echoTool: Tool = {
  name: 'echo',
  description: 'Gives the message back.',
  parameters: { type: 'object', properties: { message: { type: 'string' } } },
  execute(input) {
    const message = isJsonObject(input) ? input['message'] : undefined;
    return { ok: true, text: typeof message === 'string' ? message : '(empty)' };
  },
};
