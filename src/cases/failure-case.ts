import { AssayError, type JsonObject } from '../core/index.js';
import { draftId, fingerprintOf, type NewDraft } from './draft.js';
import type { Failure } from './failure-log.js';
import { redactObject } from './redact-case.js';

const TIDY = /[^a-z0-9_-]+/g;

function tag(text: string): string {
  const plain = text
    .toLowerCase()
    .replace(TIDY, '-')
    .replace(/^-+|-+$/g, '');
  return plain === '' ? 'unknown' : plain.slice(0, 40);
}

/**
 * The draft of a logged failure: what was asked, a statement that a judge holds the answer against, and what was
 * answered as a known bad answer.
 * @throws AssayError `INPUT` when the log does not say what was expected
 */
export function failureDraft(failure: Failure): NewDraft {
  const {
    id,
    description,
    expected_behavior: expected,
    actual_behavior: actual,
    task_context: asked,
  } = failure;
  if (expected === null || expected.trim() === '') {
    throw new AssayError('INPUT', `failure ${id} does not say what was expected, so nothing could fail`, {
      fix: 'log it again with --expected, or draft it from its run or transcript',
    });
  }
  const fingerprint = fingerprintOf('failure', { id });
  const name = draftId(description, fingerprint);
  const tags = [...new Set(['from-failure', tag(failure.category), failure.severity])];
  const bad = actual === null || actual.trim() === '' ? null : { output: actual, reason: description };
  const suite: JsonObject = {
    name: `Draft of failure ${id}`,
    type: 'regression',
    trials: 3,
    cases: [
      {
        id: name,
        prompt: asked ?? description,
        tags,
        assert: [
          { type: 'llm-assert', value: [expected], required: true },
          ...(actual === null || actual.trim() === '' ? [] : [{ type: 'not-equals', value: actual }]),
        ],
        ...(bad === null ? {} : { known_bad: [bad] }),
      },
    ],
  };
  return {
    id: name,
    provenance: {
      kind: 'failure',
      source: id,
      fingerprint,
      details: {
        failure: id,
        timestamp: failure.timestamp,
        category: failure.category,
        severity: failure.severity,
        transcript: failure.transcript,
      },
    },
    content: { format: 'assertion', suite: redactObject(suite) },
    notes: [
      ...(asked === null
        ? ['The log does not say what was asked: the description stands as the prompt.']
        : []),
      'Add a check that needs no judge where one can tell.',
    ],
  };
}
