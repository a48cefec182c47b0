import { plural, type JsonObject, type JsonValue } from '../core/index.js';
import { DEFAULT_MAX_STEPS } from '../suite/index.js';
import { suggestExpects, suggestTurnExpects } from './suggest-expects.js';
import type { Transcript, TranscriptStep, TranscriptTurn } from './transcript.js';

/** What a scripted turn ends with when the transcript breaks off in it. */
const BREAKS_OFF = '(The transcript breaks off here.)';
const NO_TEXT = '(something that is not text)';

/** A fixture made from a transcript, and what a person should know of it. */
export interface TranscriptFixture {
  fixture: JsonObject;
  notes: string[];
}

function scripted(step: TranscriptStep): JsonObject {
  const tokens = { input_tokens: step.inputTokens, output_tokens: step.outputTokens };
  if (step.calls.length === 0) return { response: { type: 'text', content: step.text, ...tokens } };
  const calls = step.calls.map((call): JsonObject => ({
    id: call.id,
    name: call.name,
    arguments: call.arguments,
  }));
  const words = step.text.trim() === '' ? {} : { content: step.text };
  return { response: { type: 'tool_calls', ...words, tool_calls: calls, ...tokens } };
}

/** The steps of a turn as a loop makes them: a text without calls only at the end. */
function wholeSteps(turn: TranscriptTurn): { steps: TranscriptStep[]; brokenOff: boolean } {
  const steps: TranscriptStep[] = [];
  for (const step of turn.steps) {
    const last = steps.at(-1);
    if (last !== undefined && last.calls.length === 0) {
      steps[steps.length - 1] = {
        ...step,
        text: [last.text, step.text].filter((text) => text !== '').join('\n\n'),
        inputTokens: last.inputTokens + step.inputTokens,
        outputTokens: last.outputTokens + step.outputTokens,
      };
    } else steps.push(step);
  }
  const kept = steps.filter((step) => step.calls.length > 0 || step.text.trim() !== '');
  const brokenOff = kept.length === 0 || (kept.at(-1)?.calls.length ?? 0) > 0;
  if (brokenOff) kept.push({ text: BREAKS_OFF, calls: [], inputTokens: 0, outputTokens: 0 });
  return { steps: kept, brokenOff };
}

/**
 * The trace fixture of a transcript: every reply of the model is scripted, so that it replays the same every time, and
 * the expectations hold for it and not for an agent that does nothing. Results of tools are no part of a script; where
 * the agent under test has those tools, it calls them.
 * @param name id of the case
 * @param tags labels of the case
 */
export function transcriptFixture(
  transcript: Transcript,
  name: string,
  tags: readonly string[],
): TranscriptFixture {
  const turns = transcript.turns.map((turn) => ({ turn, ...wholeSteps(turn) }));
  const notes = [...transcript.notes];
  const last = turns.at(-1);
  const broken = turns.filter((turn) => turn.brokenOff).length;
  if (broken > 0) {
    notes.push(
      `${plural(broken, 'turn')} without a last answer: ${JSON.stringify(BREAKS_OFF)} stands there instead`,
    );
  }
  const most = Math.max(...turns.map(({ steps }) => steps.length));
  const answer = last === undefined || last.brokenOff ? null : (last.steps.at(-1)?.text ?? null);
  const written = turns.map(({ turn, steps, brokenOff }, index): JsonValue => {
    const expects = index === turns.length - 1 || brokenOff ? null : suggestTurnExpects({ ...turn, steps });
    return {
      user_input: turn.user.trim() === '' ? NO_TEXT : turn.user,
      steps: steps.map(scripted),
      ...(expects === null ? {} : { expects }),
    };
  });
  return {
    fixture: {
      model_name: name,
      tags: [...tags],
      ...(most > DEFAULT_MAX_STEPS ? { agent: { loop: { max_steps: most } } } : {}),
      turns: written,
      expects: suggestExpects(
        turns.map(({ turn, steps }) => ({ ...turn, steps })),
        answer,
      ),
    },
    notes,
  };
}
