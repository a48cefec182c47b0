import { loadConfig } from '../../config/index.js';
import { AssayError } from '../../core/index.js';
import { balanceOf } from '../../curate/index.js';
import { formatSuiteList, type SuiteListEntry } from '../../report/index.js';
import { displayPath, listSuites, loadSuiteAt, type ListedSuite } from '../../suite/index.js';
import type { SuiteListFlags } from '../commands/suite-manage.js';
import { suiteRoots } from '../open-suites.js';
import { say, wantsColor } from '../streams.js';

type Entry = SuiteListEntry & { owner: string | null; balance: { should: number; shouldNot: number } | null };

async function entryOf(found: ListedSuite, cwd: string): Promise<Entry> {
  const entry = {
    name: found.name,
    path: displayPath(found.path, cwd),
    format: found.format,
    shadowedBy: found.shadowedBy === null ? null : displayPath(found.shadowedBy, cwd),
  };
  try {
    const suite = await loadSuiteAt(found.path, { cwd });
    const { kind, cases, description, owner } = suite;
    return {
      ...entry,
      kind,
      cases: cases.length,
      description,
      problem: null,
      owner,
      balance: balanceOf(suite),
    };
  } catch (error) {
    if (!AssayError.isInstance(error)) throw error;
    const problem = error.message;
    return {
      ...entry,
      kind: 'regression',
      cases: null,
      description: null,
      problem,
      owner: null,
      balance: null,
    };
  }
}

/** `assay suite list`: one bad suite never hides the others. */
export async function suiteListAction(type: string | null, flags: SuiteListFlags): Promise<void> {
  const cwd = process.cwd();
  const loaded = await loadConfig(cwd, flags.config);
  const entries: Entry[] = [];
  for (const found of listSuites(suiteRoots(loaded))) {
    const entry = await entryOf(found, cwd);
    // The kind of a suite that does not load is not known: it is always shown.
    if (type === null || entry.kind === type || entry.problem !== null) entries.push(entry);
  }
  if (flags.json === true) say(JSON.stringify({ schema: 'assay/suites/v1', suites: entries }, null, 2));
  else say(formatSuiteList(entries, { color: wantsColor(true, process.stdout) }));
}
