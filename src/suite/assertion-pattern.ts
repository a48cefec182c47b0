import type { CheckMaker } from './check-maker.js';
import { expressionFault } from './assertion-faults.js';

/** Anchors and `.*` alone: they match whatever the answer is. */
const ALWAYS_MATCHES = /^(?:\^?(?:\.\*\??)*|(?:\.\*\??)*\$?)$/;

/** The flags of a regular expression that compiles and can fail to match; null after refusing one that does not. */
export function patternFlags(pattern: string, flags: string, maker: CheckMaker): string | null {
  const fault = expressionFault(pattern, flags);
  if (fault !== null) {
    return fault.at === 'flags'
      ? maker.refuse('flags', fault.message, 'write flags out of i, m, s, u, v, y, each once')
      : maker.refuse(
          'value',
          `the regular expression does not compile: ${fault.message}`,
          'correct it; suites use JavaScript syntax',
        );
  }
  if (ALWAYS_MATCHES.test(pattern.replace(/^\(\?[a-z]+\)/, ''))) {
    return maker.refuse(
      'value',
      'the regular expression matches every answer, so it tests nothing',
      'say what must occur',
    );
  }
  return flags;
}
