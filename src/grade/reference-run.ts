import {
  countParameters,
  optional,
  required,
  type CheckParameter,
  type ReferenceRow,
} from './reference-entry.js';

const TOOLS = required('value', 'list of tool names', 'the tools; one name is a list of one');

const PAYLOAD: CheckParameter[] = [
  required('tool', 'tool name', 'whose calls are looked at'),
  required('value', 'text or JSON', 'a text that must occur, or an object or list that must be contained'),
  optional('call_index', 'whole number', '0-based among the calls to that tool; default any call'),
];

const PATH = required('value', 'path', 'relative to the workspace; a path that leaves it never passes');

/** Checks of what the agent did: tools, files, budgets, and programs that look at the result. */
export const runRows: ReferenceRow[] = [
  {
    name: 'tool-used',
    passes: 'every named tool was called at least once; failed calls count',
    parameters: [TOOLS],
    example: { type: 'tool-used', value: ['search'] },
  },
  {
    name: 'tool-not-used',
    passes: 'none of the named tools was called',
    parameters: [TOOLS],
    example: { type: 'tool-not-used', value: ['shell'] },
  },
  {
    name: 'tool-calls',
    passes: 'the number of calls lies within every bound and the expected calls were made',
    notes: [
      'Calls of all turns count.',
      'Expected calls are found in any order, each with a call of its own, others may stand between; with order strict they are the whole sequence.',
      'Expected arguments are a subset of the recorded ones.',
    ],
    parameters: [
      optional('tool', 'tool name', 'counts calls to this tool only'),
      ...countParameters,
      optional('calls', 'list of {tool, arguments}', 'the expected calls'),
      optional('order', 'any or strict', 'whether the expected calls are the whole sequence; default any'),
    ],
    example: { type: 'tool-calls', calls: [{ tool: 'search', arguments: { query: 'weather' } }], max: 3 },
  },
  {
    name: 'tool-arguments',
    passes: 'a call to the tool has arguments that contain the value',
    notes: [
      'An object or list is compared as JSON: every key must be there and match, others may be.',
      'A text is looked for in compact JSON with sorted keys: no space after a colon.',
    ],
    parameters: PAYLOAD,
    example: { type: 'tool-arguments', tool: 'search', value: { query: 'weather' } },
  },
  {
    name: 'tool-results',
    passes: 'a call to the tool has a result that contains the value',
    notes: ['Results are compared after credentials in them were scrubbed.'],
    parameters: PAYLOAD,
    example: { type: 'tool-results', tool: 'search', value: 'sunny' },
  },
  {
    name: 'tools-succeeded',
    passes: '"every tool call succeeded" is as expected; no calls at all count as true',
    parameters: [optional('value', 'true or false', 'the expected answer; default true')],
    example: { type: 'tools-succeeded', value: true },
  },
  {
    name: 'file-exists',
    passes: 'a regular file is there',
    notes: ['Links are followed and must stay in the workspace.'],
    parameters: [PATH],
    example: { type: 'file-exists', value: 'report.md' },
  },
  {
    name: 'file-absent',
    passes: 'nothing at all is there, no directory and no link',
    parameters: [PATH],
    example: { type: 'file-absent', value: 'secrets.txt' },
  },
  {
    name: 'file-contains',
    passes: 'the file can be read as UTF-8 and contains the text',
    notes: [
      'A file that cannot be read fails the check in either polarity; use file-absent for a missing one.',
    ],
    parameters: [
      required('path', 'path', 'relative to the workspace; a path that leaves it never passes'),
      required('value', 'text', 'the text to look for'),
    ],
    example: { type: 'file-contains', path: 'report.md', value: 'Summary' },
  },
  {
    name: 'command',
    passes: 'a program run in the workspace after the agent stopped ends with the wanted exit code',
    notes: [
      'No shell: the program and its arguments are a list.',
      'Standard input is closed; the environment is PATH, LANG, TMPDIR and HOME, which is the workspace.',
      'Running out of time is an error, and ends every process the program started.',
    ],
    parameters: [
      required('value', 'list of texts', 'the program and its arguments'),
      optional('exit_code', 'whole number', 'the wanted exit code; default 0'),
      optional('timeout_ms', 'whole number', 'the time limit; default 60000'),
      optional('stdout_contains', 'text', 'what standard output must contain as well'),
    ],
    example: { type: 'command', value: ['npm', 'test'], exit_code: 0 },
  },
  {
    name: 'program',
    passes: 'a function of a local module says so',
    notes: [
      'It gets {output, turns, toolCalls, usage, parameters} and returns true or false, a number from 0 to 1 (passes at 1) or {pass, score?, reason?}.',
      'It runs in a thread under a time limit; a throw, a time-out or any other answer is an error.',
      'A module is loaded once and asked many times, so it must not keep state.',
    ],
    parameters: [
      required('value', 'path', 'the module, relative to the suite; TypeScript as it is'),
      optional('export', 'name', 'the function; default the default export'),
      optional('timeout_ms', 'whole number', 'the time limit; default 10000'),
      optional('parameters', 'JSON', 'handed to the function'),
    ],
    example: { type: 'program', value: './checks/polite.ts', parameters: { strict: true } },
  },
];
