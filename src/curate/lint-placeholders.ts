import { clip, quote } from '../core/index.js';
import { redactSecrets } from '../store/index.js';
import type { Case } from '../suite/index.js';
import { caseFinding, type LintFinding } from './lint-finding.js';

/** Top-level domains and hosts that belong to nobody (RFC 2606, RFC 6761). */
const RESERVED = /(?:^|\.)(?:example(?:\.(?:com|org|net|edu))?|test|invalid|localhost|local)$/i;
/** Addresses for documentation and of one's own machine (RFC 5737, RFC 1122). */
const RESERVED_ADDRESS = /^(?:192\.0\.2|198\.51\.100|203\.0\.113|127\.\d+\.\d+|0\.0\.0)\.\d+$/;

const EMAIL = /[A-Za-z0-9._%+-]{1,64}@([A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,8})/g;
const URL_HOST =
  /\b(?:https?|wss?|ftp|ssh|postgres(?:ql)?|mysql|redis|mongodb):\/\/(?:[^\s/@"']{1,128}@)?(\[?[A-Za-z0-9.:-]{1,253}\]?)/g;
const ADDRESS = /(?<![\d.])(?:\d{1,3}\.){3}\d{1,3}(?![\d.])/g;
const PHONE = /(?<![\w+])\+\d[\d ()-]{7,18}\d(?!\w)/g;
const PERSON = /\b(?:Mr|Mrs|Ms|Dr|Prof)\.? \p{Lu}\p{Ll}+(?: \p{Lu}\p{Ll}+)?/gu;
/** Names that everyone knows to stand for nobody. */
const NOBODY = /\b(?:Doe|Example|Placeholder|Test|Smith|Nobody|Sample|User)\b/;

interface Found {
  what: string;
  text: string;
  fix: string;
}

function hostOf(written: string): string {
  return written.replace(/:\d*$/, '').replace(/[.:]+$/, '');
}

function isReservedHost(host: string): boolean {
  return RESERVED.test(host) || RESERVED_ADDRESS.test(host) || !host.includes('.') || host === '[::1]';
}

function* findIn(text: string): Generator<Found> {
  for (const match of text.matchAll(EMAIL)) {
    // In the address of a server it is a user and a host.
    const inUrl = /:\/\/\S*$/.test(text.slice(0, match.index));
    if (!inUrl && !RESERVED.test(match[1] ?? ''))
      yield { what: 'an e-mail address', text: match[0], fix: 'write one at example.com' };
  }
  for (const match of text.matchAll(URL_HOST)) {
    const host = hostOf(match[1] ?? '');
    if (!isReservedHost(host))
      yield { what: 'a real host', text: host, fix: 'write a host under example.com' };
  }
  for (const match of text.matchAll(ADDRESS)) {
    const [address] = match;
    const isAddress = address.split('.').every((part) => Number(part) <= 255);
    if (isAddress && !RESERVED_ADDRESS.test(address) && !/[\d.]:\/\/$/.test(text.slice(0, match.index)))
      yield { what: 'an IP address', text: address, fix: 'write one of 192.0.2.0/24' };
  }
  for (const match of text.matchAll(PHONE)) {
    if (!/555[ -]?01\d\d$/.test(match[0]))
      yield {
        what: 'a telephone number',
        text: match[0],
        fix: 'write one that ends in 555-0100 to 555-0199',
      };
  }
  for (const match of text.matchAll(PERSON)) {
    if (!NOBODY.test(match[0]))
      yield { what: 'the name of a person', text: match[0], fix: 'write a role, or Doe' };
  }
  if (redactSecrets(text) !== text)
    yield {
      what: 'something with the shape of a key',
      text: '',
      fix: 'write a placeholder such as KEY-PLACEHOLDER',
    };
}

function* textsIn(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (Array.isArray(value)) for (const item of value) yield* textsIn(item);
  else if (typeof value === 'object' && value !== null)
    for (const item of Object.values(value)) yield* textsIn(item);
}

/** Names, keys, hosts and addresses that may be real, in prompts, scripts, files and checks; each is said once. */
export function realData(tested: Case): LintFinding[] {
  const seen = new Set<string>();
  const findings: LintFinding[] = [];
  const { turns, checks, setupFiles, systemPrompt, curation, scenario } = tested;
  for (const text of textsIn([
    turns,
    checks,
    setupFiles,
    systemPrompt,
    [scenario?.persona, scenario?.goal, scenario?.stopSentence],
    curation?.reference,
    curation?.knownBad,
  ])) {
    for (const found of findIn(text)) {
      const key = `${found.what}${found.text}`;
      if (seen.has(key)) continue;
      seen.add(key);
      // A key is never repeated, not even in part.
      const shown = found.text === '' ? '' : `: ${quote(clip(found.text, 60))}`;
      findings.push(
        caseFinding(
          tested,
          'no-placeholder',
          `the case holds ${found.what} that may be real${shown}`,
          found.fix,
        ),
      );
    }
  }
  return findings;
}
