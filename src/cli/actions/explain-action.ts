import { AssayError, didYouMean } from '../../core/index.js';
import { checkReference } from '../../grade/index.js';
import { say } from '../streams.js';

/** `assay explain`: one check in full, or all of them a line each. */
export function explainAction(name: string | undefined): void {
  if (name === undefined) {
    const width = Math.max(...checkReference.map((entry) => entry.name.length));
    say(checkReference.map((entry) => `${entry.name.padEnd(width)}  ${entry.passes}`).join('\n'));
    return;
  }
  const wanted = name.startsWith('not-') ? name.slice(4) : name;
  const entry =
    checkReference.find((candidate) => candidate.name === name) ??
    checkReference.find((candidate) => candidate.name === wanted);
  if (entry === undefined) {
    const meant = didYouMean(
      wanted,
      checkReference.map((candidate) => candidate.name),
    );
    throw new AssayError('INPUT', `no check is called ${JSON.stringify(name)}`, {
      fix: meant === null ? 'assay explain lists them all' : `did you mean ${meant}?`,
    });
  }
  say(JSON.stringify(entry, null, 2));
}
