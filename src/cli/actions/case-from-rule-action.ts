import { draftRecords, listDrafts, ruleDraft, ruleDraftId, type AskModel } from '../../cases/index.js';
import { systemSource, terminalLine } from '../../core/index.js';
import { callModel } from '../../model/index.js';
import { chooseModel, modelServices } from '../choose-model.js';
import type { FromRuleFlags } from '../commands/case-from.js';
import { deliverDraft, draftPlace, type DraftPlace } from '../draft-place.js';
import { say } from '../streams.js';

const LEAST_MS = 90_000;

async function askingModel(place: DraftPlace, flags: FromRuleFlags): Promise<AskModel> {
  const { loaded, cwd } = place;
  const source = systemSource();
  const services = modelServices(loaded, source, false);
  const chosen = await chooseModel(flags.model ?? null, flags.level, LEAST_MS, {
    flags: { format: 'table', color: false, store: true, cache: false },
    loaded,
    cwd,
    source,
    cancel: new AbortController().signal,
    services,
  });
  let trial = 0;
  return async ({ system, user }) => {
    trial += 1;
    const call = await callModel(
      chosen.resolved,
      {
        system,
        prompt: [{ role: 'user', content: [{ type: 'text', text: user }] }],
        timeoutMs: chosen.timeoutMs,
        trialIndex: trial,
        purpose: 'draft',
        ...(chosen.fallback === null ? {} : { fallback: chosen.fallback }),
      },
      services,
    );
    return call.text;
  };
}

/** `assay case from-rule`: a rule that was drafted before costs nothing again. */
export async function fromRuleAction(text: string, flags: FromRuleFlags): Promise<void> {
  const place = await draftPlace(flags);
  const rule = { text, topic: flags.topic ?? null };
  const id = ruleDraftId(rule);
  const waiting = listDrafts(place.drafts).find((draft) => draft.id === id);
  const record = draftRecords(place.drafts).find((each) => each.id === id);
  if (waiting !== undefined || (record !== undefined && record.accepted !== null)) {
    const status = waiting === undefined ? 'accepted' : 'exists';
    if (flags.json === true) {
      const report = { schema: 'assay/draft/v1', id, status, path: waiting?.path ?? null, notes: [] };
      say(JSON.stringify({ ...report, accepted: record?.accepted ?? null }, null, 2));
    } else
      say(
        terminalLine(
          `${id} was drafted before${waiting === undefined ? ' and accepted' : ''}; no model was asked`,
        ),
      );
    return;
  }
  deliverDraft(
    place,
    await ruleDraft(rule, await askingModel(place, flags), place.drafts),
    flags.json === true,
  );
}
