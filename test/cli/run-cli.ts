import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

/** The built command line; `npm test` builds it first. */
export const CLI: string = resolve(import.meta.dirname, '../../dist/cli/main.js');

/** How a command line ended. */
export interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

/** Variables a test process gets: none of the developer's own settings. */
export function cleanEnvironment(extra: Record<string, string> = {}): Record<string, string> {
  return { PATH: process.env['PATH'] ?? '', HOME: join(tmpdir(), 'assay-no-home'), NO_COLOR: '1', ...extra };
}

/** Runs the command line in a directory and waits for its end. */
export function assay(
  cwd: string,
  words: readonly string[],
  options: {
    environment?: Record<string, string>;
    onStart?: (pid: number, kill: (signal: NodeJS.Signals) => void) => void;
    onStderr?: (text: string) => void;
  } = {},
): Promise<Ended> {
  return new Promise((done, failed) => {
    const child = spawn(process.execPath, [CLI, ...words], {
      cwd,
      env: cleanEnvironment(options.environment),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
      options.onStderr?.(text);
    });
    child.on('error', failed);
    child.on('close', (code, signal) => done({ code, signal, stdout, stderr }));
    if (child.pid !== undefined) options.onStart?.(child.pid, (signal) => child.kill(signal));
  });
}

/** A temporary project: files by path. */
export interface Project {
  root: string;
  write: (path: string, content: unknown) => void;
  remove: () => void;
}

/** Makes a temporary directory with files in it; objects are written as JSON. */
export function project(files: Record<string, unknown> = {}): Project {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'assay-test-')));
  const write = (path: string, content: unknown): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), typeof content === 'string' ? content : JSON.stringify(content, null, 2));
  };
  for (const [path, content] of Object.entries(files)) write(path, content);
  return { root, write, remove: () => rmSync(root, { recursive: true, force: true }) };
}

/** A fixture that echoes a word, and passes. */
export function echoFixture(name: string, changes: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    model_name: name,
    turns: [
      {
        user_input: 'Echo alpha.',
        steps: [
          {
            response: {
              type: 'tool_calls',
              tool_calls: [{ id: 'c1', name: 'echo', arguments: { message: 'alpha' } }],
            },
          },
          { response: { type: 'text', content: 'Echoed: alpha' } },
        ],
      },
    ],
    expects: { response_contains: ['alpha'], exact_tool_calls: 1 },
    ...changes,
  };
}

/** A fixture whose answer is not the expected one. */
export function failingFixture(name: string): Record<string, unknown> {
  return echoFixture(name, { expects: { response_contains: ['omega'] } });
}
