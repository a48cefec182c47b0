// Compiles src/ to dist/, then bundles the command line into dist/bin/: a few files load faster than some hundreds.
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, rmSync } from 'node:fs';

// What the compiler remembers of its last output lies beside that output, so that the two cannot part.
if (process.argv.includes('--clean') || !existsSync('dist/cli/main.js')) {
  rmSync('dist', { recursive: true, force: true });
}
const tsc = ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json'];
const compiled = spawnSync(process.execPath, tsc, { stdio: 'inherit' });
if (compiled.status !== 0) process.exit(compiled.status ?? 1);

// These are loaded on demand from their packages, or are the user's own.
const BUNDLED = ['commander', 'diff', 'fastest-levenshtein', 'picocolors', 'smol-toml', 'yaml', 'zod'];
const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
const external = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies, ai: '' })
  .filter((name) => !BUNDLED.includes(name))
  .map((name) => new RegExp(`^${name.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}(/|$)`));

const { rolldown } = await import('rolldown');
rmSync('dist/bin', { recursive: true, force: true });

// The YAML library is loaded on demand, which a bundler does not see; it gets a file of its own.
const yaml = await rolldown({ input: 'node_modules/yaml/dist/index.js', platform: 'node' });
await yaml.write({ file: 'dist/bin/yaml.cjs', format: 'cjs', comments: { legal: true, jsdoc: false } });
await yaml.close();
const yamlFromOneFile = {
  name: 'yaml-from-one-file',
  transform(code, id) {
    if (!/[\\/]core[\\/]yaml-library\.js$/.test(id)) return null;
    const changed = code.replace("load('yaml')", "load('./yaml.cjs')");
    if (changed === code) throw new Error(`${id} does not load yaml as scripts/build.mjs expects`);
    return changed;
  },
};

const bundle = await rolldown({
  input: { main: 'dist/cli/main.js' },
  platform: 'node',
  external: [/^node:/, ...external],
  plugins: [yamlFromOneFile],
});
await bundle.write({
  dir: 'dist/bin',
  format: 'esm',
  entryFileNames: '[name].js',
  chunkFileNames: '[name]-[hash].js',
});
await bundle.close();
chmodSync('dist/bin/main.js', 0o755);
chmodSync('dist/cli/main.js', 0o755);
