import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { idleRecording, type Recording } from '../../src/core/index.js';
import {
  decide,
  loadSuite,
  recordedAgents,
  ruleCharacteristic,
  ruleLines,
  runSuite,
  stoppingRule,
  unbiasedRate,
  verdictAt,
  type RuleSettings,
  type RunOptions,
  type RunReport,
} from '../../src/run/index.js';
import { curtailedUnbiasedRate } from '../../src/stats/index.js';
import { failure, receipt, temporaryDirectory } from '../store/builders.js';

const SPRT: RuleSettings = {
  rule: 'sprt',
  bar: 0.95,
  dropTo: 0.7,
  falseAlarm: 0.05,
  miss: 0.1,
  most: 30,
};
const RULES: RuleSettings[] = [
  SPRT,
  { ...SPRT, rule: 'gate', bar: 0.8, dropTo: 0.5 },
  { ...SPRT, rule: 'futility', bar: 0.8, dropTo: 0.5 },
  { ...SPRT, rule: 'sequential', dropTo: 0.5, miss: 0.2, looks: [3, 10] },
];

describe('exact error rates of a stopping rule', () => {
  it('are those of the published table of the truncated test', () => {
    const rule = stoppingRule(SPRT);
    const healthy = ruleCharacteristic(rule, 0.95);
    expect(healthy.pPass).toBeCloseTo(0.95537131, 8);
    expect(healthy.pFail).toBeCloseTo(0.030133347, 8);
    expect(healthy.pInconclusive).toBeCloseTo(0.014495339, 8);
    expect(healthy.expectedTrials).toBeCloseTo(11.209173, 6);
    const regressed = ruleCharacteristic(rule, 0.7);
    expect(regressed.pPass).toBeCloseTo(0.08234383, 8);
    expect(regressed.pFail).toBeCloseTo(0.90118187, 8);
    expect(regressed.expectedTrials).toBeCloseTo(9.1255149, 6);
  });

  it('stay within the nominal ones for the rules that promise them', () => {
    for (const settings of RULES) {
      const rule = stoppingRule(settings);
      const { pFail } = ruleCharacteristic(rule, settings.bar);
      expect(pFail, settings.rule).toBeLessThanOrEqual(settings.falseAlarm);
      const { pPass } = ruleCharacteristic(rule, settings.dropTo);
      expect(pPass, settings.rule).toBeLessThanOrEqual(settings.miss);
    }
    // A gate never passes a case below its bar more often than its error says.
    for (const rule of ['gate', 'futility'] as const) {
      const built = stoppingRule({ ...SPRT, rule, bar: 0.8, dropTo: 0.5 });
      expect(ruleCharacteristic(built, 0.7999).pPass).toBeLessThanOrEqual(0.05);
    }
  });

  it('add up to 1 and are printed before a run', () => {
    fc.assert(
      fc.property(fc.constantFrom(...RULES), fc.double({ min: 0, max: 1, noNaN: true }), (settings, rate) => {
        const { pPass, pFail, pInconclusive, expectedTrials } = ruleCharacteristic(
          stoppingRule(settings),
          rate,
        );
        expect(pPass + pFail + pInconclusive).toBeCloseTo(1, 9);
        expect(expectedTrials).toBeLessThanOrEqual(30 + 1e-9);
      }),
      { numRuns: 60 },
    );
    const [, healthy = '', regressed = ''] = ruleLines(stoppingRule(SPRT));
    expect(healthy).toContain('fail 3.0%');
    expect(healthy).toContain('11.2 trials expected');
    expect(regressed).toContain('pass 8.2%');
  });
});

describe('the rate of a stopped case', () => {
  it('has the true rate as its expectation, under every rule', () => {
    for (const settings of RULES) {
      const rule = stoppingRule(settings);
      for (const rate of [0.3, 0.7, 0.95]) {
        let expected = 0;
        let running = new Map<number, number>([[0, 1]]);
        for (let trial = 1; running.size > 0; trial += 1) {
          const next = new Map<number, number>();
          for (const [passes, chance] of running) {
            for (const [passed, step] of [[passes + 1, rate] as const, [passes, 1 - rate] as const]) {
              const progress = { passed, failed: trial - passed };
              if (decide(rule, progress) === 'continue') {
                next.set(passed, (next.get(passed) ?? 0) + chance * step);
              } else expected += chance * step * (unbiasedRate(rule, passed, trial - passed) ?? Number.NaN);
            }
          }
          running = next;
        }
        expect(expected, `${settings.rule} at ${rate}`).toBeCloseTo(rate, 9);
      }
    }
  });

  it('is that of Girshick, Mosteller and Savage for a curtailed case', () => {
    const curtailed = {
      ...stoppingRule(SPRT),
      most: 5,
      at: ({ passed, failed }: { passed: number; failed: number }) =>
        passed >= 4 ? ('pass' as const) : failed >= 2 ? ('fail' as const) : null,
    };
    for (const [passes, fails] of [
      [4, 0],
      [4, 1],
      [1, 2],
      [3, 2],
    ] as const) {
      const { rate } = curtailedUnbiasedRate({ n: 5, need: 4, passes, fails });
      expect(unbiasedRate(curtailed, passes, fails)).toBeCloseTo(rate, 12);
    }
    expect(unbiasedRate(curtailed, 2, 1)).toBeNull();
  });
});

describe('what a rule decides', () => {
  it('of the ratio test, as worked out in the statistics sheet', () => {
    const rule = stoppingRule(SPRT);
    expect(decide(rule, { passed: 7, failed: 0 })).toBe('continue');
    expect(verdictAt(rule, { passed: 8, failed: 0 })).toBe('pass');
    expect(decide(rule, { passed: 0, failed: 1 })).toBe('continue');
    expect(verdictAt(rule, { passed: 0, failed: 2 })).toBe('fail');
    expect(decide(rule, { passed: 27, failed: 3 })).toBe('stop');
  });

  it('a futile gate is given up and never passes early', () => {
    const rule = stoppingRule({ ...SPRT, rule: 'futility', bar: 0.9, dropTo: 0.6, most: 60 });
    expect(decide(rule, { passed: 40, failed: 0 })).toBe('continue');
    expect(verdictAt(rule, { passed: 60, failed: 0 })).toBe('pass');
    expect(verdictAt(rule, { passed: 20, failed: 5 })).toBe('inconclusive');
    expect(verdictAt(rule, { passed: 0, failed: 20 })).toBe('fail');
  });

  it('a sequential rule looks only where it said it would', () => {
    const rule = stoppingRule({ ...SPRT, rule: 'sequential', dropTo: 0.5, miss: 0.2, looks: [3, 10] });
    expect(rule.description).toMatchObject({ first: 3, most: 10 });
    expect(decide(rule, { passed: 0, failed: 2 })).toBe('continue');
    expect(verdictAt(rule, { passed: 3, failed: 0 })).toBe('pass');
    expect(verdictAt(rule, { passed: 1, failed: 2 })).toBe('fail');
    expect(decide(rule, { passed: 2, failed: 1 })).toBe('continue');
    expect(decide(rule, { passed: 3, failed: 1 })).toBe('continue');
  });

  it('is refused with everything that is wrong at once', async () => {
    const wrong = { ...SPRT, bar: 0.5, dropTo: 0.7, falseAlarm: 0, most: 0 };
    const message = String(await failure(() => stoppingRule(wrong)));
    for (const part of ['drop-to (0.7) must be below the bar (0.5)', 'false-alarm', '1 to 1000']) {
      expect(message).toContain(part);
    }
    expect(String(await failure(() => stoppingRule({ ...SPRT, looks: [10, 3] })))).toContain('grow');
  });
});

const SUITE = `name: demo
type: regression
cases:
${['good', 'bad', 'mixed'].map((id) => `  - id: ${id}\n    prompt: Say yes.\n    assert:\n      - type: contains\n        value: "yes"`).join('\n')}
`;

function answer(caseId: string, trial: number, text: string): Recording {
  const recording = idleRecording(receipt(caseId, trial), ['Say yes.']);
  return {
    ...recording,
    turns: [{ user: 'Say yes.', text }],
    usage: { inputTokens: 10, outputTokens: 10, cost: 0.01 },
  };
}

async function runWith(options: Partial<RunOptions>): Promise<RunReport & { stored: string[] }> {
  const path = join(temporaryDirectory(), 'demo.yaml');
  writeFileSync(path, SUITE);
  const suite = await loadSuite(path);
  const stored: string[] = [];
  const agents = recordedAgents({ mode: 'live', modelRef: 'stand-in' }, (id, trial) =>
    answer(id, trial, id === 'good' || (id === 'mixed' && trial % 10 !== 0) ? 'yes' : 'no'),
  );
  const report = await runSuite({
    suite,
    agents,
    seed: 1,
    sink: { append: (trial) => Promise.resolve(stored.push(`${trial.caseId}/${trial.trial}`)) },
    ...options,
  });
  return { ...report, stored };
}

describe('a run under a rule', () => {
  it('stops each case at its own evidence and stores every trial it ran', async () => {
    const report = await runWith({ rule: stoppingRule(SPRT) });
    const [good, bad, mixed] = report.cases;
    expect(good).toMatchObject({
      scored: 8,
      passed: 8,
      outcome: 'passed',
      curtailed: true,
      curtailedRate: 1,
    });
    expect(bad).toMatchObject({ scored: 2, passed: 0, outcome: 'failed', curtailedRate: 0, meanScore: null });
    expect(mixed?.decision).toEqual({ rule: 'sprt', verdict: 'pass' });
    expect(report.stored).toHaveLength(8 + 2 + 8);
    expect(report.outcome).toBe('failed');
    expect(report.exitCode()).toBe(1);
  });

  it('never passes a run that has an undecided case', async () => {
    const rule = stoppingRule({ ...SPRT, most: 5 });
    const report = await runWith({ rule, select: (tested) => tested.id === 'good' });
    expect(report.cases[0]).toMatchObject({ scored: 5, passed: 5, outcome: 'error', curtailed: false });
    expect(report.cases[0]?.decision?.verdict).toBe('inconclusive');
    expect(report.outcome).toBe('inconclusive');
    expect(report.exitCode()).toBe(1);
    const decided = await runWith({ rule: stoppingRule(SPRT), select: (tested) => tested.id === 'good' });
    expect(decided.outcome).toBe('passed');
    expect(decided.exitCode()).toBe(0);
  });

  it('sends only the undecided cases on to the next look', async () => {
    const looks = stoppingRule({ ...SPRT, rule: 'sequential', dropTo: 0.5, miss: 0.2, looks: [3, 10] });
    const report = await runWith({ rule: looks });
    expect(report.cases.map((one) => one.scored)).toEqual([3, 3, 3]);
    expect(report.cases.map((one) => one.outcome)).toEqual(['passed', 'failed', 'passed']);
  });
});

describe('a run with a budget', () => {
  it('goes to its end within the budget', async () => {
    const report = await runWith({ budget: { cost: 10, tokens: null }, trials: 2 });
    expect(report.totals).toMatchObject({ cases: 3, notRun: 0, trials: 6 });
  });

  it('starts no further block once it is spent, and is then no pass', async () => {
    const path = join(temporaryDirectory(), 'large.yaml');
    const one = (id: number): string =>
      `  - id: c${id}\n    prompt: Say yes.\n    assert:\n      - type: contains\n        value: "yes"`;
    writeFileSync(
      path,
      `name: large\ntype: regression\ncases:\n${Array.from({ length: 40 }, (_, id) => one(id)).join('\n')}\n`,
    );
    const agents = recordedAgents({ mode: 'live', modelRef: 'stand-in' }, (id, trial) =>
      answer(id, trial, 'yes'),
    );
    const suite = await loadSuite(path);
    const run = (seed: number) =>
      runSuite({ suite, agents, seed, trials: 1, budget: { cost: null, tokens: 200 } });
    const report = await run(1);
    // Twenty tokens a trial: the second block of eight reaches 200.
    expect(report.totals).toMatchObject({ trials: 16, notRun: 24 });
    expect(report.outcome).toBe('inconclusive');
    expect(report.cases.map((result) => result.id)).not.toEqual(
      (await run(2)).cases.map((result) => result.id),
    );
  });
});
