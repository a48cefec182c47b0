import { AssayError, quote } from '../../core/index.js';
import { parseKeyPath, parseYamlValue, planEdit, type EditRequest } from '../../curate/index.js';
import type { EditFlags } from '../commands/suite-manage.js';
import { carryOut } from '../carry-out.js';
import { openOneSuite } from '../open-one-suite.js';

function setting(written: string): EditRequest['set'][number] {
  const match = /^((?:[^=[]|\[[^\]]*\])+)=([\s\S]*)$/.exec(written);
  if (match === null) {
    throw new AssayError('USAGE', `--set ${quote(written)} sets nothing`, { fix: 'write key=value' });
  }
  return {
    path: parseKeyPath(match[1] ?? ''),
    value: parseYamlValue(match[2] ?? '', `--set ${match[1] ?? ''}`),
  };
}

/** `assay suite edit`. */
export async function editAction(name: string, flags: EditFlags): Promise<void> {
  const { suite, cwd, context } = await openOneSuite(name, flags);
  const request: EditRequest = {
    caseId: flags.case ?? null,
    set: (flags.set ?? []).map(setting),
    unset: (flags.unset ?? []).map(parseKeyPath),
  };
  await carryOut(planEdit(suite, request, context), cwd);
}
