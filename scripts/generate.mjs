// Writes the references that come from the code: JSON Schemas, command-line help, the table of checks.
// With --check it writes nothing and fails when a file differs from what the code says.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

const check = process.argv.includes('--check');
const { generatedFiles } = await import('../dist/cli/generated-files.js');

let stale = 0;
for (const [path, text] of generatedFiles()) {
  if (existsSync(path) && readFileSync(path, 'utf8') === text) continue;
  stale += 1;
  if (check) {
    console.error(`${path} is out of date: run npm run generate`);
  } else {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    console.log(`wrote ${path}`);
  }
}
if (check && stale > 0) process.exit(1);
if (check) console.log('generated references: up to date');
