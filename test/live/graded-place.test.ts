import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../src/core/index.js';
import { at, run, workplace } from './support.js';

const CHECK =
  "import { readFileSync } from 'node:fs'; process.exit(readFileSync('answer.txt', 'utf8') === '42' ? 0 : 1);";

/** A suite of one case whose agent is a function that does what `body` says in its workspace. */
function suite(more: JsonObject): string {
  return JSON.stringify({
    agent: { module: 'agent.mjs' },
    trials: 1,
    gate: 'all',
    cases: [{ id: 'one', prompt: 'go', ...more }],
  });
}

function agent(body: string): string {
  return `
    import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
    import { spawn } from 'node:child_process';
    import { dirname, join } from 'node:path';
    import { fileURLToPath } from 'node:url';
    const suite = dirname(fileURLToPath(import.meta.url));
    export default async ({ workspace }) => {
      const at = (path) => join(workspace, path);
      ${body}
      return 'ok';
    };
  `;
}

const RUN_CHECK = { type: 'command', value: ['node', 'check.mjs'] };

async function grade(body: string, more: JsonObject, ...words: string[]) {
  const place = workplace({ 'agent.mjs': agent(body), 's.yaml': suite(more) });
  const ended = await run(place, ['s.yaml', '--json', ...words]);
  const journal = [...readdirSync(join(place.root, '.assay/runs/s'), { withFileTypes: true })].find((entry) =>
    entry.isDirectory(),
  );
  const path = join(place.root, '.assay/runs/s', journal?.name ?? '', 'journal.jsonl');
  const line = readFileSync(path, 'utf8')
    .split('\n')
    .find((text) => text.startsWith('{"type":"trial"'));
  const trial: JsonValue = JSON.parse(line ?? 'null');
  const asserts = at(trial, 'asserts');
  const tampered = Array.isArray(asserts)
    ? asserts.find((check) => at(check, 'type') === 'tampered')
    : undefined;
  return { place, ended, trial, tampered };
}

describe('the files of the graders', () => {
  const files = { grader_files: { 'check.mjs': CHECK }, assert: [RUN_CHECK] };

  it('enter only after the agent has stopped, beside what it made', async () => {
    const { ended, tampered } = await grade(
      "if (existsSync(at('check.mjs'))) throw new Error('seen'); writeFileSync(at('answer.txt'), '42');",
      files,
    );
    expect(ended.code, ended.stdout).toBe(0);
    expect(tampered).toMatchObject({
      outcome: 'pass',
      category: 'tampered',
      label: 'grader_files_untouched',
    });
  });

  it('judge the work: a wrong answer fails, and is no tampering', async () => {
    const { ended, tampered, trial } = await grade("writeFileSync(at('answer.txt'), '41');", files);
    expect(ended.code).toBe(1);
    expect(at(trial, 'status')).toBe('failed');
    expect(tampered).toMatchObject({ outcome: 'pass' });
  });

  it.each([
    [
      'puts a test of its own there',
      "writeFileSync(at('check.mjs'), 'process.exit(0)')",
      'was put there by the agent',
    ],
    ['makes a directory of it', "mkdirSync(at('check.mjs'))", 'was put there by the agent'],
    ['puts a link there', "symlinkSync('/dev/null', at('check.mjs'))", 'was put there by the agent'],
  ])(
    'count as tampered with when the agent %s, and are the real ones all the same',
    async (_name, body, said) => {
      const { ended, tampered, trial } = await grade(
        `${body}; writeFileSync(at('answer.txt'), '42');`,
        files,
      );
      expect(ended.code).toBe(1);
      expect(tampered).toMatchObject({ outcome: 'fail', required: true });
      expect(at(tampered, 'reason')).toBe(`"check.mjs" ${said}`);
      // The graders' own check ran, and passed: the trial fails for the tampering alone.
      expect(at(trial, 'asserts', 0, 'outcome')).toBe('pass');
      // A missed required check takes the whole score.
      expect(at(trial, 'score')).toBe(0);
      expect(at(trial, 'status')).toBe('failed');
    },
  );

  it.each([
    ['changes', "writeFileSync(at('tests/check.mjs'), 'process.exit(0)')", 'was changed'],
    ['removes', "rmSync(at('tests'), { recursive: true })", 'was removed'],
    ['hides', "renameSync(at('tests'), at('old')); symlinkSync('old', at('tests'))", 'was changed'],
    ['leaves alone', '', null],
  ])('that the agent was shown may be seen: it %s them', async (_name, body, said) => {
    const shown = {
      setup: { workspace_files: { 'tests/check.mjs': 'process.exit(1)' } },
      grader_files: { './tests/check.mjs': CHECK },
      assert: [{ type: 'command', value: ['node', 'tests/check.mjs'] }],
    };
    const { ended, tampered } = await grade(`writeFileSync(at('answer.txt'), '42'); ${body};`, shown);
    expect(ended.code).toBe(said === null ? 0 : 1);
    expect(at(tampered, 'reason')).toBe(
      said === null ? '1 file of the graders as they were' : `"./tests/check.mjs" ${said}`,
    );
  });

  it('are looked at again after the checks: what the agent left may change them while it is run', async () => {
    const check =
      "await import('./helper.mjs'); const { readFileSync } = await import('node:fs'); process.exit(0);";
    const { ended, tampered } = await grade(
      "writeFileSync(at('helper.mjs'), \"import { writeFileSync } from 'node:fs'; writeFileSync('check.mjs', '')\");",
      { grader_files: { 'check.mjs': check }, assert: [RUN_CHECK] },
    );
    expect(ended.code).toBe(1);
    expect(at(tampered, 'reason')).toBe('"check.mjs" was changed');
  });

  it('beside the suite are watched too, when the agent can reach them', async () => {
    const body = "writeFileSync(join(suite, 'golden.txt'), 'ok');";
    const more = { assert: [{ type: 'matches-file', value: 'golden.txt' }] };
    const place = workplace({ 'agent.mjs': agent(body), 's.yaml': suite(more), 'golden.txt': 'right\n' });
    const ended = await run(place, ['s.yaml', '--json']);
    expect(ended.code).toBe(1);
    expect(ended.stdout).toContain('\\"golden.txt\\" was changed');
  });

  it('may be rewritten by the run itself with --update', async () => {
    const more = { assert: [{ type: 'matches-file', value: 'golden.txt' }] };
    const place = workplace({ 'agent.mjs': agent(''), 's.yaml': suite(more), 'golden.txt': 'wrong\n' });
    expect((await run(place, ['s.yaml', '--update'])).code).toBe(0);
    expect(readFileSync(join(place.root, 'golden.txt'), 'utf8')).toBe('ok\n');
  });

  it('come from beside the suite where they are long', async () => {
    const more = { grader_files: { 'check.mjs': { file: 'hidden.mjs' } }, assert: [RUN_CHECK] };
    const body = "writeFileSync(at('answer.txt'), '42');";
    const place = workplace({ 'agent.mjs': agent(body), 's.yaml': suite(more), 'hidden.mjs': CHECK });
    expect((await run(place, ['s.yaml'])).code).toBe(0);
  });
});

describe('checks of the workspace', () => {
  it('look at a copy made once the agent has stopped: what it left running changes nothing any more', async () => {
    const body = `
      writeFileSync(at('answer.txt'), '41');
      spawn(process.execPath, ['-e', \`
        const { writeFileSync } = require('node:fs');
        setInterval(() => { try { writeFileSync(process.argv[1], '42') } catch { process.exit() } }, 5);
        setTimeout(() => process.exit(), 4000);
      \`, at('later.txt')], { stdio: 'ignore', detached: true }).unref();
    `;
    const slow =
      "import { existsSync } from 'node:fs'; const first = existsSync('later.txt'); await new Promise((done) => setTimeout(done, 700)); process.exit(existsSync('later.txt') === first ? 0 : 1);";
    const { ended } = await grade(body, {
      grader_files: { 'slow.mjs': slow },
      assert: [{ type: 'command', value: ['node', 'slow.mjs'] }],
    });
    expect(ended.code, ended.stdout).toBe(0);
  });

  it('never follow a link that the agent planted to somewhere outside', async () => {
    const { ended, trial } = await grade(
      "symlinkSync('/etc', at('etc')); symlinkSync('/etc/hostname', at('host.txt')); writeFileSync(at('real.txt'), 'x'); symlinkSync(at('real.txt'), at('inner.txt'));",
      {
        assert: [
          { type: 'file-exists', value: 'etc/hostname' },
          { type: 'file-exists', value: 'host.txt' },
          { type: 'file-exists', value: 'inner.txt' },
          { type: 'not-file-exists', value: 'host.txt' },
        ],
      },
    );
    expect(ended.code).toBe(1);
    expect(at(trial, 'asserts', 0, 'outcome')).toBe('fail');
    expect(at(trial, 'asserts', 1, 'reason')).toContain('path escapes workspace');
    // A link inside the workspace leads into the copy.
    expect(at(trial, 'asserts', 2, 'outcome')).toBe('pass');
  });

  it('work on what the agent closed to us, and everything is removed all the same', async () => {
    const { ended, place } = await grade(
      "mkdirSync(at('closed')); writeFileSync(at('closed/a.txt'), 'x'); chmodSync(at('closed/a.txt'), 0); chmodSync(at('closed'), 0);",
      { assert: [{ type: 'file-exists', value: 'closed/a.txt' }] },
    );
    expect(ended.code, ended.stdout).toBe(0);
    expect(readdirSync(place.tmp).filter((name) => name.startsWith('assay-'))).toEqual([]);
  });

  it('see the files of the case although the agent touched none', async () => {
    const { ended } = await grade('', {
      setup: { workspace_files: { 'a.txt': 'x' } },
      assert: [{ type: 'file-contains', path: 'a.txt', value: 'x' }],
    });
    expect(ended.code, ended.stdout + ended.stderr).toBe(0);
  });
});
