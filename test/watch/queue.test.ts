import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { enqueue, pendingEdits, removeEdits, sentinelsOf, waitFor } from '../../src/watch/index.js';

function directory(): string {
  const made = mkdtempSync(join(tmpdir(), 'assay-queue-'));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

describe('a burst is over', () => {
  const times = { quietMs: 60, mostMs: 900 };
  const at = (...moments: number[]): { at: number }[] => moments.map((moment) => ({ at: moment }));

  it('when nothing was edited for a while after the last edit', () => {
    expect(waitFor(at(1000), 1000, times)).toBe(60);
    expect(waitFor(at(1000, 1050), 1059, times)).toBe(51);
    expect(waitFor(at(1000, 1050), 1110, times)).toBe(0);
  });

  it('at the latest so long after its first edit', () => {
    expect(waitFor(at(1000, 1890), 1895, times)).toBe(5);
    expect(waitFor(at(1000, 1950), 1950, times)).toBe(0);
  });

  it('although the clock was set back meanwhile', () => {
    expect(waitFor(at(9_000_000), 1000, times)).toBe(60);
  });
});

describe('the queue', () => {
  it('gives edits oldest first, and loses only those that are taken out', async () => {
    const queue = join(directory(), 'pending');
    expect(pendingEdits(queue)).toEqual([]);
    await enqueue(queue, { at: 3000, trigger: '/c', seenBy: 'hook' });
    await enqueue(queue, { at: 1000, trigger: '/a\n', seenBy: 'watch' });
    await enqueue(queue, { at: 2000, trigger: '/b', seenBy: 'hook' });
    const [first, ...others] = pendingEdits(queue);
    expect([first, ...others].map((edit) => edit?.trigger)).toEqual(['/a\n', '/b', '/c']);
    if (first !== undefined) removeEdits(queue, [first]);
    expect(pendingEdits(queue)).toEqual(others);
  });

  it('takes a damaged file for the edit that it is, and other files for none', async () => {
    const queue = directory();
    await enqueue(queue, { at: 5000, trigger: '/a', seenBy: 'hook' });
    const [name = ''] = readdirSync(queue);
    writeFileSync(join(queue, name), '{"at": ');
    writeFileSync(join(queue, '.write.1-1.tmp'), '{}');
    writeFileSync(join(queue, 'notes.json'), '{}');
    expect(pendingEdits(queue)).toMatchObject([{ at: 5000, trigger: 'unknown file' }]);
  });
});

describe('sentinels', () => {
  const place = { root: '/work/project', files: ['/work/project/voice.md'], home: '/home/me' };

  it('are matched by their globs, from the project, the home directory or the root of the disk', () => {
    const { match } = sentinelsOf(
      ['CLAUDE.md', 'prompts/**/*.md', '~/.claude/*.md', '/etc/agent/?.md'],
      place,
    );
    expect(match('/work/project/CLAUDE.md')).toBe('CLAUDE.md');
    expect(match('/work/project/sub/CLAUDE.md')).toBeNull();
    expect(match('/work/project/prompts/a.md')).toBe('prompts/**/*.md');
    expect(match('/work/project/prompts/a/b/c.md')).toBe('prompts/**/*.md');
    expect(match('/work/other/prompts/a.md')).toBeNull();
    expect(match('/home/me/.claude/CLAUDE.md')).toBe('~/.claude/*.md');
    expect(match('/etc/agent/a.md')).toBe('/etc/agent/?.md');
    expect(match('/etc/agent/ab.md')).toBeNull();
    expect(match('/work/project/voice.md')).toBe('/work/project/voice.md');
  });

  it('of the preset lifeos lie anywhere on the disk', () => {
    const { match } = sentinelsOf(['preset:lifeos'], place);
    for (const path of [
      '/home/me/.claude/LIFEOS/LIFEOS_SYSTEM_PROMPT.md',
      '/x/DIGITAL_ASSISTANT/DA_IDENTITY.md',
      '/x/USER/PRINCIPAL/PRINCIPAL_IDENTITY.md',
      '/x/CONFIG/OPERATIONAL_RULES.md',
      '/x/hooks/LoadContext.hook.ts',
      '/anywhere/CLAUDE.md',
    ])
      expect(match(path), path).not.toBeNull();
    for (const path of [
      '/x/MY_CLAUDE.md',
      '/x/CONFIG/sub/OPERATIONAL_RULES.md',
      '/x/hook.ts',
      '/x/CLAUDE.md/y',
    ])
      expect(match(path), path).toBeNull();
  });

  it('are found whichever way a link is named: the project, the file, or where it leads', () => {
    const base = realpathSync(directory());
    mkdirSync(join(base, 'true'));
    mkdirSync(join(base, 'dotfiles'));
    writeFileSync(join(base, 'true/CLAUDE.md'), '');
    writeFileSync(join(base, 'dotfiles/agents'), '');
    symlinkSync('true', join(base, 'link'));
    symlinkSync('../dotfiles/agents', join(base, 'true/AGENTS.md'));
    const globs = ['CLAUDE.md', '**/AGENTS.md'];
    for (const root of [join(base, 'true'), join(base, 'link')]) {
      const { match } = sentinelsOf(globs, { root, files: [], home: base });
      expect(match(join(base, 'true/CLAUDE.md')), root).toBe('CLAUDE.md');
      expect(match(join(base, 'link/CLAUDE.md')), root).toBe('CLAUDE.md');
      expect(match(join(base, 'dotfiles/agents')), root).toBe('**/AGENTS.md');
      expect(match(join(base, 'dotfiles/other')), root).toBeNull();
    }
  });
});
