/** Who answers and who judges, as named and as served. */
export interface JudgePairing {
  /** The models as resolved from the configuration: `claude-cli:sonnet`. */
  agentRef: string;
  judgeRef: string;
  /** The models as the providers said they served them; null before the first call, or when nobody says. */
  agentServed: string | null;
  judgeServed: string | null;
  /** The user allows a model to judge itself. */
  override: boolean;
}

/** Whether the judge is another model than the agent. */
export type Distinctness =
  /** `note`: what a report should add, as one family or an alias that may still turn out to be the same. */
  | { status: 'distinct'; note: string | null }
  /** Refused. */
  | { status: 'same'; message: string; fix: string }
  /** Allowed by the override; `mark` belongs in the report. */
  | { status: 'overridden'; mark: string };

interface Identity {
  vendor: string;
  /** The model's id without vendor path, date and `latest`. */
  model: string;
  /** Digits of the date in the id; '' when it has none. */
  date: string;
}

// The subscription command lines serve their vendor's models.
const VENDORS: ReadonlyMap<string, string> = new Map([
  ['claude-cli', 'anthropic'],
  ['codex-cli', 'openai'],
  ['gemini-cli', 'google'],
]);
// What only repeats stored text is no model and cannot prefer itself.
const NOT_A_MODEL = new Set(['scripted', 'outputs']);
const TIERS = ['haiku', 'sonnet', 'opus', 'fable'];
const DATE = /[-@](\d{8}|\d{4}-\d{2}-\d{2})$/;

function identityOfId(id: string, vendor: string): Identity {
  const lowered = id.trim().toLowerCase();
  const bare = lowered
    .slice(lowered.lastIndexOf('/') + 1)
    .replace(/^(?:[a-z]{2,6}\.)?anthropic\./, '')
    // How much context it gets, and by which route it is reached.
    .replace(/\[[^\]]*\]$/, '')
    .replace(/:(?:free|nitro|floor|online|beta|extended|exacto)$/, '')
    .replace(/-v\d+(?::\d+)?$/, '')
    .replace(/[-:]latest$/, '')
    .replaceAll('.', '-');
  const date = DATE.exec(bare)?.[1]?.replaceAll('-', '') ?? '';
  return { vendor, model: bare.replace(DATE, ''), date };
}

function kindOf(ref: string): string {
  const colon = ref.indexOf(':');
  return (colon === -1 ? ref : ref.slice(0, colon)).trim().toLowerCase();
}

/** A server by one name, also where its machine is this one. */
function serverOf(url: string): string {
  return url
    .replace(/\/+$/, '')
    .replace(/^(https?:\/\/)(?:localhost|127(?:\.\d+){3}|\[::1\])(?=[:/]|$)/i, '$1localhost');
}

function identityOfRef(ref: string): Identity {
  const kind = kindOf(ref);
  const rest = ref.slice(ref.indexOf(':') + 1);
  const vendor = VENDORS.get(kind) ?? kind;
  if (kind === 'module') return { vendor, model: rest.trim(), date: '' };
  if (kind === 'openai-compatible') {
    const at = rest.indexOf('@');
    if (at === -1) return identityOfId(rest, vendor);
    const server = serverOf(rest.slice(at + 1));
    return identityOfId(rest.slice(0, at), `${vendor}@${server}`);
  }
  return identityOfId(rest, ref.includes(':') ? vendor : '');
}

/** The same model: dates matter only when both ids carry one. */
function sameModel(left: Identity, right: Identity): boolean {
  return left.model === right.model && (left.date === '' || right.date === '' || left.date === right.date);
}

function sameRef(left: Identity, right: Identity): boolean {
  const sameVendor = left.vendor === right.vendor || left.vendor === '' || right.vendor === '';
  return sameVendor && sameModel(left, right);
}

function tierOf(model: string): string | null {
  return TIERS.find((tier) => model.split('-').includes(tier)) ?? null;
}

/** Says how two pairings name one model, or null when nothing shows that they do. */
function sameness(pairing: JudgePairing, agent: Identity, judge: Identity): string | null {
  if (sameRef(agent, judge)) return `both are named ${pairing.judgeRef}`;
  const agentServed = pairing.agentServed === null ? null : identityOfId(pairing.agentServed, '');
  const judgeServed = pairing.judgeServed === null ? null : identityOfId(pairing.judgeServed, '');
  if (agentServed !== null && judgeServed !== null) {
    return sameModel(agentServed, judgeServed) ? `both were served by ${pairing.judgeServed}` : null;
  }
  if (agentServed !== null && sameModel(agentServed, judge)) {
    return `the agent was served by ${pairing.agentServed}, which is the judge`;
  }
  if (judgeServed !== null && sameModel(judgeServed, agent)) {
    return `the judge was served by ${pairing.judgeServed}, which is the agent`;
  }
  return null;
}

function noteOn(pairing: JudgePairing, agent: Identity, judge: Identity): string | null {
  // The models of one's own modules have no vendor that they could share.
  const shared = agent.vendor === judge.vendor && agent.vendor !== '' && agent.vendor !== 'module';
  if (!shared) return null;
  const served = pairing.agentServed !== null && pairing.judgeServed !== null;
  const tier = tierOf(agent.model);
  if (!served && tier !== null && tier === tierOf(judge.model)) {
    return `${pairing.agentRef} and ${pairing.judgeRef} are of one tier and may be served by one model`;
  }
  return `agent and judge are both models of ${agent.vendor}`;
}

/**
 * Checks that the judge is another model than the agent: by the resolved names before anything is served, and once
 * more by what was served, where an alias shows what it stands for. A pure function of its input.
 */
export function assertDistinct(pairing: JudgePairing): Distinctness {
  if (NOT_A_MODEL.has(kindOf(pairing.agentRef)) || NOT_A_MODEL.has(kindOf(pairing.judgeRef))) {
    return { status: 'distinct', note: null };
  }
  const agent = identityOfRef(pairing.agentRef);
  const judge = identityOfRef(pairing.judgeRef);
  const how = sameness(pairing, agent, judge);
  if (how === null) return { status: 'distinct', note: noteOn(pairing, agent, judge) };
  if (pairing.override) return { status: 'overridden', mark: `the model judges itself: ${how}` };
  return {
    status: 'same',
    message: `the judge is the model under test: ${how}`,
    fix: 'Name another model as judge, or allow it with --allow-same-judge; the report then says so.',
  };
}
