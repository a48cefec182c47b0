import { isJsonObject, type JsonValue } from '../core/index.js';

/** The free text for a tool that takes text instead of JSON: a string as it is, else the one under `input`. */
export function customInput(argumentsValue: JsonValue): string {
  if (typeof argumentsValue === 'string') return argumentsValue;
  const input = isJsonObject(argumentsValue) ? argumentsValue['input'] : undefined;
  return typeof input === 'string' ? input : JSON.stringify(argumentsValue);
}
