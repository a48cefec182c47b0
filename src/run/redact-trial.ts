import type { Check, Message, Recording, TrialResult, TurnRecord } from '../core/index.js';

/** Takes out of a text what must not be kept. */
export type Redact = (text: string) => string;

/** A list with every item replaced; the list itself where nothing changes, as nearly always. */
function mapItems<Item>(items: Item[], replace: (item: Item) => Item): Item[] {
  for (let index = 0; index < items.length; index += 1) {
    const item = items[index];
    if (item !== undefined && replace(item) !== item) return items.map(replace);
  }
  return items;
}

function mapTexts(value: unknown, redact: Redact): unknown {
  if (typeof value === 'string') return redact(value);
  if (Array.isArray(value)) return mapItems<unknown>(value, (item) => mapTexts(item, redact));
  if (typeof value !== 'object' || value === null) return value;
  let copy: object | null = null;
  for (const key of Object.keys(value)) {
    const member: unknown = Reflect.get(value, key);
    const replaced = mapTexts(member, redact);
    if (replaced === member) continue;
    copy ??= { ...value };
    Object.defineProperty(copy, key, {
      value: replaced,
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  return copy ?? value;
}

/** The same value with every text redacted. Texts stay texts, so it keeps its shape. */
function redacted<Value>(value: Value, redact: Redact): Value {
  return mapTexts(value, redact) as Value;
}

/** What the suite itself says stays as it is: it stands in the suite's file, and later gradings compare with it. */
function redactMessage(message: Message, redact: Redact, simulated: ReadonlySet<string>): Message {
  const written = message.role === 'system' || (message.role === 'user' && !simulated.has(message.text));
  return written ? message : redacted(message, redact);
}

/** A simulated user's words come from a model like the answers. */
function redactTurn(turn: TurnRecord, redact: Redact): TurnRecord {
  const { user, text, simulated } = turn;
  const answer = redact(text);
  const words = simulated === true ? redact(user) : user;
  return answer === text && words === user ? turn : { ...turn, user: words, text: answer };
}

/** Members of a recording that are looked at by themselves, hold no text, or none that came from the agent. */
const NOT_WALKED: ReadonlySet<string> = new Set([
  'receipt',
  'turns',
  'messages',
  'usage',
  'llmCalls',
  'durationMs',
] satisfies (keyof Recording)[]);

function redactRecording(recording: Recording, redact: Redact): Recording {
  const turns = mapItems(recording.turns, (turn) => redactTurn(turn, redact));
  const simulated = new Set<string>();
  for (const turn of recording.turns) if (turn.simulated === true) simulated.add(turn.user);
  const messages = mapItems(recording.messages, (message) => redactMessage(message, redact, simulated));
  const same = turns === recording.turns && messages === recording.messages;
  let copy: Recording | null = same ? null : { ...recording, turns, messages };
  for (const [name, member] of Object.entries(recording)) {
    if (NOT_WALKED.has(name)) continue;
    const replaced = redacted<unknown>(member, redact);
    if (replaced === member) continue;
    copy ??= { ...recording };
    Reflect.set(copy, name, replaced);
  }
  return copy ?? recording;
}

/** Labels are left alone: they quote the suite, and baselines key on them. */
function redactCheck(check: Check, redact: Redact): Check {
  const { evidence, judge } = check;
  const shown = redact(evidence);
  const said = judge === undefined ? undefined : redacted(judge, redact);
  if (shown === evidence && said === judge) return check;
  return { ...check, evidence: shown, ...(said === undefined ? {} : { judge: said }) };
}

/**
 * A finished trial with everything that came from the agent, its model, its tools and the graders redacted: before it
 * is stored, counted or shown, and after it was graded. The trial itself where there is nothing to take out.
 */
export function redactTrial(trial: TrialResult, redact: Redact): TrialResult {
  const { error, recording } = trial;
  const message = error === null ? null : redact(error.message);
  const checks = mapItems(trial.checks, (check) => redactCheck(check, redact));
  const kept = recording === null ? null : redactRecording(recording, redact);
  if (message === (error?.message ?? null) && checks === trial.checks && kept === recording) return trial;
  return {
    ...trial,
    error: error === null || message === null ? null : { kind: error.kind, message },
    checks,
    recording: kept,
  };
}
