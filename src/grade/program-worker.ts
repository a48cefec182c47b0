/** What the grading thread is asked: call this export of this module with this input. */
export interface ProgramQuestion {
  path: string;
  exportName: string;
  /** File of the TypeScript loader, resolved from this package. */
  loader: string;
  input: unknown;
}

/** What it answers. */
export type ProgramAnswer = { kind: 'value'; value: unknown } | { kind: 'thrown'; message: string };

/**
 * The body of the grading thread, as source text: a thread needs plain JavaScript wherever this package runs from. It
 * only sends back what can be read: the value itself or the four fields of a result.
 */
export const PROGRAM_WORKER = `'use strict';
const { parentPort } = require('node:worker_threads');
const { pathToFileURL } = require('node:url');

const kill = process.kill.bind(process);
process.kill = (pid, signal) => {
  if (signal !== 0 && (pid === 0 || Math.abs(pid) === process.pid)) throw new Error('it sent a signal to the process of Assay itself');
  return kill(pid, signal);
};

function messageOf(error) {
  try {
    return error instanceof Error ? error.message || error.name : String(error);
  } catch {
    return 'something that cannot be shown';
  }
}

async function load(question) {
  if (!/\\.[cm]?tsx?$/.test(question.path)) return import(pathToFileURL(question.path).href);
  const { createJiti } = require(question.loader);
  return createJiti(question.path, { fsCache: false, tsconfigPaths: true }).import(question.path);
}

function readable(value) {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return ['boolean', 'number'].includes(typeof value) ? value : { unreadable: Array.isArray(value) ? 'an array' : value === null ? 'null' : typeof value };
  }
  const result = {};
  for (const key of ['pass', 'passed', 'score', 'reason']) {
    if (value[key] === undefined || value[key] === null) continue;
    const type = typeof value[key];
    result[key] = ['boolean', 'number', 'string'].includes(type) ? value[key] : { unreadable: type };
  }
  return result;
}

parentPort.on('message', async (question) => {
  try {
    const module = await load(question);
    const exported = module[question.exportName] ?? (question.exportName === 'default' ? undefined : module.default?.[question.exportName]);
    if (typeof exported !== 'function') {
      throw new Error('the module has no function ' + JSON.stringify(question.exportName) + '; its exports are ' + (Object.keys(module).join(', ') || 'none'));
    }
    parentPort.postMessage({ kind: 'value', value: readable(await exported(question.input)) });
  } catch (error) {
    parentPort.postMessage({ kind: 'thrown', message: messageOf(error) });
  }
});
`;
