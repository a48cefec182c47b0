import { isSafeRelativePath, plural, type JsonValue, type KeyPath } from '../core/index.js';
import type { CaseHead } from './assertion-suite-schema.js';
import type { KnownNames } from './assertion-unit.js';
import type { Curation, Reasoned, WrittenAnswer } from './case.js';
import type { WrittenAnswerInput } from './curation-schema.js';
import type { RuleProblem } from './document.js';
import { insidePath, type PathRoot } from './inside-path.js';
import { fillValue, placeholdersIn, unknownNames, type Placeholder, type Variables } from './template.js';

type Refuse = (inner: KeyPath, message: string, fix: string) => void;

/** Notes ids that are written twice. */
export function repeatedIds(
  list: readonly Reasoned[] | undefined,
  path: KeyPath,
  problems: RuleProblem[],
): void {
  const seen = new Set<string>();
  for (const [index, { id }] of (list ?? []).entries()) {
    if (seen.has(id)) {
      problems.push({
        path: [...path, index, 'id'],
        message: `${JSON.stringify(id)} is written twice`,
        fix: 'keep one of the two',
      });
    }
    seen.add(id);
  }
}

/** How many turns an answer has; a conversation may end before them. */
interface AnswerTurns {
  count: number;
  atMost: boolean;
}

function answerOf(
  written: WrittenAnswerInput | string,
  turns: AnswerTurns,
  root: PathRoot,
  refuse: Refuse,
): WrittenAnswer | null {
  const input: WrittenAnswerInput = typeof written === 'string' ? { output: written } : written;
  const { output, files = {}, reason = null } = input;
  if ((output === undefined) === (input.recording === undefined)) {
    const both = output !== undefined;
    refuse(
      both ? ['recording'] : [],
      both ? 'output and recording say the same thing' : 'there is no answer in it',
      both ? 'keep one of them' : 'write output or recording',
    );
    return null;
  }
  for (const path of Object.keys(files)) {
    if (!isSafeRelativePath(path))
      refuse(['files', path], 'is not a path inside the workspace', 'write a relative path without ..');
  }
  if (input.recording !== undefined) {
    if (input.tool_calls !== undefined || input.files !== undefined) {
      const key = input.tool_calls === undefined ? 'files' : 'tool_calls';
      refuse([key], 'a recording holds all of the answer', 'remove it, or write output instead of recording');
      return null;
    }
    const found = insidePath(input.recording, root);
    if (!found.ok || !found.exists) {
      const message = found.ok
        ? `there is no file ${input.recording}`
        : `${JSON.stringify(input.recording)} ${found.message}`;
      refuse(
        ['recording'],
        message,
        found.ok ? 'correct the path; it is relative to the suite file' : found.fix,
      );
      return null;
    }
    return { texts: [], toolCalls: [], files: {}, recording: found.path, reason };
  }
  const texts = Array.isArray(output) ? output : [output ?? ''];
  const { count, atMost } = turns;
  if (atMost ? texts.length > count : texts.length !== count) {
    refuse(
      ['output'],
      `has the answers of ${plural(texts.length, 'turn')}, and the case has ${atMost ? 'at most ' : ''}${count}`,
      count === 1
        ? 'write one text'
        : `write a list with one text for every turn${atMost ? ' that was had' : ''}`,
    );
    return null;
  }
  const toolCalls = (input.tool_calls ?? []).map(({ name, result, ok, ...call }) => ({
    name,
    arguments: call.arguments ?? {},
    result,
    ok,
  }));
  return { texts, toolCalls, files, recording: null, reason };
}

/** The upkeep of one case of an assertion suite, checked once and filled for every set of variables. */
export class CaseCuration {
  readonly placeholders: readonly Placeholder[];
  private readonly fixed: Omit<Curation, 'reference' | 'knownBad'>;
  private readonly reference: WrittenAnswer | null;
  private readonly knownBad: readonly WrittenAnswer[];

  private constructor(
    fixed: CaseCuration['fixed'],
    reference: WrittenAnswer | null,
    knownBad: readonly WrittenAnswer[],
    placeholders: readonly Placeholder[],
  ) {
    this.fixed = fixed;
    this.reference = reference;
    this.knownBad = knownBad;
    this.placeholders = placeholders;
  }

  /** The upkeep that a case writes, after noting what is wrong with it; null when it writes none. */
  static of(
    head: CaseHead,
    place: { path: KeyPath; turns: AnswerTurns; root: PathRoot; known: KnownNames },
    problems: RuleProblem[],
  ): CaseCuration | null {
    const { path, turns, root, known } = place;
    const { reference, known_bad: knownBad, accepted_mutants: accepted, lint, reviewed_at: reviewed } = head;
    if (!reference && !knownBad && !accepted && !lint && reviewed === undefined) return null;
    const refuseAt =
      (at: KeyPath): Refuse =>
      (inner, message, fix) => {
        problems.push({ path: [...path, ...at, ...inner], message, fix });
      };
    repeatedIds(accepted, [...path, 'accepted_mutants'], problems);
    repeatedIds(lint?.ignore, [...path, 'lint', 'ignore'], problems);
    const good = reference === undefined ? null : answerOf(reference, turns, root, refuseAt(['reference']));
    const bad = (knownBad ?? []).flatMap(
      (answer, index) => answerOf(answer, turns, root, refuseAt(['known_bad', index])) ?? [],
    );
    const placeholders =
      known === null
        ? []
        : [
            ...placeholdersIn(textsOf(good), [...path, 'reference']),
            ...bad.flatMap((answer, index) => placeholdersIn(textsOf(answer), [...path, 'known_bad', index])),
          ];
    if (known !== null) problems.push(...unknownNames(placeholders, known));
    return new CaseCuration(
      {
        acceptedMutants: accepted ?? [],
        lintIgnored: lint?.ignore ?? [],
        reviewedAt: reviewed ?? null,
      },
      good,
      bad,
      // An unknown name has been reported, and no row need be searched for it.
      placeholders.filter(({ name }) => known?.has(name) === true),
    );
  }

  /** The upkeep for these variables. */
  fill(variables: Variables): Curation {
    const { fixed, reference, knownBad } = this;
    if (this.placeholders.length === 0) return { ...fixed, reference, knownBad: [...knownBad] };
    const filled = (answer: WrittenAnswer): WrittenAnswer => ({
      ...answer,
      ...fillValue(
        { texts: answer.texts, toolCalls: answer.toolCalls, files: answer.files },
        variables,
        false,
      ),
    });
    return {
      ...fixed,
      reference: reference === null ? null : filled(reference),
      knownBad: knownBad.map(filled),
    };
  }
}

/** The parts of an answer that may hold placeholders. */
function textsOf(answer: WrittenAnswer | null): JsonValue | undefined {
  if (answer === null) return undefined;
  return { output: answer.texts, tool_calls: answer.toolCalls, files: answer.files };
}
