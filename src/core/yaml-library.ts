import { createRequire } from 'node:module';
import type * as Yaml from 'yaml';

/** The YAML library, as its types describe it. */
export type YamlLibrary = typeof Yaml;

const load = createRequire(import.meta.url);
let library: YamlLibrary | null = null;

/**
 * The YAML library. It is heavy, so it is loaded with the first YAML text; the bundled command line has it in one file
 * (`scripts/build.mjs` puts the name of that file here), which loads four times as fast as the package's eighty.
 */
export function yamlLibrary(): YamlLibrary {
  library ??= load('yaml') as YamlLibrary;
  return library;
}
