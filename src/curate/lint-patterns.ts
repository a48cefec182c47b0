import { clip, quote, type CheckSpec } from '../core/index.js';
import { gradeChecks } from '../grade/index.js';
import type { Case } from '../suite/index.js';
import { answerReceipt } from './answer-recording.js';
import { caseFinding, type LintFinding } from './lint-finding.js';
import { REFUSAL, UNRELATED_ANSWERS } from './text-edits.js';

type Pattern = Extract<CheckSpec, { type: 'regex' }>;

/** Answers that have nothing in common; a pattern that fits them all says nothing. */
const PROBES = [...UNRELATED_ANSWERS, REFUSAL, '7', '?'];

/** A dot between letters that stands for any character where a dot was meant, as in `example.com`. */
const BARE_DOT = /[A-Za-z0-9]\.[A-Za-z]{2,4}(?![A-Za-z*+?{])/;

function fitsAnything(tested: Case, spec: Pattern): boolean {
  return PROBES.every((text) => {
    const recording = {
      receipt: answerReceipt(tested, 'probe'),
      turns: tested.turns.map((turn) => ({ user: turn.user, text })),
      messages: [],
      toolCalls: [],
      usage: { inputTokens: 0, outputTokens: 0, cost: null },
      llmCalls: 1,
      durationMs: 0,
    };
    const [check] = gradeChecks([{ ...spec, negated: false, diagnostic: false }], recording, {
      emptyText: 'grade',
    });
    return check?.outcome === 'pass';
  });
}

/** The top-level alternatives of a pattern. */
function alternatives(pattern: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let inClass = false;
  let from = 0;
  for (let index = 0; index < pattern.length; index += 1) {
    const character = pattern[index];
    if (character === '\\') index += 1;
    else if (inClass) inClass = character !== ']';
    else if (character === '[') inClass = true;
    else if (character === '(') depth += 1;
    else if (character === ')') depth -= 1;
    else if (character === '|' && depth === 0) {
      parts.push(pattern.slice(from, index));
      from = index + 1;
    }
  }
  return [...parts, pattern.slice(from)];
}

/** True where an anchor belongs to some of the alternatives only: `^a|b$`. */
function hasLooseAlternative(pattern: string): boolean {
  const parts = alternatives(pattern);
  const starts = parts.filter((part) => part.startsWith('^')).length;
  const ends = parts.filter((part) => /(?<!\\)\$$/.test(part)).length;
  return (starts > 0 && starts < parts.length) || (ends > 0 && ends < parts.length);
}

function faultOf(tested: Case, spec: Pattern): { message: string; fix: string } | null {
  const shown = quote(clip(spec.pattern, 60));
  if (fitsAnything(tested, spec)) {
    return spec.negated
      ? {
          message: `the pattern ${shown} fits every answer, so no answer passes`,
          fix: 'name what must not occur',
        }
      : {
          message: `the pattern ${shown} fits answers that have nothing in common, so it tests nothing`,
          fix: 'write what only a right answer holds, and anchor it',
        };
  }
  if (BARE_DOT.test(spec.pattern.replace(/\\./g, '  '))) {
    return {
      message: `in the pattern ${shown} a dot stands between letters and fits any character`,
      fix: 'write \\. for a dot',
    };
  }
  if (hasLooseAlternative(spec.pattern)) {
    return {
      message: `in the pattern ${shown} the anchor belongs to some of the alternatives only`,
      fix: 'put the alternatives in brackets: ^(?:a|b)$',
    };
  }
  return null;
}

/** Regular expressions that fit anything, or something else than they seem to. */
export function weakPatterns(tested: Case): LintFinding[] {
  return tested.checks.flatMap((spec) => {
    const fault = spec.type === 'regex' ? faultOf(tested, spec) : null;
    return fault === null ? [] : [caseFinding(tested, 'weak-pattern', fault.message, fault.fix)];
  });
}
