import type { LanguageModelV3 } from '@ai-sdk/provider';
import { createRequire } from 'node:module';
import { ModuleThread } from './module-thread.js';

const load = createRequire(import.meta.url);

/** A model of the user's module, and whether it can be given tools. */
export interface ModuleModel {
  model: LanguageModelV3;
  toolCapable: boolean;
}

/**
 * Loads a module, TypeScript or JavaScript, in a thread of its own and takes its default export, else its export
 * `model`, else the named one: a function that answers, or a language model of the AI SDK (specification v3). Code that
 * blocks, ends its process or throws where nobody waits costs the calls that run in it, and never the run.
 * Throws a `ModelError` of kind `module`.
 * @param path absolute
 */
export async function loadModuleModel(
  path: string,
  exportName: string | null,
  name: string,
): Promise<ModuleModel> {
  const thread = new ModuleThread({ path, exportName, name, loader: load.resolve('jiti') });
  const { provider, modelId, supportedUrls, toolCapable } = await thread.open();
  const model: LanguageModelV3 = {
    specificationVersion: 'v3',
    provider,
    modelId,
    supportedUrls,
    doGenerate: (options) => thread.generate(options),
    doStream: (options) => thread.stream(options),
  };
  return { model, toolCapable };
}
