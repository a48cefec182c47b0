import { AssayError, canonicalJson, isJsonObject, type JsonObject, type JsonValue } from '../core/index.js';
import { stoppingRule, type RuleSettings, type RunBudget, type StoppingRule } from '../run/index.js';

/** Options of a run that stop it early. */
export interface StopFlags {
  stop?: 'sprt' | 'gate' | 'futility';
  sequential?: number[];
  bar?: number;
  dropTo?: number;
  falseAlarm?: number;
  miss?: number;
  budget?: number;
  budgetTokens?: number;
  trials?: number;
  curtail?: boolean;
}

/** What a rule assumes unless the command line says otherwise. */
const DEFAULTS: Readonly<Record<RuleSettings['rule'], Omit<RuleSettings, 'rule' | 'looks'>>> = {
  sprt: { bar: 0.95, dropTo: 0.7, falseAlarm: 0.05, miss: 0.1, most: 30 },
  gate: { bar: 0.8, dropTo: 0.5, falseAlarm: 0.05, miss: 0.1, most: 60 },
  futility: { bar: 0.9, dropTo: 0.6, falseAlarm: 0.05, miss: 0.1, most: 60 },
  sequential: { bar: 0.95, dropTo: 0.5, falseAlarm: 0.05, miss: 0.2, most: 10 },
};

function refuse(message: string, fix: string): never {
  throw new AssayError('USAGE', message, { fix });
}

/**
 * The stopping rule that the command line asks for; null for none.
 * @throws AssayError `USAGE` for options that contradict each other, `INPUT` for a rule that cannot be
 */
export function ruleOf(flags: StopFlags): StoppingRule | null {
  const { stop, sequential, curtail, trials } = flags;
  if (stop !== undefined && sequential !== undefined)
    refuse('--stop and --sequential are two rules', 'name one');
  const rule = sequential === undefined ? stop : 'sequential';
  if (rule === undefined) {
    const { bar, dropTo, falseAlarm, miss } = flags;
    const given = [bar, dropTo, falseAlarm, miss].some((value) => value !== undefined);
    if (given)
      refuse('--bar, --drop-to, --false-alarm and --miss belong to a rule', 'add --stop or --sequential');
    return null;
  }
  if (curtail === true) refuse('--curtail is a rule of its own', `leave --curtail or --${rule} out`);
  if (sequential !== undefined && trials !== undefined) {
    refuse('--sequential says how many trials there are', 'leave --trials out');
  }
  const defaults = DEFAULTS[rule];
  return stoppingRule({
    rule,
    bar: flags.bar ?? defaults.bar,
    dropTo: flags.dropTo ?? defaults.dropTo,
    falseAlarm: flags.falseAlarm ?? defaults.falseAlarm,
    miss: flags.miss ?? defaults.miss,
    most: trials ?? defaults.most,
    ...(sequential === undefined ? {} : { looks: sequential }),
  });
}

/** The budget that the command line sets; null for none. */
export function budgetOf({ budget, budgetTokens }: StopFlags): RunBudget | null {
  if (budget === undefined && budgetTokens === undefined) return null;
  return { cost: budget ?? null, tokens: budgetTokens ?? null };
}

/** What stands in the header of the run before its first trial: rule and budget. Empty without either. */
export function stopSettings(flags: StopFlags): { [key: string]: JsonValue } {
  const rule = ruleOf(flags);
  const budget = budgetOf(flags);
  return {
    ...(rule === null ? {} : { stop: rule.description }),
    ...(budget === null ? {} : { budget: { cost: budget.cost, tokens: budget.tokens } }),
  };
}

function numberIn(object: JsonObject, key: string): number | undefined {
  const value = object[key];
  return typeof value === 'number' ? value : undefined;
}

function numbersIn(value: JsonValue | undefined): number[] | undefined {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'number') : undefined;
}

/** The options that a stored run was stopped by, for a run that goes on with it. */
export function storedStopFlags(settings: JsonObject): StopFlags {
  const { stop, budget } = settings;
  const flags: StopFlags = {};
  if (isJsonObject(stop)) {
    const rule = stop['rule'];
    const looks = numbersIn(stop['looks']);
    if (rule === 'sprt' || rule === 'gate' || rule === 'futility') flags.stop = rule;
    if (rule === 'sequential' && looks !== undefined) flags.sequential = looks;
    const most = numberIn(stop, 'most');
    Object.assign(flags, {
      bar: numberIn(stop, 'bar'),
      dropTo: numberIn(stop, 'dropTo'),
      falseAlarm: numberIn(stop, 'falseAlarm'),
      miss: numberIn(stop, 'miss'),
      trials: rule === 'sequential' ? undefined : most,
    });
  }
  if (isJsonObject(budget)) {
    Object.assign(flags, { budget: numberIn(budget, 'cost'), budgetTokens: numberIn(budget, 'tokens') });
  }
  return flags;
}

/**
 * Rules are fixed before the first trial: a run that goes on under others would be no sample of either.
 * @throws AssayError `USAGE`
 */
export function requireSameRule(settings: JsonObject, flags: StopFlags): void {
  const stored = settings['stop'] ?? null;
  const wanted = ruleOf(flags)?.description ?? null;
  if (canonicalJson(stored) === canonicalJson(wanted)) return;
  refuse(
    'the run was begun under another stopping rule, and rules are fixed before the first trial',
    'leave suite and rule out, as both are stored: assay run --resume RUN; or start a new run',
  );
}
