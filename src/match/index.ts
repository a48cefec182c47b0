import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** Why a pattern cannot be used, in the words of its compiler; null when it can. */
export function patternFault(pattern: string, _flags: string, dialect: 'javascript' | 're2'): string | null {
  try {
    if (dialect === 'javascript') RegExp(pattern);
    else (require('re2js') as typeof import('re2js')).RE2JS.compile(pattern);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
