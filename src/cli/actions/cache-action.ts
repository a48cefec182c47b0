import { join } from 'node:path';
import { loadConfig } from '../../config/index.js';
import { plural } from '../../core/index.js';
import { clearCache } from '../../model/index.js';
import { storeRoot } from '../run-store.js';
import { say } from '../streams.js';

/** `assay cache clear`. */
export async function cacheClearAction(flags: { config?: string }): Promise<void> {
  const loaded = await loadConfig(process.cwd(), flags.config);
  const removed = await clearCache(join(storeRoot(loaded), 'cache'));
  say(`removed ${plural(removed, 'stored answer')}`);
}
