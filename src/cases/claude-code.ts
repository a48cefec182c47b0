import { isJsonObject, type JsonObject } from '../core/index.js';
import { addMessage } from './chat-messages.js';
import { member, objectMember, objectsOf, textMember } from './json-fields.js';
import type { TranscriptBuilder } from './transcript-builder.js';

/** Words that the program itself puts into the mouth of the user. */
const OWN_WORDS =
  /^\s*(?:<(?:command-name|command-message|command-args|local-command-stdout|local-command-stderr|local-command-caveat|system-reminder|bash-input|bash-stdout|bash-stderr)>|Caveat: The messages below|\[Request interrupted by user)/;

function saidText(line: JsonObject): string | null {
  const content = member(objectMember(line, 'message'), 'content');
  if (typeof content === 'string') return content;
  const blocks = objectsOf(content);
  if (blocks.some((block) => block['type'] === 'tool_result')) return null;
  return blocks.map((block) => textMember(block, 'text')).join('\n');
}

/** True for a line in which a person asks something. */
function isPrompt(line: JsonObject): boolean {
  if (line['type'] !== 'user' || line['isMeta'] === true || line['isCompactSummary'] === true) return false;
  const said = saidText(line);
  return said !== null && !OWN_WORDS.test(said);
}

/**
 * Ids of the lines on branches that were given up: of several prompts that follow the same line, only the last was gone
 * on with.
 */
function abandoned(lines: readonly JsonObject[]): Set<string> {
  const parentOf = new Map<string, string>();
  const heads = new Map<string, string>();
  const given = new Set<string>();
  for (const line of lines) {
    const id = textMember(line, 'uuid');
    const parent = textMember(line, 'parentUuid');
    if (id === '') continue;
    parentOf.set(id, parent);
    if (!isPrompt(line)) continue;
    const earlier = heads.get(parent);
    // Sessions that were joined all start from nothing; they are no branches of each other.
    if (earlier !== undefined && parent !== '') given.add(earlier);
    heads.set(parent, id);
  }
  // Lines stand after the one they follow, so one pass marks what grew out of a branch.
  for (const line of lines) {
    const id = textMember(line, 'uuid');
    if (id !== '' && given.has(parentOf.get(id) ?? '')) given.add(id);
  }
  return given;
}

/** True for a line of a Claude Code session. */
export function isClaudeCodeLine(line: JsonObject): boolean {
  const type = textMember(line, 'type');
  if (type === 'summary') return 'leafUuid' in line;
  return (
    ['user', 'assistant'].includes(type) &&
    isJsonObject(line['message'] ?? null) &&
    ('sessionId' in line || 'uuid' in line)
  );
}

/** Adds a Claude Code session. Sub-agents, abandoned branches and the program's own words are left out. */
export function addClaudeCode(builder: TranscriptBuilder, lines: readonly JsonObject[]): void {
  const given = abandoned(lines);
  for (const line of lines) {
    const type = textMember(line, 'type');
    if (type !== 'user' && type !== 'assistant') continue;
    if (line['isSidechain'] === true) builder.leave('line of a sub-agent');
    else if (given.has(textMember(line, 'uuid'))) builder.leave('line of a branch that was given up');
    else if (line['isApiErrorMessage'] === true) builder.leave('API error');
    else if (line['isCompactSummary'] === true) builder.leave('summary made when the context was compacted');
    else if (type === 'user' && saidText(line) !== null && !isPrompt(line))
      builder.leave('line of the program itself');
    else addMessage(builder, objectMember(line, 'message'));
  }
}
