// Compiles src/ to dist/ and makes the command line executable.
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, rmSync } from 'node:fs';

const clean = process.argv.includes('--clean') || !existsSync('dist/cli/main.js');
if (clean) {
  rmSync('dist', { recursive: true, force: true });
  rmSync('node_modules/.cache/assay.tsbuildinfo', { force: true });
}
const compiled = spawnSync(
  process.execPath,
  ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json'],
  {
    stdio: 'inherit',
  },
);
if (compiled.status !== 0) process.exit(compiled.status ?? 1);
chmodSync('dist/cli/main.js', 0o755);
