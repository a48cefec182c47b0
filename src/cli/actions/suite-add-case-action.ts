import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { AssayError, errorMessage, type JsonObject, type JsonValue } from '../../core/index.js';
import { parseCaseText, parseYamlValue, planAddCase } from '../../curate/index.js';
import type { AddCaseFlags } from '../commands/suite-manage.js';
import { carryOut } from '../carry-out.js';
import { openOneSuite } from '../open-one-suite.js';

function caseFromFile(file: string, cwd: string): { value: JsonValue; raw: string | null } {
  const about = file === '-' ? 'stdin' : file;
  let text: string;
  try {
    text = readFileSync(file === '-' ? 0 : resolve(cwd, file), 'utf8');
  } catch (error) {
    throw new AssayError('INPUT', `${about} cannot be read: ${errorMessage(error)}`);
  }
  return parseCaseText(text, about);
}

/** The keys that both formats have, from the command line. */
function caseFromFlags(flags: AddCaseFlags, isFixture: boolean): JsonValue {
  const { id, prompt, answer } = flags;
  if (id === undefined || prompt === undefined) {
    throw new AssayError('USAGE', 'a case needs --id and --prompt, or --file', {
      fix: 'assay suite add-case SUITE --id ID --prompt TEXT --assert "{type: contains, value: ok}"',
    });
  }
  const assertions = (flags.assert ?? []).map((text) => parseYamlValue(text, '--assert'));
  const tags = flags.tag === undefined ? {} : { tags: flags.tag };
  if (!isFixture) {
    const negative: JsonObject = flags.negative === true ? { negative: true } : {};
    return { id, ...negative, prompt, ...tags, assert: assertions };
  }
  const polarity = flags.negative === true ? ['should-not'] : [];
  const labels = [...polarity, ...(flags.tag ?? [])];
  const step = { response: { type: 'text', content: answer ?? '' } };
  return {
    model_name: id,
    ...(labels.length === 0 ? {} : { tags: labels }),
    turns: [{ user_input: prompt, ...(answer === undefined ? {} : { steps: [step] }) }],
    expects: { assert: assertions },
  };
}

/** `assay suite add-case`. */
export async function addCaseAction(name: string, flags: AddCaseFlags): Promise<void> {
  const { suite, cwd, context } = await openOneSuite(name, flags);
  const { value, raw } =
    flags.file === undefined
      ? { value: caseFromFlags(flags, suite.format === 'trace'), raw: null }
      : caseFromFile(flags.file, cwd);
  await carryOut(planAddCase(suite, value, raw, context), cwd);
}
