import type { KeyPath } from '../core/index.js';
import type { RuleProblem } from './document.js';

/** The script of a module in the reference's form, in Assay's words. */
export interface MappedScript {
  /** Text to be said, or turns to be simulated. */
  script: (string | { simulate: number })[];
  checkpoints: { after_turn: number; criteria: string[] }[];
  /** A step asks for the judge's own criteria. */
  judged: boolean;
}

/** One call that a step makes of its executor. */
interface Call {
  method: string;
  given: readonly unknown[];
}

const METHODS = ['user', 'agent', 'judge', 'proceed', 'message', 'succeed', 'fail'] as const;

/** What else may be called in a step: what compilers put around async functions. */
const HARMLESS: ReadonlySet<string> = new Set(['async', 'function', '__async', '__awaiter', '__generator']);

/** True for a step that does nothing but call its executor, by its text: anything else is not run at load. */
function callsExecutorOnly(step: object): boolean {
  const text = Function.prototype.toString.call(step);
  const executor = /^[^(]*\(\s*[\w$]+\s*,\s*([\w$]+)/.exec(text)?.[1];
  if (executor === undefined) return false;
  const body = text.slice(text.indexOf(')') + 1);
  const called = [...body.matchAll(/([\w$.]+)\s*\(/g)].map((match) => match[1] ?? '');
  return called.every((name) => HARMLESS.has(name) || name.startsWith(`${executor}.`));
}

/** What a step asks of its executor; null when it is code of its own. */
function callOf(step: unknown): Call | null {
  if (typeof step !== 'function' || !callsExecutorOnly(step)) return null;
  const calls: Call[] = [];
  const executor: { [method: string]: (...given: unknown[]) => Promise<void> } = {};
  for (const method of METHODS) {
    executor[method] = (...given) => {
      calls.push({ method, given });
      return Promise.resolve();
    };
  }
  try {
    const returned: unknown = Reflect.apply(step, undefined, [{}, executor]);
    if (returned instanceof Promise) returned.catch(() => undefined);
  } catch {
    return null;
  }
  const [only] = calls;
  return calls.length === 1 && only !== undefined ? only : null;
}

/** The text of a message as the reference writes one; null when there is more in it. */
export function messageText(message: unknown): string | null {
  if (typeof message === 'string') return message;
  if (typeof message !== 'object' || message === null) return null;
  const content: unknown = Reflect.get(message, 'content');
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return null;
  const parts = content.map((part: unknown) =>
    typeof part === 'object' && part !== null && Reflect.get(part, 'type') === 'text'
      ? (Reflect.get(part, 'text') as unknown)
      : null,
  );
  return parts.every((part) => typeof part === 'string') ? parts.join('') : null;
}

/** Turns that have been planned so far. */
function turnsOf(script: MappedScript['script']): number {
  return script.reduce((sum, step) => sum + (typeof step === 'string' ? 1 : step.simulate), 0);
}

/** Puts the steps of a script into Assay's words; each step that has none is refused by its place. */
export function mapScript(
  steps: readonly unknown[],
  most: number,
  path: KeyPath,
  problems: RuleProblem[],
): MappedScript {
  const mapped: MappedScript = { script: [], checkpoints: [], judged: false };
  const { script, checkpoints } = mapped;
  let answered = true;
  for (const [index, step] of steps.entries()) {
    const refuse = (message: string, fix: string): void => {
      problems.push({ path: [...path, index], message, fix });
    };
    const call = callOf(step);
    if (call === null) {
      refuse(
        'is code of its own, and a script is data here',
        'write user, agent, judge or proceed, or checkpoints and assert',
      );
      continue;
    }
    const { method, given } = call;
    const [first] = given;
    if (method === 'user' || (method === 'message' && isUserMessage(first))) {
      if (!answered)
        refuse('a second user turn before the agent has answered', 'put agent() between the two');
      answered = false;
      const text = first === undefined ? null : messageText(first);
      if (first === undefined) script.push({ simulate: 1 });
      else if (text === null) refuse('only text can be said', 'write the message as text');
      else script.push(text);
    } else if (method === 'agent') {
      if (first !== undefined)
        refuse('puts words into the mouth of the agent', 'write agent() and let it answer');
      if (answered) refuse('the agent answers twice, or before anybody has spoken', 'put user() before it');
      answered = true;
    } else if (method === 'proceed') {
      if (given.slice(1).some((callback) => callback !== undefined))
        refuse(
          'has callbacks, and nothing of yours is called in the middle',
          'use checkpoints, or remove them',
        );
      const left = most - turnsOf(script);
      const turns = typeof first === 'number' ? first : left;
      if (!Number.isInteger(turns) || turns < 1)
        refuse('leaves no turn to be had', 'give it a number, or raise maxTurns');
      else script.push({ simulate: turns });
      answered = true;
    } else if (method === 'judge') {
      const criteria = criteriaOf(first);
      if (criteria === null) mapped.judged = true;
      else if (turnsOf(script) === 0) refuse('nothing was said yet', 'put it after a turn of the agent');
      else if (checkpoints.some((one) => one.after_turn === turnsOf(script)))
        refuse('is the second judgement of one turn', 'put both into one');
      else checkpoints.push({ after_turn: turnsOf(script), criteria });
      if (criteria === null && index < steps.length - 1)
        refuse(
          'the judge decides here, and steps follow',
          'make it the last step, or give it criteria of its own',
        );
    } else {
      refuse(`${method}() decides or says what only the conversation can`, 'remove it; criteria decide');
    }
  }
  if (!answered)
    problems.push({ path, message: 'ends before the agent has answered', fix: 'end it with agent()' });
  return mapped;
}

function isUserMessage(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Reflect.get(value, 'role') === 'user';
}

function criteriaOf(options: unknown): string[] | null {
  const criteria: unknown =
    typeof options === 'object' && options !== null ? Reflect.get(options, 'criteria') : undefined;
  return Array.isArray(criteria) && criteria.every((one) => typeof one === 'string') ? criteria : null;
}
