import { isJsonObject, parseJson, type JsonValue } from '../core/index.js';
import type { WrittenDocument } from '../suite/index.js';
import type { ExchangeTable } from './import-table.js';
import { readInside } from './read-inside.js';

/** A prompt that can be written as user turns. */
export interface ImportedPrompt {
  label: string;
  /** User messages in order, with their placeholders. */
  turns: string[];
  /** System message; null when it has none. */
  system: string | null;
  line: number;
}

const TEXT_FILE = /\.(?:txt|md|text|prompt)$/i;
const PATH_LIKE = /^(?:file:\/\/\S+|[\w./-]+\.(?:txt|md|json|ya?ml|csv|js|mjs|cjs|ts|py|j2))$/;

/** A chat prompt: a text that holds a list of messages. Null when it is none; a text when it has no twin. */
function chatOf(text: string): { turns: string[]; system: string | null } | string | null {
  const trimmed = text.trim();
  if (!trimmed.startsWith('[')) return null;
  const parsed = parseJson(trimmed);
  if (
    !parsed.ok ||
    !Array.isArray(parsed.value) ||
    !parsed.value.every((one) => isJsonObject(one) && 'role' in one)
  )
    return null;
  let system: string | null = null;
  const turns: string[] = [];
  for (const message of parsed.value) {
    const role = isJsonObject(message) ? message['role'] : null;
    const content = isJsonObject(message) ? message['content'] : null;
    if (typeof content !== 'string') return 'a message of it is not text';
    if (role === 'system' && system === null && turns.length === 0) system = content;
    else if (role === 'user') turns.push(content);
    else return `it puts words into the mouth of ${JSON.stringify(role)}`;
  }
  if (system !== null && /\{[{%]/.test(system)) return 'its system message has placeholders';
  return turns.length === 0 ? 'no message of it is from the user' : { turns, system };
}

/** Reads the prompts of a configuration. */
export function promptfooPrompts(
  value: JsonValue | undefined,
  document: WrittenDocument,
  root: string,
  table: ExchangeTable,
): ImportedPrompt[] {
  // Without prompts the variable of that name is the prompt.
  if (value === undefined || value === null)
    return [{ label: 'prompt', turns: ['{{prompt}}'], system: null, line: 1 }];
  const list = Array.isArray(value) ? value : [value];
  const single = !Array.isArray(value);
  const prompts: ImportedPrompt[] = [];
  const add = (text: string, label: string, line: number): void => {
    const chat = chatOf(text);
    if (typeof chat === 'string') table.dropped('prompt', label, line, chat);
    else {
      prompts.push({ label, line, turns: chat?.turns ?? [text.trim()], system: chat?.system ?? null });
      table.kept('prompt', label, line);
    }
  };
  for (const [index, item] of list.entries()) {
    const { line } = document.locate(single ? ['prompts'] : ['prompts', index]);
    const label = `prompt-${index + 1}`;
    const raw = isJsonObject(item) ? (item['raw'] ?? item['id']) : item;
    const named = isJsonObject(item) && typeof item['label'] === 'string' ? item['label'] : label;
    if (typeof raw !== 'string') {
      table.dropped('prompt', named, line, 'it is no text');
      continue;
    }
    if (!PATH_LIKE.test(raw.trim())) {
      add(raw, named, line);
      continue;
    }
    const file = raw.trim();
    const isText = TEXT_FILE.test(file);
    if (!isText && !file.endsWith('.json')) {
      table.dropped('prompt', file, line, 'only text and JSON files of prompts have a twin');
      continue;
    }
    const read = readInside(root, file);
    if (!read.ok) table.dropped('prompt', file, line, read.message);
    // A text file may hold several prompts with a rule between them.
    else if (isText) {
      const parts = read.text.split(/^---\s*$/m).filter((part) => part.trim() !== '');
      for (const [at, part] of parts.entries())
        add(part, parts.length === 1 ? named : `${named}-${at + 1}`, line);
    } else add(read.text, named, line);
  }
  return prompts;
}
