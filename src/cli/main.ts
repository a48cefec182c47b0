#!/usr/bin/env node
import { assayVersion } from '../core/index.js';

// The version must cost next to nothing: nothing else is loaded for it.
const words = process.argv.slice(2);
if (words.length === 1 && (words[0] === '--version' || words[0] === '-V')) {
  process.stdout.write(`${assayVersion()}\n`);
} else {
  const { runCommandLine } = await import('./command-line.js');
  process.exitCode = await runCommandLine(words);
}
