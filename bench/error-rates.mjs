// Measures the real error rates of the gate, of the compare verdict and of every stopping rule by simulation and prints
// them beside the nominal ones. Needs the build: node scripts/build.mjs && node bench/error-rates.mjs [--json]
// Ends with 1 when a measured rate is above its nominal one by more than chance explains (3 standard errors).
import { compareRuns, earlyStop, ruledEnd } from '../dist/compare/index.js';
import { addCase, allDecided, noEvidence } from '../dist/compare/early-stop.js';
import { decide, ruleCharacteristic, stoppingRule, unbiasedRate, verdictAt } from '../dist/run/index.js';
import { seededRandom, threeValuedGate } from '../dist/stats/index.js';

const random = seededRandom(20260301);
const rows = [];

/** One measured share; `exact` is the computed one where there is a formula, `nominal` the one that is promised. */
function report(what, hits, rounds, nominal, exact = null) {
  const measured = hits / rounds;
  const error = Math.sqrt(Math.max(nominal * (1 - nominal), 1 / rounds) / rounds);
  rows.push({ what, nominal, exact, measured, rounds, kept: measured <= nominal + 3 * error });
}

function passes(rate, trials) {
  let count = 0;
  for (let trial = 0; trial < trials; trial += 1) if (random() < rate) count += 1;
  return count;
}

function share(rounds, test) {
  let hits = 0;
  for (let round = 0; round < rounds; round += 1) if (test()) hits += 1;
  return hits;
}

// The gate: passes a case at its bar, or fails one, at most at its error rate.
for (const [n, p0] of [
  [30, 0.8],
  [100, 0.9],
]) {
  const verdict = () => threeValuedGate({ n, c: passes(p0, n), p0, confidence: 0.95 }).verdict;
  const rounds = 20_000;
  report(
    `gate at ${p0}, ${n} trials: passes a case at the bar`,
    share(rounds, () => verdict() === 'pass'),
    rounds,
    0.05,
  );
  report(
    `gate at ${p0}, ${n} trials: fails a case at the bar`,
    share(rounds, () => verdict() === 'fail'),
    rounds,
    0.05,
  );
}

function side(label, rates, trials) {
  return {
    label,
    suite: 'bench',
    mode: 'live',
    agentModel: 'model',
    judgeModel: null,
    promptHash: null,
    assayVersion: '0',
    commit: null,
    startedAt: '',
    limits: new Map(),
    notRun: 0,
    incomplete: null,
    cases: rates.map(({ rate, cluster }, index) => {
      const passed = passes(rate, trials);
      return {
        key: `c${index}`,
        id: `c${index}`,
        cluster,
        scored: trials,
        passed,
        errored: 0,
        rate: passed / trials,
        stopped: false,
        score: passed / trials,
        spending: {
          inputTokens: null,
          outputTokens: null,
          cost: null,
          durationMs: null,
          judgeTokens: 0,
          judgeCost: 0,
        },
        judged: false,
        verdicts: { pass: 0, fail: 0, unknown: 0, error: 0 },
        environment: '',
        dimensions: new Map(),
      };
    }),
  };
}

const RATES = {
  mixed: () => random(),
  high: () => 0.85 + 0.15 * random(),
};

function caseRates(count, kind) {
  return Array.from({ length: count }, () => ({ rate: RATES[kind](), cluster: null }));
}

function verdictsOf(runs, tolerance) {
  return compareRuns(runs, { tolerance }).comparisons.map((one) => one.verdict.name);
}

const decided = (name) => name === 'better' || name === 'worse';

// The compare verdict on two runs of the same thing.
for (const [count, trials, kind, rounds] of [
  [40, 1, 'mixed', 1500],
  [40, 1, 'high', 1500],
  [40, 3, 'high', 1000],
  [30, 10, 'mixed', 600],
  [200, 5, 'high', 300],
]) {
  const hits = share(rounds, () => {
    const rates = caseRates(count, kind);
    return verdictsOf([side('a', rates, trials), side('b', rates, trials)], 0).some(decided);
  });
  report(`compare A/A, ${count} ${kind} cases x ${trials}: better or worse`, hits, rounds, 0.05);
}
{
  const rounds = 400;
  const hits = share(rounds, () => {
    const rates = caseRates(40, 'high');
    return verdictsOf(
      ['a', 'b', 'c', 'd'].map((label) => side(label, rates, 3)),
      0,
    ).some(decided);
  });
  report('compare four equal runs, 40 high cases x 3: any better or worse', hits, rounds, 0.05);
}

// A true loss of exactly the tolerance must not be called equivalent; half of alpha is what the interval aims at.
for (const [count, trials, rounds] of [
  [100, 1, 1500],
  [100, 5, 600],
  [300, 3, 2000],
]) {
  const tolerance = 0.05;
  const hits = share(rounds, () => {
    const rates = caseRates(count, 'high');
    const lower = rates.map((one) => ({ ...one, rate: one.rate - tolerance }));
    return verdictsOf([side('a', rates, trials), side('b', lower, trials)], tolerance)[0] === 'equivalent';
  });
  report(`compare with a loss of the tolerance, ${count} cases x ${trials}: equivalent`, hits, rounds, 0.05);
}

// Stopping rules: simulated, exact and nominal.
function runRule(rule, rate) {
  const progress = { passed: 0, failed: 0 };
  while (decide(rule, progress) === 'continue') {
    if (random() < rate) progress.passed += 1;
    else progress.failed += 1;
  }
  return progress;
}

const SPRT = { rule: 'sprt', bar: 0.95, dropTo: 0.7, falseAlarm: 0.05, miss: 0.1, most: 30 };
const bias = [];
for (const settings of [
  SPRT,
  { ...SPRT, rule: 'gate', bar: 0.8, dropTo: 0.5, most: 60 },
  { ...SPRT, rule: 'futility', bar: 0.8, dropTo: 0.6, most: 60 },
  { ...SPRT, rule: 'sequential', dropTo: 0.5, miss: 0.2, looks: [3, 10] },
  { ...SPRT, rule: 'sequential', bar: 0.9, dropTo: 0.6, looks: [5, 15, 40], most: 40 },
]) {
  const rule = stoppingRule(settings);
  const name = settings.looks === undefined ? settings.rule : `sequential ${settings.looks.join(',')}`;
  const rounds = 10_000;
  for (const [rate, wrong, nominal, what] of [
    [settings.bar, 'fail', settings.falseAlarm, 'fails a healthy case'],
    [settings.dropTo, 'pass', settings.miss, 'passes a regressed case'],
  ]) {
    let hits = 0;
    let unbiased = 0;
    let plain = 0;
    for (let round = 0; round < rounds; round += 1) {
      const { passed, failed } = runRule(rule, rate);
      if (verdictAt(rule, { passed, failed }) === wrong) hits += 1;
      if (round >= 2000) continue;
      unbiased += (unbiasedRate(rule, passed, failed) ?? 0) / 2000;
      plain += passed / (passed + failed) / 2000;
    }
    const exact = ruleCharacteristic(rule, rate)[wrong === 'fail' ? 'pFail' : 'pPass'];
    report(`${name}: ${what}`, hits, rounds, nominal, exact);
    bias.push({ rule: name, rate, unbiased, plain });
  }
}

// Paired e-values as an early stop: looks after every block, and the whole comparison with its test at the end.
const ALPHA = 0.05;

/** Units as they come until the rule ends them; every side of a unit is a pass rate. */
function untilDecided(count, trials, drops, rule) {
  const units = [];
  const evidence = noEvidence(drops.length);
  while (units.length < count) {
    const rate = 0.6 + 0.4 * random();
    const unit = [0, ...drops].map((drop) => passes(rate - drop, trials) / trials);
    units.push(unit);
    addCase(evidence, unit);
    if (units.length % rule.block === 0 && allDecided(evidence, rule)) break;
  }
  return units;
}

function sideOfUnits(label, units, trials, place) {
  const plain = side(
    label,
    units.map(() => ({ rate: 1, cluster: null })),
    trials,
  );
  const cases = plain.cases.map((one, index) => {
    const rate = units[index][place];
    return { ...one, passed: Math.round(rate * trials), rate, score: rate };
  });
  return { ...plain, cases };
}

for (const [count, trials, rivals, rounds] of [
  [40, 1, 1, 2000],
  [40, 3, 1, 1000],
  [200, 1, 1, 500],
  [40, 3, 3, 500],
]) {
  const rule = earlyStop(ALPHA, 0, rivals);
  const drops = Array.from({ length: rivals }, () => 0);
  let early = 0;
  const wrong = share(rounds, () => {
    const units = untilDecided(count, trials, drops, rule);
    const ended = units.length < count;
    if (ended) early += 1;
    // Only what ended early is decided by the rule; for the rest the orders of the cases do not matter here.
    if (ended) return true;
    const end = { ...ruledEnd(units.slice(0, rule.block), count, rule, random), early: false, rivals: [] };
    const sides = [0, ...drops].map((_, place) => sideOfUnits(`${place}`, units, trials, place));
    return compareRuns(sides, { tolerance: 0, ruled: end }).comparisons.some((one) =>
      decided(one.verdict.name),
    );
  });
  const what = `early stop A/A, ${count} cases x ${trials}, ${rivals} rival${rivals === 1 ? '' : 's'}`;
  report(`${what}: stops`, early, rounds, rule.level);
  report(`${what}: stops, or better or worse at the end`, wrong, rounds, ALPHA);
}

const stops = [];
for (const [count, trials, drop, rounds] of [
  [200, 1, 0.3, 150],
  [80, 3, 0.2, 150],
]) {
  const rule = earlyStop(ALPHA, 0.05, 1);
  const sums = { early: 0, cases: 0, fitting: 0, plain: 0, covered: 0 };
  for (let round = 0; round < rounds; round += 1) {
    const end = ruledEnd(untilDecided(count, trials, [drop], rule), count, rule, random);
    const [rival] = end.rivals;
    if (end.early) sums.early += 1 / rounds;
    sums.cases += end.cases / rounds;
    sums.fitting += rival.fitting.difference / rounds;
    sums.plain += rival.plain / rounds;
    if (rival.interval.lo <= -drop && rival.interval.hi >= -drop) sums.covered += 1 / rounds;
  }
  stops.push({ count, trials, drop, ...sums });
}

// What the verdict finds: 15 points lost by 3 of 40 cases.
const found = [50, 100, 150, 250].map((trials) => {
  const rounds = 60;
  const worse = share(rounds, () => {
    const rates = caseRates(40, 'high').map((one, index) => (index < 3 ? { ...one, rate: 0.95 } : one));
    const lower = rates.map((one, index) => (index < 3 ? { ...one, rate: 0.8 } : one));
    return verdictsOf([side('a', rates, trials), side('b', lower, trials)], 0.05)[0] === 'worse';
  });
  return { trials, worse, rounds };
});

if (process.argv.includes('--json')) console.log(JSON.stringify({ rows, bias, stops, found }, null, 2));
else {
  const percent = (value) => (value === null ? '' : `${(value * 100).toFixed(2)}%`);
  console.log('nominal  exact    measured  rounds  what');
  for (const row of rows) {
    const cells = [
      percent(row.nominal).padEnd(8),
      percent(row.exact).padEnd(8),
      percent(row.measured).padEnd(9),
    ];
    console.log(
      `${cells.join(' ')} ${String(row.rounds).padEnd(7)} ${row.what}${row.kept ? '' : '  ABOVE NOMINAL'}`,
    );
  }
  console.log('\ntrue    unbiased  passes/trials  rule');
  for (const row of bias) {
    console.log(
      `${row.rate.toFixed(3)}   ${row.unbiased.toFixed(3)}     ${row.plain.toFixed(3)}          ${row.rule}`,
    );
  }
  console.log('\ntrue    fitting  plain    covered  stopped  cases     comparison that may stop early');
  for (const row of stops) {
    const cells = [-row.drop, row.fitting, row.plain].map((value) => value.toFixed(3));
    const cases = `${row.cases.toFixed(0)} of ${row.count}`.padEnd(9);
    console.log(
      `${cells.join('   ')}   ${percent(row.covered)}  ${percent(row.early)}   ${cases} ${row.trials} trials a case`,
    );
  }
  console.log('');
  for (const { trials, worse, rounds } of found) {
    console.log(`15 points lost by 3 of 40 cases, ${trials} trials each: found in ${worse} of ${rounds}`);
  }
}
process.exitCode = rows.every((row) => row.kept) ? 0 : 1;
