import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
let version: string | null = null;

/** Version of this package, from its package.json. */
export function assayVersion(): string {
  if (version === null) {
    const manifest: unknown = require('../../package.json');
    const found =
      typeof manifest === 'object' && manifest !== null ? Reflect.get(manifest, 'version') : undefined;
    version = typeof found === 'string' ? found : '0.0.0';
  }
  return version;
}
