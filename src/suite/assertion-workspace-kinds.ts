import { z } from 'zod';
import { LONGEST_TIMEOUT_MS } from './assertion-json-kinds.js';
import { assertionKind, named } from './assertion-kind.js';
import { labelText, labelTexts, type CheckMaker } from './check-maker.js';
import { text } from './assertion-text.js';
import { isSafeRelativePath } from '../core/index.js';

const workspacePath = text.describe('Path in the workspace of the trial.');

function workspaceFile(path: string, key: string, maker: CheckMaker): string | null {
  if (isSafeRelativePath(path) && path.split(/[/\\]/).some((part) => part !== '' && part !== '.'))
    return path;
  return maker.refuse(
    key,
    `${JSON.stringify(path)} is not a path inside the workspace`,
    'write a relative path without ..',
  );
}

/** `file-exists`: a file is in the workspace. */
export const fileExistsKind = assertionKind(
  'file-exists',
  z.strictObject({ ...named('file-exists'), value: workspacePath }),
  (assertion, maker) => {
    const path = workspaceFile(assertion.value, 'value', maker);
    return path === null
      ? null
      : { ...maker.base('side_effect', labelText(path)), type: 'file-exists', path };
  },
);

/** `file-absent`: nothing is at a path of the workspace. */
export const fileAbsentKind = assertionKind(
  'file-absent',
  z.strictObject({ ...named('file-absent'), value: workspacePath }),
  (assertion, maker) => {
    const path = workspaceFile(assertion.value, 'value', maker);
    return path === null
      ? null
      : { ...maker.base('side_effect', labelText(path)), type: 'file-absent', path };
  },
);

/** `file-contains`: a file of the workspace contains a text. */
export const fileContainsKind = assertionKind(
  'file-contains',
  z.strictObject({
    ...named('file-contains'),
    path: workspacePath,
    value: text.describe('Text that must occur in the file.'),
  }),
  (assertion, maker) => {
    const path = workspaceFile(assertion.path, 'path', maker);
    if (path === null) return null;
    const needle = assertion.value;
    if (needle === '') {
      return maker.refuse(
        'value',
        'an empty text occurs everywhere, so it tests nothing',
        'write the text to look for, or use file-exists',
      );
    }
    return { ...maker.base('side_effect', labelTexts([path, needle])), type: 'file-contains', path, needle };
  },
);

/** Milliseconds a command may take when the suite does not say. */
const COMMAND_TIMEOUT_MS = 60_000;

/** `command`: a program run in the workspace ends with an exit code. */
export const commandKind = assertionKind(
  'command',
  z.strictObject({
    ...named('command'),
    value: z
      .array(text)
      .describe('Program and arguments, run in the workspace after the agent stopped, without a shell.'),
    exit_code: z.int().min(0).max(255).default(0),
    timeout_ms: z.int().min(1).max(LONGEST_TIMEOUT_MS).default(COMMAND_TIMEOUT_MS),
    stdout_contains: text.optional().describe('Text its output must contain as well.'),
  }),
  (assertion, maker) => {
    const { value, stdout_contains: stdoutContains } = assertion;
    if ((value[0] ?? '').trim() === '') {
      return maker.refuse('value', 'names no program', 'write the program and its arguments as a list');
    }
    if (stdoutContains === '')
      return maker.refuse('stdout_contains', 'must not be empty', 'write the text, or remove the key');
    const code = assertion.exit_code === 0 ? '' : `, exit ${assertion.exit_code}`;
    const output = stdoutContains === undefined ? '' : `, ${labelText(stdoutContains)}`;
    return {
      ...maker.base('side_effect', `${labelText(value.join(' '))}${code}${output}`),
      type: 'command',
      command: value,
      exitCode: assertion.exit_code,
      timeoutMs: assertion.timeout_ms,
      ...(stdoutContains === undefined ? {} : { stdoutContains }),
    };
  },
);
