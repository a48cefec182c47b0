import { AssayError } from '../../core/index.js';
import { findCase, planRetire } from '../../curate/index.js';
import type { RetireFlags } from '../commands/suite-progress.js';
import { propose } from '../carry-out.js';
import { ExitCode } from '../exit-code.js';
import { openOneSuite } from '../open-one-suite.js';

/** `assay suite retire`: proposes, and acts once a person confirms. */
export async function retireAction(name: string, flags: RetireFlags): Promise<void> {
  if (flags.reason.trim() === '') {
    throw new AssayError('USAGE', '--reason must not be empty', { fix: 'say why' });
  }
  const { suite, cwd, context } = await openOneSuite(name, flags);
  const cases = [...new Set(flags.case ?? [])].map((id) => findCase(suite, id));
  // A script must not take for done what was only shown.
  if (!(await propose(planRetire(suite, cases, flags.reason, context), flags, cwd))) throw new ExitCode(1);
}
