/** Suites over time: lint. */
export { lintSuite, type LintFinding } from './lint.js';
