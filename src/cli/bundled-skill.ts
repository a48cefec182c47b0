import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Directory of the skill that comes with Assay; the same from the bundle and from the library's files. */
export const BUNDLED_SKILL: string = join(dirname(fileURLToPath(import.meta.url)), '../../skill');
