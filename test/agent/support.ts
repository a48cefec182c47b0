import type { LanguageModelV3, LanguageModelV3GenerateResult, LanguageModelV3Prompt } from '@ai-sdk/provider';
import { AgentError, LoopSession, type LoopOptions } from '../../src/agent/index.js';
import { fixedSource, type JsonValue, type ScriptedStep } from '../../src/core/index.js';
import { ScriptedModel } from '../../src/model/index.js';
import { echoTool, type Tool, type ToolOutcome } from '../../src/tool/index.js';

/** A scripted text. */
export function text(content: string, inputTokens = 0, outputTokens = 0): ScriptedStep {
  return { type: 'text', content, inputTokens, outputTokens };
}

/** A scripted step of calls, each a tool and its arguments; they are numbered `c1`, `c2`, … */
export function calls(...wanted: [name: string, given: JsonValue][]): ScriptedStep {
  const toolCalls = wanted.map(([name, given], index) => ({ id: `c${index + 1}`, name, arguments: given }));
  return { type: 'tool_calls', toolCalls, inputTokens: 0, outputTokens: 0 };
}

/** A scripted call of echo. */
export function echo(message: string): ScriptedStep {
  return calls(['echo', { message }]);
}

/** A tool that does what it is told. */
export function tool(name: string, execute: Tool['execute']): Tool {
  return { name, description: 'A tool of the test.', parameters: { type: 'object' }, execute };
}

/** A tool that gives this outcome. */
export function outcome(name: string, given: ToolOutcome): Tool {
  return tool(name, () => given);
}

/** A model that notes what it is asked and answers as another one. */
export function watched(model: LanguageModelV3): {
  model: LanguageModelV3;
  prompts: LanguageModelV3Prompt[];
} {
  const prompts: LanguageModelV3Prompt[] = [];
  return {
    prompts,
    model: {
      specificationVersion: 'v3',
      provider: 'test',
      modelId: model.modelId,
      supportedUrls: {},
      doGenerate: (request) => {
        prompts.push(structuredClone(request.prompt));
        return model.doGenerate(request);
      },
      doStream: (request) => model.doStream(request),
    },
  };
}

/** A model that gives these replies as they are. */
export function replying(...contents: LanguageModelV3GenerateResult['content'][]): LanguageModelV3 {
  let next = 0;
  const model: LanguageModelV3 = {
    specificationVersion: 'v3',
    provider: 'test',
    modelId: 'replying',
    supportedUrls: {},
    doGenerate: async () => {
      const content = contents[next];
      next += 1;
      if (content === undefined) throw new Error('no reply is left');
      const named = content.some((part) => part.type === 'tool-call');
      return {
        content,
        finishReason: { unified: named ? 'tool-calls' : 'stop', raw: undefined },
        usage: {
          inputTokens: { total: 1, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
          outputTokens: { total: 1, text: undefined, reasoning: undefined },
        },
        warnings: [],
      };
    },
    doStream: async () => {
      throw new Error('the loop does not stream');
    },
  };
  return model;
}

/** A loop over a model, with echo as its only tool unless told otherwise. */
export function loopOver(model: LanguageModelV3, more: Partial<LoopOptions> = {}): LoopSession {
  return new LoopSession({
    model,
    tools: [echoTool],
    maxSteps: 10,
    system: null,
    clock: { elapsed: () => fixedSource().monotonic() },
    toolContext: { workspace: () => '/nowhere', signal: null },
    signal: null,
    ...more,
  });
}

/** A loop over a script, one list of steps a turn. */
export function scripted(turns: ScriptedStep[][], more: Partial<LoopOptions> = {}): LoopSession {
  return loopOver(new ScriptedModel('case', turns), more);
}

/** The error that a turn ends with. */
export async function agentError(turn: Promise<string>): Promise<AgentError> {
  try {
    await turn;
  } catch (error) {
    if (error instanceof AgentError) return error;
    throw error;
  }
  throw new Error('the turn did not fail');
}

/** Has a whole conversation as the runner does: each turn, then the end of the turn. */
export async function converse(
  script: ScriptedModel,
  session: LoopSession,
  users: string[],
): Promise<string[]> {
  const answers: string[] = [];
  for (const [index, user] of users.entries()) {
    answers.push(await session.turn(user, index));
    script.endTurn(index);
  }
  return answers;
}
