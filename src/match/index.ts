/** Matching untrusted text: regular expressions and JSON Schemas, compiled once and never without a time bound. */
export { withinTime } from './bounded.js';
export type { Compiled, PatternMatch } from './pattern-match.js';
export { compilePattern, searchPattern, type PatternDialect } from './pattern-search.js';
export { compileSchema, schemaDifference } from './json-schema.js';
export { patternFault, schemaFault } from './fault.js';
export { matchesPathGlob } from './path-glob.js';
