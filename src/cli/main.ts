#!/usr/bin/env node
import { assayVersion } from '../core/index.js';
import { tuneEngine } from './engine.js';
import { isHookCall } from './hook-call.js';

// The version must cost next to nothing: nothing else is loaded for it.
const words = process.argv.slice(2);
if (words.length === 1 && (words[0] === '--version' || words[0] === '-V')) {
  process.stdout.write(`${assayVersion()}\n`);
} else {
  tuneEngine();
  let ended = false;
  // Code of the user's that runs here (a model module) may end the process; that is no result, and never a pass.
  process.on('exit', (code) => {
    if (ended || code !== 0 || isHookCall(words)) return;
    process.stderr.write('assay: the process was ended before there was a result\n');
    process.exitCode = 1;
  });
  if (isHookCall(words)) {
    process.on('uncaughtException', (error) => {
      process.stderr.write(`assay hook: ${error.message}\n`);
      process.exit(0);
    });
  }
  const { endProcess, runCommandLine } = await import('./command-line.js');
  const code = await runCommandLine(words);
  ended = true;
  process.exitCode = code;
  // What the user's code left running (a timer, a socket) must not keep a finished command alive.
  endProcess(code, words);
}
