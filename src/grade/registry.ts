import type { CheckSpec, CheckType, Recording } from '../core/index.js';
import { gradeBudget } from './budget-grader.js';
import { gradeCommand } from './command-grader.js';
import { gradeEquals } from './equals-grader.js';
import { gradeMatchesFile } from './golden-file.js';
import { EMPTY_RESPONSE, onRawText, onText, turnText } from './graded-text.js';
import { cannotGrade, settledFail, unreachable, type GradeContext, type Verdict } from './grader.js';
import { gradeContainsJson, gradeIsJson, gradeJsonPointer } from './json-graders.js';
import { gradeLevenshtein } from './levenshtein-grader.js';
import { gradePayload } from './payload-graders.js';
import { gradeProgram } from './program-grader.js';
import { gradeRegex } from './regex-grader.js';
import * as text from './text-graders.js';
import { gradeToolCalls, gradeToolNotUsed, gradeToolsSucceeded, gradeToolUsed } from './tool-graders.js';
import { gradeWordCount } from './word-count.js';
import { gradeFileAbsent, gradeFileContains, gradeFileExists } from './workspace-graders.js';

const DEFERRED = ['command', 'program', 'llm-rubric', 'llm-assert', 'pairwise', 'trace-judge'] as const;

/** Types that cannot be graded at once: they start a program or ask a model. */
export type DeferredType = (typeof DEFERRED)[number];

/** A check that is graded at once. */
export type DirectSpec = Exclude<CheckSpec, { type: DeferredType }>;

/** A check that takes a program or a model. */
export type DeferredSpec = Extract<CheckSpec, { type: DeferredType }>;

const deferredTypes: ReadonlySet<CheckType> = new Set(DEFERRED);

/** True for a check that takes a program or a model. */
export function isDeferred(spec: CheckSpec): spec is DeferredSpec {
  return deferredTypes.has(spec.type);
}

/** True for a check that asks a model. */
export function isJudged(spec: CheckSpec): spec is JudgedSpec {
  return isDeferred(spec) && spec.type !== 'command' && spec.type !== 'program';
}

/** Grades one check at once, without negation. May throw; the caller makes an error of it. */
export function gradeDirect(spec: DirectSpec, recording: Recording, context: GradeContext): Verdict {
  switch (spec.type) {
    case 'equals':
      return onText(spec, recording, context, gradeEquals);
    case 'contains':
      return onText(spec, recording, context, text.gradeContains);
    case 'icontains':
      return onText(spec, recording, context, text.gradeContainsFolded);
    case 'contains-all':
      return onText(spec, recording, context, text.gradeContainsAll);
    case 'contains-any':
      return onText(spec, recording, context, text.gradeContainsAny);
    case 'regex':
      return onText(spec, recording, context, gradeRegex);
    case 'starts-with':
      return onText(spec, recording, context, text.gradeStartsWith);
    case 'ends-with':
      return onText(spec, recording, context, text.gradeEndsWith);
    case 'is-json':
      // The trim of JavaScript would take a byte order mark away, and with it the reason to fail.
      return onRawText(spec, recording, context, gradeIsJson);
    case 'contains-json':
      return onText(spec, recording, context, gradeContainsJson);
    case 'max-length':
      return onText(spec, recording, context, text.gradeMaxLength);
    case 'min-length':
      return onText(spec, recording, context, text.gradeMinLength);
    case 'word-count':
      return onText(spec, recording, context, gradeWordCount);
    case 'levenshtein':
      return onText(spec, recording, context, gradeLevenshtein);
    case 'matches-file':
      return onText(spec, recording, context, gradeMatchesFile);
    case 'json-pointer':
      return onRawText(spec, recording, context, gradeJsonPointer);
    case 'tool-used':
      return gradeToolUsed(spec, recording);
    case 'tool-not-used':
      return gradeToolNotUsed(spec, recording);
    case 'tool-calls':
      return gradeToolCalls(spec, recording);
    case 'tool-arguments':
    case 'tool-results':
      return gradePayload(spec, recording);
    case 'tools-succeeded':
      return gradeToolsSucceeded(spec, recording);
    case 'file-exists':
      return gradeFileExists(spec, recording);
    case 'file-absent':
      return gradeFileAbsent(spec, recording);
    case 'file-contains':
      return gradeFileContains(spec, recording);
    case 'budget':
      return gradeBudget(spec, recording);
    default:
      return unreachable(spec);
  }
}

/** A check that asks a model. */
export type JudgedSpec = Exclude<DeferredSpec, { type: 'command' | 'program' }>;

/** Asks the judge about one check. A judge of the text alone is not asked about an empty one. */
async function gradeJudged(spec: JudgedSpec, recording: Recording, context: GradeContext): Promise<Verdict> {
  const { judge } = context;
  if (judge === undefined) return cannotGrade('needs a judge, none configured');
  const empty = (turnText(spec, recording) ?? '').trim() === '';
  if (empty && context.emptyText === 'fail' && !spec.includeTranscript) return settledFail(EMPTY_RESPONSE);
  return judge(spec, recording);
}

/** Grades one check that takes a program or a model, without negation. May reject. */
export async function gradeDeferred(
  spec: DeferredSpec,
  recording: Recording,
  context: GradeContext,
): Promise<Verdict> {
  if (spec.type === 'command') return gradeCommand(spec, recording);
  if (spec.type === 'program') return gradeProgram(spec, recording);
  return gradeJudged(spec, recording, context);
}
