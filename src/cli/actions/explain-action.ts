import { AssayError, didYouMean } from '../../core/index.js';
import { checkReference, describeCheck, type CheckReference } from '../../grade/index.js';
import type { ExplainFlags } from '../commands/explain.js';
import { say } from '../streams.js';

const list = (entries: readonly CheckReference[]): string => {
  const width = Math.max(...entries.map((entry) => entry.name.length));
  return entries.map((entry) => `${entry.name.padEnd(width)}  ${entry.passes}`).join('\n');
};

/** The checks in a key of `expects` that is none itself, such as budget. */
const within = (group: string): CheckReference[] =>
  checkReference.filter((entry) =>
    entry.parameters.some(
      (parameter) => entry.writtenIn === 'fixture' && parameter.name.startsWith(`expects.${group}.`),
    ),
  );

function indented(text: string): string {
  return text.replaceAll(/^/gm, '  ');
}

function page(entry: CheckReference): string {
  const blocks = [`${entry.name} passes when ${entry.passes}`];
  if (entry.notes.length > 0) blocks.push(entry.notes.join('\n'));
  if (entry.writtenIn === 'assertion') {
    const width = Math.max(...entry.parameters.map((parameter) => parameter.name.length));
    const rows = entry.parameters.map(
      ({ name, type, required, meaning }) =>
        `${name.padEnd(width)}  ${type}${required ? ', needed' : ''}: ${meaning}`,
    );
    blocks.push(`keys\n${indented(rows.join('\n'))}`);
    blocks.push(`not-${entry.name} passes where it fails`);
  }
  if (entry.yaml !== null) blocks.push(`in a suite\n${indented(entry.yaml)}`);
  blocks.push(`${entry.writtenIn === 'fixture' ? 'in a fixture' : 'as JSON'}\n${indented(entry.json)}`);
  return blocks.join('\n\n');
}

/** `assay explain`: one check in full, or all of them a line each. */
export function explainAction(name: string | undefined, flags: ExplainFlags): void {
  if (name === undefined) {
    say(flags.json === true ? JSON.stringify(checkReference, null, 2) : list(checkReference));
    return;
  }
  const entry = describeCheck(name);
  if (entry === null) {
    const members = within(name).map((candidate) => candidate.name);
    const meant = didYouMean(
      name.startsWith('not-') ? name.slice(4) : name,
      checkReference.map((candidate) => candidate.name),
    );
    const other = meant === null ? 'assay explain lists them all' : `did you mean ${meant}?`;
    throw new AssayError('INPUT', `no check is called ${JSON.stringify(name)}`, {
      fix: members.length > 0 ? `the checks in it are ${members.join(', ')}` : other,
    });
  }
  say(flags.json === true ? JSON.stringify(entry, null, 2) : page(entry));
}
