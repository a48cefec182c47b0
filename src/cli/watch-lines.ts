import { terminalLine, type JsonValue } from '../core/index.js';

function text(value: JsonValue | undefined): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

function what(entry: { [fact: string]: JsonValue }): string {
  const reason = text(entry['reason']);
  switch (text(entry['event'])) {
    case 'run': {
      const why = reason === null ? '' : ` (${reason})`;
      return `${text(entry['verdict']) ?? (entry['passed'] === true ? 'passed' : 'failed')}: ${text(entry['summary']) ?? ''}${why}`;
    }
    case 'error':
      return `could not run: ${text(entry['error']) ?? 'unknown reason'}`;
    case 'notify':
      return JSON.stringify(entry['delivery'] ?? {});
    case 'queued':
      return 'will be tested when the burst is over';
    case null:
    default:
      return reason ?? '';
  }
}

/** A line of the log of changed configurations as people read it; safe to print. */
export function entryLine(entry: { [fact: string]: JsonValue }, shown: (path: string) => string): string {
  const at = text(entry['ts'])?.slice(0, 19).replace('T', ' ') ?? '';
  const trigger = text(entry['trigger']);
  const head = [at, (text(entry['event']) ?? 'unknown').padEnd(18), trigger === null ? '-' : shown(trigger)];
  return terminalLine([...head.filter((part) => part !== ''), what(entry)].join('  '));
}
