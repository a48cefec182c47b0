import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isSameProcess } from '../../src/store/index.js';
import { enqueue, lockOwner } from '../../src/watch/index.js';
import {
  configured,
  entries,
  hook,
  lockOwners,
  payload,
  readTexts,
  settled,
  start,
  until,
  waiting,
} from './support.js';

describe('a burst of edits', () => {
  it('across several hook processes is tested once, in its final state', async () => {
    const made = configured({ quiet_secs: 15 });
    const states = ['no', 'still no', 'nearly', 'almost', 'yes please: final'];
    const edit = (text: string): Promise<unknown> => {
      writeFileSync(join(made.root, 'CLAUDE.md'), text);
      return hook(made, payload(made, 'CLAUDE.md'));
    };
    await Promise.all(states.slice(0, 2).map(edit));
    // The process that waits is there by now; the burst goes on.
    await until('somebody waits', () => lockOwners(made.root).length > 0);
    for (const text of states.slice(2)) await edit(text);
    expect(entries(made, 'queued')).toHaveLength(states.length);
    await settled(made);
    expect(entries(made, 'run')).toMatchObject([
      { edits: states.length, passed: true, triggers: [join(made.root, 'CLAUDE.md')] },
    ]);
    expect(readTexts(made)).toEqual(['yes please: final', 'yes please: final']);
  });

  it('that never ends is tested all the same, and its last edit too', async () => {
    const made = configured({ quiet_secs: 5, max_wait_secs: 5 });
    let edits = 0;
    while (entries(made, 'run').length === 0 && edits < 60) {
      await hook(made, payload(made, 'CLAUDE.md'));
      edits += 1;
    }
    writeFileSync(join(made.root, 'CLAUDE.md'), 'yes please: last');
    await hook(made, payload(made, 'CLAUDE.md'));
    await settled(made);
    expect(entries(made, 'run').length).toBeGreaterThan(1);
    expect(readTexts(made).at(-1)).toBe('yes please: last');
  });
});

describe('an edit while a run goes on', () => {
  it('is tested by one more run and by no second one at the same time', async () => {
    const made = configured();
    writeFileSync(join(made.root, 'CLAUDE.md'), 'yes please wait:go');
    await hook(made, payload(made, 'CLAUDE.md'));
    await until('the agent is asked', () => readTexts(made).length > 0);
    writeFileSync(join(made.root, 'CLAUDE.md'), 'yes please again');
    await Promise.all([1, 2, 3].map(() => hook(made, payload(made, 'CLAUDE.md'))));
    expect(entries(made, 'run')).toEqual([]);
    expect(waiting(made)).toHaveLength(4);
    writeFileSync(join(made.root, 'go'), '');
    await settled(made);
    expect(entries(made, 'run')).toMatchObject([{ edits: 1 }, { edits: 3 }]);
    expect(readTexts(made).at(-1)).toBe('yes please again');
    expect(lockOwners(made.root)).toHaveLength(1);
  });

  it('is left to the process that is at work, and that is noted', async () => {
    const made = configured();
    writeFileSync(join(made.root, 'CLAUDE.md'), 'yes please wait:go');
    await hook(made, payload(made, 'CLAUDE.md'));
    await until('the agent is asked', () => readTexts(made).length > 0);
    const second = await start(made, ['hook', 'work'], { input: '' }).ended;
    expect(second.code).toBe(0);
    const [owner] = lockOwners(made.root);
    expect(entries(made, 'skip-locked')).toMatchObject([
      {
        trigger: join(made.root, 'CLAUDE.md'),
        reason: expect.stringContaining(`process ${String(owner?.['pid'])} `),
      },
    ]);
    writeFileSync(join(made.root, 'go'), '');
    await settled(made);
    expect(entries(made, 'run')).toHaveLength(1);
  });
});

describe('when the process that tests is killed', () => {
  it('its run is ended, and the next edit tests both', async () => {
    const made = configured();
    writeFileSync(join(made.root, 'CLAUDE.md'), 'yes please wait:never');
    await hook(made, payload(made, 'CLAUDE.md'));
    await until('the agent is asked', () => readTexts(made).length > 0);
    await until('the run is noted', () => lockOwners(made.root).at(-1)?.['child'] !== null);
    const owner = lockOwners(made.root).at(-1);
    const child = (owner?.['child'] as { pid: number } | undefined)?.pid ?? 0;
    process.kill(Number(owner?.['pid']), 'SIGKILL');
    writeFileSync(join(made.root, 'CLAUDE.md'), 'yes please now');
    await hook(made, payload(made, 'CLAUDE.md'));
    await settled(made);
    expect(entries(made, 'run')).toMatchObject([{ edits: 2, passed: true }]);
    expect(readTexts(made).at(-1)).toBe('yes please now');
    if (process.platform === 'linux') {
      expect(isSameProcess(child, null)).toBe(false);
      expect(entries(made, 'error')).toMatchObject([{ error: expect.stringContaining('was ended') }]);
    }
  });

  it('what waits is tested by assay hook work', async () => {
    const made = configured({ quiet_secs: 3600, max_wait_secs: 3600 });
    await hook(made, payload(made, 'CLAUDE.md'));
    await until('somebody waits', () => lockOwners(made.root).length > 0);
    process.kill(Number(lockOwners(made.root).at(-1)?.['pid']), 'SIGKILL');
    made.write('assay.config.json', {
      eval: { config_change_suite: 's' },
      config_change: { quiet_secs: 0, notify: { desktop: false } },
    });
    const ended = await start(made, ['hook', 'work'], { input: '' }).ended;
    expect(ended).toMatchObject({ code: 0, stdout: expect.stringContaining('good: pass^k 100%') });
    expect(entries(made, 'run')).toHaveLength(1);
  });

  it('before anybody was told, it is told by the next one', async () => {
    const made = configured({
      notify: {
        desktop: false,
        // Kills the process that tests, the first time it is to tell something.
        command: [process.execPath, 'tell.mjs'],
      },
    });
    made.write(
      'tell.mjs',
      `import { existsSync, writeFileSync } from 'node:fs';
       const again = existsSync('told-once');
       writeFileSync(again ? 'told-twice' : 'told-once', '');
       if (!again) process.kill(process.ppid, 'SIGKILL');`,
    );
    made.write('CLAUDE.md', 'nothing good');
    await hook(made, payload(made, 'CLAUDE.md'));
    await until('it is killed', () => existsSync(join(made.root, 'told-once')));
    await until('nobody is at work', () => lockOwner(join(made.root, '.assay/config-change/lock')) === null);
    expect(entries(made, 'notify')).toEqual([]);
    await start(made, ['hook', 'work'], { input: '' }).ended;
    expect(existsSync(join(made.root, 'told-twice'))).toBe(true);
    expect(entries(made, 'notify')).toMatchObject([{ delivery: { command: 'sent' } }]);
    expect(waiting(made)).toEqual([]);
  });

  it('a line of the log that was cut off does not swallow the next', async () => {
    const made = configured();
    made.write(
      '.assay/config-change/config-eval-fires.jsonl',
      '{"ts":"2026-01-01T00:00:00.000Z","event":"ru',
    );
    await hook(made, payload(made, 'README.md'));
    const lines = readFileSync(join(made.root, '.assay/config-change/config-eval-fires.jsonl'), 'utf8')
      .trimEnd()
      .split('\n');
    expect(lines).toHaveLength(2);
    expect(JSON.parse(lines[1] ?? '')).toMatchObject({ event: 'skip-not-sentinel' });
  });
});

it('an edit from before the clock was set back is tested all the same', async () => {
  const made = configured({ quiet_secs: 0.2, max_wait_secs: 1 });
  const at = Date.now() + 3_600_000;
  await enqueue(join(made.root, '.assay/config-change/pending'), {
    at,
    trigger: join(made.root, 'CLAUDE.md'),
    seenBy: 'hook',
  });
  await start(made, ['hook', 'work'], { input: '' }).ended;
  expect(entries(made, 'run')).toMatchObject([{ edits: 1 }]);
  expect(waiting(made)).toEqual([]);
});
