import type { LanguageModelV3CallOptions } from '@ai-sdk/provider';

/** Which trial a call belongs to; travels to models as `providerOptions.assay`. */
export interface CallContext {
  /** '' when the call belongs to no case. */
  caseId: string;
  /** 1-based. */
  trial: number;
  /** What the call is for: `agent`, `judge`, ... */
  purpose: string;
}

/** Provider options that carry a call's context. Provider packages ignore options that are not theirs. */
export function contextOptions(
  context: CallContext,
): NonNullable<LanguageModelV3CallOptions['providerOptions']> {
  return { assay: { caseId: context.caseId, trial: context.trial, purpose: context.purpose } };
}

/** The context of a call, with neutral values where a caller did not give it. */
export function readCallContext(options: LanguageModelV3CallOptions): CallContext {
  const given = options.providerOptions?.['assay'] ?? {};
  const { caseId, trial, purpose } = given;
  return {
    caseId: typeof caseId === 'string' ? caseId : '',
    trial: typeof trial === 'number' ? trial : 1,
    purpose: typeof purpose === 'string' ? purpose : '',
  };
}
