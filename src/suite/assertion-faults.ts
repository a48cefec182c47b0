import { quote } from '../core/index.js';
import { patternFault } from '../match/index.js';

const FLAGS = 'dgimsuvy';

/** Why a JavaScript pattern with these flags cannot be used; null when it can. A leading `(?ims)` group is allowed. */
export function expressionFault(
  pattern: string,
  flags: string,
): { at: 'flags' | 'value'; message: string } | null {
  const wrong = Array.from(flags).find(
    (flag, index) => !FLAGS.includes(flag) || flags.indexOf(flag) !== index,
  );
  if (wrong !== undefined) {
    return {
      at: 'flags',
      message: `${quote(wrong)} ${FLAGS.includes(wrong) ? 'is given twice' : 'is not a flag'}`,
    };
  }
  const message = patternFault(pattern, flags, 'javascript');
  return message === null ? null : { at: 'value', message };
}
