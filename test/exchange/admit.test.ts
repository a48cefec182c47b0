import { describe, expect, it } from 'vitest';
import { admitImported, type TableRow } from '../../src/exchange/index.js';

const OPTIONS = { cwd: '/nowhere' };
const GOOD = { id: 'good', prompt: 'x', assert: [{ type: 'contains', value: 'y' }] };

describe('An imported suite', () => {
  it('is written without the cases that would not load, and they are listed', () => {
    const rows: TableRow[] = [];
    const suite = { name: 's', cases: [GOOD, { id: 'bad', prompt: '', assert: [] }] };
    const admitted = admitImported({ name: 's', suite }, '/nowhere/s.yaml', ['a comment'], OPTIONS, rows);
    expect([...(admitted?.suite.cases ?? [])].map((one) => one.id)).toEqual(['good']);
    expect(admitted?.text).not.toContain('bad');
    expect(rows).toMatchObject([{ outcome: 'dropped', kind: 'case', name: 'bad' }]);
  });

  it('is none when no case is left, and the rows say why, also where the suite itself is at fault', () => {
    const rows: TableRow[] = [];
    const bad = { name: 's', cases: [{ id: 'bad', prompt: '', assert: [] }] };
    expect(admitImported({ name: 's', suite: bad }, '/nowhere/s.yaml', [], OPTIONS, rows)).toBeNull();
    const odd = { name: 's', nonsense: true, cases: [GOOD] };
    const admitted = admitImported({ name: 's', suite: odd }, '/nowhere/s.yaml', [], OPTIONS, rows);
    expect(admitted).toBeNull();
    expect(rows.at(-1)?.note).toContain('nonsense');
  });
});
