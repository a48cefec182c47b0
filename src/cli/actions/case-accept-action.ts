import { dirname } from 'node:path';
import { closeDraft, DRAFTS_NAME, findDraft, movedPaths, readDraft, type Draft } from '../../cases/index.js';
import { AssayError, isJsonObject, type JsonObject } from '../../core/index.js';
import { planAddCase, yamlEntry } from '../../curate/index.js';
import { parseJsonDocument, parseYamlDocument, type Suite } from '../../suite/index.js';
import { carryOut } from '../carry-out.js';
import type { CaseAcceptFlags } from '../commands/case.js';
import { draftPlace } from '../draft-place.js';
import { openOneSuite } from '../open-one-suite.js';
import { note } from '../streams.js';

/** The case of a draft, and its text as a list entry where that can be kept. */
interface DraftedCase {
  value: JsonObject;
  raw: string | null;
}

function notOneCase(draft: Draft): AssayError {
  return new AssayError('INPUT', `draft ${draft.id} does not hold exactly one case`, {
    fix: 'leave one case in it, and add the others with assay suite add-case',
  });
}

function readCase(draft: Draft, suite: Suite): DraftedCase {
  const text = readDraft(draft);
  const parsed =
    draft.format === 'trace' ? parseJsonDocument(draft.path, text) : parseYamlDocument(draft.path, text);
  if (!parsed.ok) {
    throw new AssayError('SUITE_INVALID', `draft ${draft.id} cannot be read`, { problems: parsed.problems });
  }
  const { value } = parsed.document;
  if (!isJsonObject(value)) throw notOneCase(draft);
  const to = suite.format === 'trace' ? suite.root : dirname(suite.path);
  if (draft.format === 'trace') return { value: movedPaths(value, dirname(draft.path), to), raw: null };
  const cases = value['cases'];
  const [only, ...rest] = Array.isArray(cases) ? cases : [];
  if (!isJsonObject(only) || rest.length > 0) throw notOneCase(draft);
  if (value['system_prompt'] !== undefined) {
    note('the system_prompt of the draft belongs to a suite: put it into the suite when the case needs it');
  }
  const moved = movedPaths(only, dirname(draft.path), to);
  const same = JSON.stringify(moved) === JSON.stringify(only);
  return { value: moved, raw: same ? yamlEntry(text, ['cases', 0]) : null };
}

function requireFormat(draft: Draft, suite: Suite): void {
  if (suite.path.split(/[/\\]/).includes(DRAFTS_NAME)) {
    throw new AssayError('INPUT', `${suite.displayPath} is a draft itself`, { fix: 'name a suite' });
  }
  if (draft.format === suite.format) return;
  const wanted = draft.format === 'trace' ? 'a directory of trace fixtures' : 'an assertion suite';
  throw new AssayError('INPUT', `draft ${draft.id} needs ${wanted}, and ${suite.displayPath} is none`, {
    fix: draft.format === 'trace' ? 'name such a directory' : 'assay suite create makes one',
  });
}

/** `assay case accept`: the case is part of the suite before the draft is gone. */
export async function caseAcceptAction(id: string, flags: CaseAcceptFlags): Promise<void> {
  const place = await draftPlace(flags);
  const draft = findDraft(place.drafts, id);
  const { suite, cwd, context } = await openOneSuite(flags.suite, flags);
  requireFormat(draft, suite);
  const { value, raw } = readCase(draft, suite);
  const plan = planAddCase(suite, value, raw, context);
  const { provenance } = draft;
  plan.entry.details = {
    ...plan.entry.details,
    draft: id,
    ...(provenance === null
      ? {}
      : {
          from: provenance.kind,
          source: provenance.source,
          fingerprint: provenance.fingerprint,
          origin: provenance.details,
        }),
  };
  await carryOut(plan, cwd);
  closeDraft(place.drafts, draft, { suite: suite.displayPath, case: plan.entry.cases[0] ?? id }, place.now);
}
