import { dirname } from 'node:path';
import {
  AssayError,
  formatProblem,
  isJsonObject,
  parseJson,
  type JsonObject,
  type JsonValue,
} from '../core/index.js';
import { inspectVacuity } from '../run/index.js';
import { admitSuiteText } from '../suite/index.js';
import { draftId, fingerprintOf, type NewDraft } from './draft.js';
import { draftPath } from './drafts.js';
import { isTooDeep } from './json-fields.js';
import { redactObject } from './redact-case.js';
import { yamlText } from './yaml-text.js';

/** What a model is asked. */
export interface DraftingRequest {
  system: string;
  user: string;
}

/** Asks a model; rejects when there is no answer. */
export type AskModel = (request: DraftingRequest) => Promise<string>;

/** A rule of behaviour in words. */
export interface Rule {
  text: string;
  /** What the case should be about; null leaves it to the model. */
  topic: string | null;
}

/** Types that a model may use: none that starts a program or names a file. */
const ALLOWED = [
  'equals',
  'contains',
  'icontains',
  'contains-all',
  'contains-any',
  'regex',
  'starts-with',
  'ends-with',
  'is-json',
  'contains-json',
  'max-length',
  'min-length',
  'word-count',
  'llm-rubric',
  'llm-assert',
] as const;

const SYSTEM = `You write test cases for an AI agent. You are given a rule that the agent must follow. Write ONE case that shows whether it does.

The case has a realistic user message of one turn, complete in itself, that does not mention the rule, and 2 to 4 assertions about the answer. Grade what the answer says, not how the agent got there. Use at least one assertion that needs no judge and can fail, and at most one or two judged ones.

Assertions, each an object:
- {"type":"contains","value":"text"} and icontains, starts-with, ends-with, equals: compare text
- {"type":"contains-all","value":["a","b"]} and contains-any
- {"type":"regex","value":"pattern","flags":"i"}: a JavaScript regular expression
- {"type":"max-length","value":400} and min-length: characters
- {"type":"word-count","max":80}
- {"type":"llm-assert","value":["a statement about the answer that must be true"]}
- {"type":"llm-rubric","value":"what a good answer is"}
A type may begin with "not-". "weight" is a number and "required" is true or false, both optional.

First say in a few sentences what an agent that breaks the rule would answer. Then end with one fenced block of JSON:
\`\`\`json
{"name":"three to five words","prompt":"...","negative":false,"assert":[...]}
\`\`\`
"negative" is true when the case shows what the agent should not do.`;

const FENCE = /```(?:json)?\s*\n([\s\S]*?)```/g;

function caseIn(reply: string): JsonObject | string {
  const blocks = [...reply.matchAll(FENCE)].map((match) => match[1] ?? '');
  const text = blocks.at(-1) ?? reply;
  const parsed = parseJson(text.trim());
  if (!parsed.ok) return `the reply does not end with a block of JSON: ${parsed.message}`;
  if (!isJsonObject(parsed.value) || isTooDeep(parsed.value))
    return 'the JSON is not an object with prompt and assert';
  return parsed.value;
}

function typeFault(assertions: JsonValue | undefined): string | null {
  if (!Array.isArray(assertions)) return 'assert must be a list of assertions';
  for (const assertion of assertions) {
    const type = isJsonObject(assertion) ? assertion['type'] : undefined;
    const plain = typeof type === 'string' ? type.replace(/^not-/, '') : '';
    if (!ALLOWED.some((allowed) => allowed === plain))
      return `${JSON.stringify(type ?? null)} is not an allowed type`;
  }
  return null;
}

/** The suite of a reply, or why it cannot be one. */
function suiteIn(reply: string, id: string, path: string): JsonObject | string {
  const found = caseIn(reply);
  if (typeof found === 'string') return found;
  const fault = typeFault(found['assert']);
  if (fault !== null) return fault;
  const { prompt, negative } = found;
  const suite = redactObject({
    name: 'Draft from a rule',
    type: 'regression',
    trials: 3,
    cases: [
      {
        id,
        prompt: prompt ?? '',
        ...(negative === true ? { negative } : {}),
        tags: ['from-rule'],
        assert: found['assert'] ?? [],
      },
    ],
  });
  try {
    admitSuiteText(path, yamlText(suite), { cwd: dirname(path), inspect: () => inspectVacuity });
    return suite;
  } catch (error) {
    if (!AssayError.isInstance(error)) throw error;
    return [error.message, ...error.problems.map(formatProblem)].join('\n');
  }
}

function requestOf(rule: Rule, fault: string | null): DraftingRequest {
  const topic = rule.topic === null ? '' : `\n\nThe case should be about: ${rule.topic}`;
  const again =
    fault === null
      ? ''
      : `\n\nAn earlier case was refused:\n${fault}\nWrite the case anew, with that put right.`;
  return { system: SYSTEM, user: `The rule:\n${rule.text}${topic}${again}` };
}

const MOST_TRIES = 2;

/**
 * The draft of a rule, written by a model. What it writes is admitted like any suite, and may start no program and name
 * no file; it is asked a second time with what was wrong.
 * @param directory absolute path of the directory of drafts
 * @throws AssayError `INPUT` for a blank rule, `MODEL` when no valid case came
 */
export async function ruleDraft(rule: Rule, ask: AskModel, directory: string): Promise<NewDraft> {
  if (rule.text.trim() === '')
    throw new AssayError('INPUT', 'the rule is blank', { fix: 'write it in words' });
  const fingerprint = fingerprintOf('rule', { rule: rule.text, topic: rule.topic });
  const id = ruleDraftId(rule);
  const shell = { id, content: { format: 'assertion' as const, suite: {} } };
  let fault: string | null = null;
  for (let tried = 0; tried < MOST_TRIES; tried += 1) {
    const suite = suiteIn(await ask(requestOf(rule, fault)), id, draftPath(directory, shell));
    if (typeof suite !== 'string') {
      return {
        id,
        provenance: {
          kind: 'rule',
          source: rule.text.slice(0, 200),
          fingerprint,
          details: { rule: rule.text, topic: rule.topic },
        },
        content: { format: 'assertion', suite },
        notes: ['A model wrote it: read every word.'],
      };
    }
    fault = suite;
  }
  throw new AssayError('MODEL', `the model wrote no valid case: ${fault ?? ''}`, {
    fix: 'try again, say more with --topic, or choose another model with --model',
  });
}

/** The id that the draft of a rule has or will have: one that is there already needs no model. */
export function ruleDraftId(rule: Rule): string {
  return draftId(rule.text.slice(0, 200), fingerprintOf('rule', { rule: rule.text, topic: rule.topic }));
}
