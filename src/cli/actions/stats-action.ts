import { AssayError, didYouMean, parseJson } from '../../core/index.js';
import { statsGroups, StatsError } from '../../stats/index.js';
import { ExitCode } from '../exit-code.js';
import { say } from '../streams.js';

function listText(): string {
  const lines: string[] = [];
  for (const group of statsGroups.values()) {
    lines.push(
      group.name,
      `  ${group.summary}`,
      `  formula: ${group.formula}`,
      `  in: ${group.inputs.join(', ')}`,
      `  out: ${group.outputs.join(', ')}`,
      `  assay stats ${group.name} '${JSON.stringify(group.example)}'`,
      '',
    );
  }
  return lines.join('\n');
}

/** `assay stats`: prints the outputs as JSON; a typed error prints `{"error": CODE}` and exits 1. */
export function statsAction(name: string | undefined, input: string | undefined, list: boolean): void {
  if (list || name === undefined) {
    say(listText());
    return;
  }
  const group = statsGroups.get(name);
  if (group === undefined) {
    const meant = didYouMean(name, statsGroups.keys());
    throw new AssayError('USAGE', `no statistic is called ${name}`, {
      fix: meant === null ? 'assay stats --list names them' : `did you mean ${meant}?`,
    });
  }
  const parsed = parseJson(input ?? '{}');
  if (!parsed.ok) {
    throw new AssayError('USAGE', `the inputs are not JSON: ${parsed.message}`, {
      fix: `example: assay stats ${group.name} '${JSON.stringify(group.example)}'`,
    });
  }
  try {
    say(JSON.stringify(group.run(parsed.value)));
  } catch (error) {
    if (!(error instanceof StatsError)) throw error;
    say(JSON.stringify({ error: error.code, message: error.message }));
    throw new ExitCode(1);
  }
}
