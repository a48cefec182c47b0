import { rule, type Rule } from './trace-rules.js';
import { fixture } from './trace-support.js';

const top = (inner: string): string => fixture({ top: inner });
const ignore = (inner: string): string => top(`"lint": {"ignore": [${inner}]}`);
const mutants = (inner: string): string => top(`"accepted_mutants": [${inner}]`);

/** Assay's own keys for the upkeep of a case. */
export const upkeep: Rule[] = [
  rule(
    'an owner that is blank',
    'owner',
    'must not be blank',
    'write some text',
    (part) => top(`"owner": ${part}`),
    ['§" "', '"team"'],
  ),
  rule(
    'a day that no calendar has',
    'reviewed_at',
    'must be a day',
    'write year-month-day',
    (part) => top(`"reviewed_at": ${part}`),
    ['§"2031-02-30"', '"2031-02-28"'],
  ),
  rule(
    'an unknown key in lint',
    'lint.ignored',
    'unknown key',
    'did you mean ignore?',
    (extra) => top(`"lint": {"ignore": [{"id": "stale", "reason": "old on purpose"}]${extra}}`),
    [', §"ignored": []', ''],
  ),
  rule(
    'a finding that does not exist',
    'lint.ignore[0].id',
    'is not one of',
    'did you mean "stale"?',
    (part) => ignore(`{"id": ${part}, "reason": "old on purpose"}`),
    ['§"stal"', '"stale"'],
  ),
  rule(
    'a finding that is silenced twice',
    'lint.ignore[1].id',
    '"stale" is written twice',
    'keep one of the two',
    (part) => ignore(`{"id": "stale", "reason": "a"}, {"id": ${part}, "reason": "b"}`),
    ['§"stale"', '"balance"'],
  ),
  rule(
    'a mutant that is accepted without a reason',
    'accepted_mutants[0].reason',
    'missing; text is required here',
    'add it',
    (part) => mutants(`§{"id": "m"${part}}`),
    ['', ', "reason": "same meaning"'],
  ),
  rule(
    'a mutant that is accepted twice',
    'accepted_mutants[1].id',
    '"m" is written twice',
    'keep one of the two',
    (part) => mutants(`{"id": "m", "reason": "a"}, {"id": ${part}, "reason": "b"}`),
    ['§"m"', '"m*"'],
  ),
];
