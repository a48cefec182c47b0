// Installs the whole agents that tests run, each in its own folder from its own lock, so that nothing of them is a
// dependency of Assay. Without a network the tests of an agent are left out, but never where CI is set.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(import.meta.dirname, '../test/agents/pi');

/** What is installed is what the lock asks for. */
function isInstalled() {
  const [name] = Object.keys(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).dependencies);
  const lock = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8'));
  const manifest = join(folder, 'node_modules', name, 'package.json');
  if (!existsSync(join(folder, 'node_modules/.bin/pi')) || !existsSync(manifest)) return false;
  const { version } = JSON.parse(readFileSync(manifest, 'utf8'));
  return version === lock.packages[`node_modules/${name}`].version;
}

if (!isInstalled()) {
  console.error('installing the agents that tests run: npm ci in test/agents/pi');
  const { status } = spawnSync(
    'npm',
    ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'],
    {
      cwd: folder,
      stdio: ['ignore', 'inherit', 'inherit'],
      shell: process.platform === 'win32',
    },
  );
  if (status !== 0) {
    console.error('test/agents/pi could not be installed; its tests are left out');
    if (process.env.CI) process.exitCode = 1;
  }
}
