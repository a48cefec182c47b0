import { isJsonObject, type JsonValue } from '../core/index.js';
import type { WrittenDocument } from '../suite/index.js';
import type { ExchangeTable } from './import-table.js';

/** A provider, and the model of Assay that it is. */
export interface ImportedProvider {
  label: string;
  /** Null when it has no twin: the suite then names no model. */
  model: string | null;
}

function modelOf(id: string): string | null {
  const openai = /^openai:(?:chat:|responses:)?([A-Za-z0-9][\w.:-]*)$/.exec(id);
  if (
    openai?.[1] !== undefined &&
    !/^(?:assistant|embedding|moderation|image|realtime|completion)(?::|$)/.test(openai[1])
  )
    return `openai:${openai[1]}`;
  const anthropic = /^anthropic:(?:messages:)?([A-Za-z0-9][\w.-]*)$/.exec(id);
  if (anthropic?.[1] !== undefined && !anthropic[1].startsWith('completion'))
    return `anthropic:${anthropic[1]}`;
  const google = /^google:([A-Za-z0-9][\w.-]*)$/.exec(id);
  return google?.[1] === undefined ? null : `google:${google[1]}`;
}

function idOf(value: JsonValue): { id: string; label: string | null; configured: boolean } | null {
  if (typeof value === 'string') return { id: value, label: null, configured: false };
  if (!isJsonObject(value)) return null;
  if (typeof value['id'] === 'string') {
    const label = typeof value['label'] === 'string' ? value['label'] : null;
    return { id: value['id'], label, configured: 'config' in value || 'prompts' in value };
  }
  // An id may be the one key of an object that holds its settings.
  const [key, ...rest] = Object.keys(value);
  return key === undefined || rest.length > 0 ? null : { id: key, label: null, configured: true };
}

/** Reads the providers of a configuration; one without a twin stays, since its prompts and tests are worth having. */
export function promptfooProviders(
  value: JsonValue | undefined,
  document: WrittenDocument,
  key: string,
  table: ExchangeTable,
): ImportedProvider[] {
  const list = Array.isArray(value) ? value : value === undefined || value === null ? [] : [value];
  return list.flatMap((item, index): ImportedProvider[] => {
    const { line } = document.locate(Array.isArray(value) ? [key, index] : [key]);
    const found = idOf(item);
    if (found === null) {
      table.dropped('provider', `provider ${index + 1}`, line, 'it has no id');
      return [];
    }
    const model = modelOf(found.id);
    const label = found.label ?? found.id;
    if (model === null)
      table.dropped('provider', label, line, 'no model of Assay is this one: name one with --model');
    else if (found.configured)
      table.changed('provider', label, line, `its settings have no twin; it is ${model}`);
    else table.kept('provider', label, line);
    return [{ label, model }];
  });
}
