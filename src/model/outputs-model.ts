import type {
  LanguageModelV3,
  LanguageModelV3CallOptions,
  LanguageModelV3GenerateResult,
} from '@ai-sdk/provider';
import { quote } from '../core/index.js';
import { readCallContext } from './call-context.js';
import { ModelError } from './model-error.js';
import type { StoredOutputs } from './outputs.js';
import { generateResult, streamResult } from './reply.js';
import { providerUsage } from './usage.js';

function answer(outputs: StoredOutputs, options: LanguageModelV3CallOptions): LanguageModelV3GenerateResult {
  const { caseId, trial } = readCallContext(options);
  const text = outputs.get(caseId, trial);
  if (text === undefined) {
    throw new ModelError(
      'outputs',
      `${outputs.file} has no output for trial ${trial} of case ${quote(caseId)}`,
      {
        fix: 'add the line, or ask for fewer trials',
      },
    );
  }
  return generateResult({
    text,
    usage: providerUsage({}),
    servedModel: null,
    downgraded: false,
    cost: null,
    finishReason: { unified: 'stop', raw: undefined },
    warnings: [],
  });
}

/**
 * Stored answers as a language model: it gives the answer of the call's case and trial, whatever the prompt. A missing
 * answer is a `ModelError` of kind `outputs`, never an empty text.
 */
export function createOutputsModel(outputs: StoredOutputs): LanguageModelV3 {
  return {
    specificationVersion: 'v3',
    provider: 'assay.outputs',
    modelId: outputs.file,
    supportedUrls: {},
    doGenerate: async (options) => answer(outputs, options),
    doStream: async (options) => streamResult(answer(outputs, options)),
  };
}
