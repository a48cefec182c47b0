// Runs after `npm ci` in a clone (never when the published package is installed):
// builds dist/ and links the command line into node_modules/.bin, so that `npx assay` works at once.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';

// `npx assay` in a clone links the clone into npm's cache and runs this again; what is built is used as it is.
const linking = process.env['npm_command'] === 'exec' && existsSync('dist/bin/main.js');

if (existsSync('node_modules/typescript') && !linking) {
  const built = spawnSync(process.execPath, ['scripts/build.mjs', '--clean'], { stdio: 'inherit' });
  if (built.status !== 0) process.exit(built.status ?? 1);
  if (process.platform !== 'win32') {
    mkdirSync('node_modules/.bin', { recursive: true });
    rmSync('node_modules/.bin/assay', { force: true });
    symlinkSync('../../dist/bin/main.js', 'node_modules/.bin/assay');
  }
}
