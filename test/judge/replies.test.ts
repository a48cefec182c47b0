import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rubricVerdict, statementVerdict } from './helpers.js';

const GOOD = '{"reason": "kind", "score": 5, "pass": true}';
const BAD = '{"reason": "rude", "score": 1, "pass": false}';

const outcomeOf = async (reply: string): Promise<string> => (await rubricVerdict(reply)).outcome;

describe('the verdict of a reply', () => {
  it.each([
    ['bare', BAD],
    ['in a fence', `Rude.\n\`\`\`json\n${BAD}\n\`\`\``],
    ['in a fence without a language', `\`\`\`\n${BAD}\n\`\`\`\n`],
    ['after braces in prose', `I looked at {tone} and {x: {y}} first. ${BAD}`],
    ['after an unclosed brace', `The code opens with { and goes on. ${BAD}`],
    ['after an unclosed bracket in quotes', `It says "use [ here". ${BAD}`],
    ['after an odd quote', `It is 5" tall. ${BAD}`],
    ['after a stray closing bracket', `a } b ] c. ${BAD}`],
    ['before a closing remark', `${BAD}\nI hope {this} helps!`],
    ['after an example', `Like ${GOOD} would be a pass. Verdict: ${BAD}`],
    ['after an example in a fence', `\`\`\`json\n${GOOD}\n\`\`\`\nVerdict:\n\`\`\`json\n${BAD}\n\`\`\``],
    ['after a think block', `<think>${GOOD}</think>${BAD}`],
    ['before a think block', `${BAD}<think>or rather ${GOOD}</think>`],
    ['after thinking whose opening tag is missing', `maybe ${GOOD}</think>${BAD}`],
    ['after a think block that holds an unclosed brace', `<think>{ "a </think>${BAD}`],
    ['in a list of one', `[${BAD}]`],
    ['in prose in brackets', `[Verdict: ${BAD}]`],
    ['over several lines', JSON.stringify(JSON.parse(BAD), null, 2)],
    ['before other JSON', `${BAD} The answer was {"name": "Ada"}.`],
    ['with keys of its own', '{"reason":"rude","score":1,"pass":false,"confidence":{"level":[1,2]}}'],
    ['with an example inside it', `{"reason":"rude","score":1,"pass":false,"example":${GOOD}}`],
    ['quoted in its own reason', JSON.stringify({ reason: `not ${GOOD}`, score: 1, pass: false })],
    ['with a tag in its reason', '{"reason":"it writes </think> and <think>","score":1,"pass":false}'],
    ['with raw line feeds and tabs', '{"reason":"line\none\ttab","score":1,"pass":false}'],
    ['with brackets in its reason', '{"reason":"closes ] and } and opens {[","score":1,"pass":false}'],
    ['with a backslash at the end of its reason', '{"reason":"a path C:\\\\","score":1,"pass":false}'],
    ['after a list that closes wrongly', `["x"} and so on. ${BAD} ]`],
    ['before a think block with a broken verdict', `${BAD}<think>or {"score": 5, "pa</think>`],
    ['after a very deep value', `${'['.repeat(50_000)}${']'.repeat(50_000)} ${BAD}`],
    ['in windows lines', BAD.replaceAll(', ', ',\r\n')],
  ])('is found %s', async (_, reply) => {
    expect(await outcomeOf(reply)).toBe('fail');
    // The mirror image, so that the row above is not merely failing all the time.
    const mirrored = reply
      .replaceAll(BAD, '\u0000')
      .replaceAll(GOOD, BAD)
      .replaceAll('\u0000', GOOD)
      .replace('"score":1,"pass":false', '"score":5,"pass":true')
      .replace('"score": 1,\n  "pass": false', '"score": 5,\n  "pass": true')
      .replace('"score": 1,\r\n"pass": false', '"score": 5,\r\n"pass": true');
    expect(await outcomeOf(mirrored)).toBe('pass');
  });

  it.each([
    ['nothing', ''],
    ['a refusal', 'I cannot grade this.'],
    ['a word', 'PASS'],
    ['a verdict in words', 'score: 5, pass: true'],
    ['an unfinished thought', `<think>${GOOD}`],
    ['thinking whose opening tag is missing', `${GOOD}</think> I cannot decide.`],
    ['an unfinished verdict', GOOD.slice(0, -1)],
    ['an example, then a broken-off verdict', `Like ${GOOD}. Verdict: {"reason": "rude", "score": 1, "pa`],
    [
      'an example, then a verdict with bare quotes',
      `Like ${GOOD}. {"reason": "a "b" c", "score": 1, "pass": false}`,
    ],
    ['an example, then one odd quote', `Like ${GOOD}. {"reason": "5" tall", "score": 1, "pass": false}`],
    ['an example, then a trailing comma', `Like ${GOOD}. {"reason": "r", "score": 1, "pass": false,}`],
    ['an example, then a Python dictionary', `Like ${GOOD}. {'reason': 'r', 'score': 1, 'pass': False}`],
    ['an example, then bare keys', `Like ${GOOD}. {score: 1, pass: false, reason: "r"}`],
    [
      'an example, then escaped JSON',
      `Like ${GOOD}. {\\"reason\\": \\"r\\", \\"score\\": 1, \\"pass\\": false}`,
    ],
    ['an example, then a wrapped verdict', `Like ${GOOD}. {"verdict": ${BAD}}`],
    ['an example, then half a verdict', `Like ${GOOD}. {"reason": "rude", "score": 1}`],
    ['two verdicts in a list', `[${BAD}, ${GOOD}]`],
    ['a list that breaks off', `[${GOOD}, {"reason": "rude", "score": 1`],
    ['two verdicts in an object', `{"first": ${BAD}, "second": ${GOOD}}`],
    ['the same key twice', '{"reason": "r", "score": 1, "pass": false, "score": 5, "pass": true}'],
    ['the same key twice, once escaped', '{"reason":"r","pass":false,"score":5,"p\\u0061ss":true}'],
    ['an empty list', '[]'],
    ['a verdict far too deep', `${'['.repeat(20)}${GOOD}${']'.repeat(20)}`],
  ])('is not found in %s', async (_, reply) => {
    const verdict = await rubricVerdict(reply);
    expect(verdict.outcome).toBe('error');
    expect(verdict.evidence).toMatch(/no verdict in the reply/);
    expect(verdict.judge?.replies).toHaveLength(2);
  });

  it('is found whatever prose without braces and quotes surrounds it', async () => {
    const prose = fc.string().map((text) => text.replace(/[{}[\]"\\<>]/g, ' '));
    await fc.assert(
      fc.asyncProperty(prose, prose, fc.string(), async (before, after, reason) => {
        const verdict = JSON.stringify({ reason: `r${reason}`, score: 1, pass: false });
        expect(await outcomeOf(before + verdict + after)).toBe('fail');
      }),
    );
  });

  it('is the last of many, however the earlier ones are broken', async () => {
    const piece = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      '"',
      '\\',
      ' ',
      ',',
      ':',
      GOOD,
      'score',
      '{"score":',
      '\n',
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 30 }), async (pieces) => {
        // Whatever comes before, a complete failing verdict at the end is never outvoted by an earlier passing one.
        expect(await outcomeOf(`${pieces.join('')}\n${BAD}`)).not.toBe('pass');
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    ['opening brackets', '['.repeat(400_000)],
    ['opening braces', '{'.repeat(400_000)],
    ['nested objects', '{"score":'.repeat(60_000)],
    ['closed nested objects', `${'{"score":'.repeat(40_000)}x${'}'.repeat(40_000)}`],
    ['braces in quotes', '{"'.repeat(200_000)],
    ['escaped quotes', '{"\\"'.repeat(150_000)],
    ['pairs', '{}'.repeat(200_000)],
    ['pairs that do not fit', '{]'.repeat(200_000)],
    ['tags', '<think></think>'.repeat(40_000)],
    ['tags and values', '<think>{"pass":1}</think>[1]'.repeat(20_000)],
    ['closing tags', '</think>[1]'.repeat(40_000)],
    ['spaces', `{${' '.repeat(400_000)}"`],
    ['backslashes', `"${'\\'.repeat(400_000)}`],
    ['broken verdicts', '{"pass": x} '.repeat(40_000)],
  ])('is found after a flood of %s, or the reply is an error', async (name, flood) => {
    const finding = [
      'pairs',
      'tags',
      'tags and values',
      'closing tags',
      'pairs that do not fit',
      'broken verdicts',
    ];
    expect(await outcomeOf(flood)).toBe('error');
    const outcome = await outcomeOf(`${flood}\n${BAD}`);
    expect(finding.includes(name) ? ['fail'] : ['fail', 'error']).toContain(outcome);
  });
});

describe('a reply without a verdict', () => {
  it('is asked for once more, with what was missing, and the second reply counts', async () => {
    const verdict = await rubricVerdict(['I would say it is fine.', BAD]);
    expect(verdict.outcome).toBe('fail');
    expect(verdict.judge?.replies).toEqual(['I would say it is fine.', BAD]);
  });

  it('is asked for once only', async () => {
    const verdict = await rubricVerdict(['?', '?', GOOD]);
    expect(verdict.outcome).toBe('error');
    expect(verdict.judge?.replies).toEqual(['?', '?']);
  });

  it('for statements is asked for again in the same way', async () => {
    const verdict = await statementVerdict(['A'], 'TRUE');
    expect(verdict.outcome).toBe('error');
    expect(verdict.judge?.replies).toHaveLength(2);
  });
});
