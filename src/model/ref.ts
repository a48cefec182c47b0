import { AssayError, didYouMean, quote } from '../core/index.js';

/** Every way to name who answers, in the order help texts list them. */
export const MODEL_KINDS = [
  'claude-cli',
  'codex-cli',
  'gemini-cli',
  'anthropic',
  'openai',
  'google',
  'openai-compatible',
  'module',
  'scripted',
  'outputs',
] as const;

/** The part of a model reference before the first colon. */
export type ModelKind = (typeof MODEL_KINDS)[number];

/** A parsed model reference. `text` is its normal form: two references to one model have one text. */
export type ModelRef =
  | { kind: 'claude-cli' | 'codex-cli' | 'gemini-cli'; text: string; model: string }
  | { kind: 'anthropic' | 'openai' | 'google'; text: string; model: string }
  /** `url` is the base URL, without a trailing slash; `/chat/completions` is added to it. */
  | { kind: 'openai-compatible'; text: string; model: string; url: string }
  /** `path` as written; `exportName` null means the default export, else the export `model`. */
  | { kind: 'module'; text: string; path: string; exportName: string | null }
  /** `path` null means the script comes with the case. */
  | { kind: 'scripted'; text: string; path: string | null }
  | { kind: 'outputs'; text: string; path: string };

/** True for a model that is a program with tools of its own, which nothing here holds to an allowlist. */
export function runsOwnTools(ref: ModelRef): boolean {
  return ref.kind === 'claude-cli' || ref.kind === 'codex-cli' || ref.kind === 'gemini-cli';
}

/** What `checkModelRef` returns: the reference, or what is wrong and what to write instead. */
export type ModelRefCheck = { ok: true; ref: ModelRef } | { ok: false; message: string; fix: string };

const EXAMPLES: Readonly<Record<ModelKind, string>> = {
  'claude-cli': 'claude-cli:sonnet',
  'codex-cli': 'codex-cli:MODEL',
  'gemini-cli': 'gemini-cli:MODEL',
  anthropic: 'anthropic:MODEL',
  openai: 'openai:MODEL',
  google: 'google:MODEL',
  'openai-compatible': 'openai-compatible:MODEL@http://localhost:11434/v1',
  module: 'module:./my-model.ts',
  scripted: 'scripted:fixture.json',
  outputs: 'outputs:answers.jsonl',
};

/** Words people write for a kind that no edit distance would find. */
const COMMON_WORDS: ReadonlyMap<string, ModelKind> = new Map([
  ['claude', 'claude-cli'],
  ['claude-code', 'claude-cli'],
  ['codex', 'codex-cli'],
  ['gemini', 'gemini-cli'],
  ['vertex', 'google'],
  ['gpt', 'openai'],
  ['ollama', 'openai-compatible'],
  ['vllm', 'openai-compatible'],
  ['lmstudio', 'openai-compatible'],
  ['llamacpp', 'openai-compatible'],
  ['openrouter', 'openai-compatible'],
  ['file', 'module'],
]);

const BAD_MODEL_NAME = /^-|[\s\u0000-\u001f\u007f]/;
const CONTROL = /[\u0000-\u001f\u007f]/;

function isModelKind(word: string): word is ModelKind {
  return MODEL_KINDS.some((kind) => kind === word);
}

function listOfKinds(): string {
  return `one of ${MODEL_KINDS.map((kind) => EXAMPLES[kind]).join(', ')}`;
}

function refused(message: string, fix: string): ModelRefCheck {
  return { ok: false, message, fix };
}

function checkModelName(kind: ModelKind, name: string): ModelRefCheck | null {
  if (name === '') return refused(`${quote(`${kind}:`)} names no model`, `write ${EXAMPLES[kind]}`);
  // A name that starts with a dash would reach a program as one of its options.
  if (BAD_MODEL_NAME.test(name)) {
    return refused(
      `${quote(name)} is not a model name`,
      'model names have no spaces and do not start with a dash',
    );
  }
  return null;
}

function checkEndpoint(rest: string): ModelRefCheck {
  const at = rest.search(/@https?:\/\//i);
  const example = `write ${EXAMPLES['openai-compatible']}`;
  if (at < 0)
    return refused(`${quote(`openai-compatible:${rest}`)} has no @URL after the model name`, example);
  const model = rest.slice(0, at);
  const bad = checkModelName('openai-compatible', model);
  if (bad !== null) return bad;
  const written = rest.slice(at + 1);
  if (!URL.canParse(written)) return refused(`${quote(written)} is not a URL`, example);
  const url = new URL(written);
  if (url.username !== '' || url.password !== '') {
    return refused(
      'the URL of a model must not carry a user name or a password',
      'give the key in the configuration, from the environment or a command',
    );
  }
  if (url.search !== '' || url.hash !== '') {
    return refused('the base URL of a model must not have a query or a fragment', example);
  }
  const base = `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
  return {
    ok: true,
    ref: { kind: 'openai-compatible', text: `openai-compatible:${model}@${base}`, model, url: base },
  };
}

function checkPath(kind: 'module' | 'scripted' | 'outputs', path: string): ModelRefCheck {
  if (path.trim() === '' || CONTROL.test(path)) {
    return refused(`${quote(`${kind}:${path}`)} names no file`, `write ${EXAMPLES[kind]}`);
  }
  if (kind !== 'module') return { ok: true, ref: { kind, text: `${kind}:${path}`, path } };
  const hash = path.lastIndexOf('#');
  if (hash < 0) return { ok: true, ref: { kind, text: `module:${path}`, path, exportName: null } };
  const exportName = path.slice(hash + 1);
  if (hash === 0 || exportName === '') {
    return refused(
      `${quote(`module:${path}`)} names no file or no export`,
      'write module:./my-model.ts#exportName',
    );
  }
  return { ok: true, ref: { kind, text: `module:${path}`, path: path.slice(0, hash), exportName } };
}

function unknownKind(text: string, word: string): ModelRefCheck {
  const lowered = word.toLowerCase();
  const near = COMMON_WORDS.get(lowered) ?? didYouMean(lowered, MODEL_KINDS);
  const hint = near !== null && isModelKind(near) ? `did you mean ${EXAMPLES[near]}? ` : '';
  return refused(`${quote(text)} does not name a model`, `${hint}write ${listOfKinds()}`);
}

/** Reads a model reference without throwing; for places that report several problems at once. */
export function checkModelRef(text: string): ModelRefCheck {
  const trimmed = text.trim();
  if (trimmed === 'scripted') return { ok: true, ref: { kind: 'scripted', text: 'scripted', path: null } };
  const colon = trimmed.indexOf(':');
  const word = colon < 0 ? trimmed : trimmed.slice(0, colon);
  if (!isModelKind(word)) return unknownKind(trimmed, word);
  const rest = colon < 0 ? '' : trimmed.slice(colon + 1);
  switch (word) {
    case 'module':
    case 'scripted':
    case 'outputs':
      return checkPath(word, rest);
    case 'openai-compatible':
      return checkEndpoint(rest);
    case 'claude-cli':
    case 'codex-cli':
    case 'gemini-cli':
      return (
        checkModelName(word, rest) ?? { ok: true, ref: { kind: word, text: `${word}:${rest}`, model: rest } }
      );
    case 'anthropic':
    case 'openai':
    case 'google':
      return (
        checkModelName(word, rest) ?? { ok: true, ref: { kind: word, text: `${word}:${rest}`, model: rest } }
      );
  }
}

/**
 * Reads a model reference such as `claude-cli:sonnet` or `openai-compatible:llama3@http://localhost:11434/v1`.
 * Throws an `AssayError` with code `MODEL` that lists the forms and the nearest one.
 */
export function parseModelRef(text: string): ModelRef {
  const checked = checkModelRef(text);
  if (!checked.ok) throw new AssayError('MODEL', checked.message, { fix: checked.fix });
  return checked.ref;
}
