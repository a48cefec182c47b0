import { AssayError } from '../core/index.js';
import type { ModelRef } from '../model/index.js';
import type { CaseTraits } from '../suite/index.js';
import type { RunFlags } from './commands/run.js';

/**
 * Models that cannot bill an account: scripts and stored answers, and the command lines of subscriptions, whose
 * environment is stripped of every key. Code of the user's, a provider, and a server (a local one may be a proxy) can.
 */
const FREE: ReadonlySet<ModelRef['kind']> = new Set([
  'scripted',
  'outputs',
  'claude-cli',
  'codex-cli',
  'gemini-cli',
]);

const FIX = 'leave --no-spend out (over MCP: allow_spend: true, with max_cost), or name a subscription';

/**
 * Refuses a model that may bill an account, where that is not allowed.
 * @throws AssayError `LIMIT`, before anything is asked
 */
export function refuseBilling(ref: ModelRef | null, flags: Pick<RunFlags, 'spend'>): void {
  if (flags.spend !== false || ref === null || FREE.has(ref.kind)) return;
  throw new AssayError('LIMIT', `${ref.text} may bill an account, and --no-spend forbids that`, { fix: FIX });
}

/**
 * Refuses agents that find a model by themselves, where nothing may bill an account.
 * @throws AssayError `LIMIT`, before anything is started
 */
export function refuseBillingAgents(kinds: CaseTraits['agents'], flags: Pick<RunFlags, 'spend'>): void {
  if (flags.spend !== false) return;
  const own = (['module', 'command', 'http'] as const).filter((kind) => kinds.has(kind));
  if (own.length === 0) return;
  throw new AssayError(
    'LIMIT',
    `agents of the kind ${own.join(', ')} may ask models of their own, which may bill an account, and --no-spend forbids that`,
    { fix: FIX },
  );
}
