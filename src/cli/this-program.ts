import { realpathSync } from 'node:fs';

/** Program and arguments that start this Assay. */
export function assayCommand(): readonly [string, string] {
  return [process.execPath, realpathSync(process.argv[1] ?? '')];
}
