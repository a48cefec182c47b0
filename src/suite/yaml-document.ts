import type { CST, Document } from 'yaml';
import { formatKeyPath, sortProblems, yamlLibrary, type KeyPath, type Problem } from '../core/index.js';
import type { Position, WrittenDocument } from './document.js';
import { keyText, writtenText, YamlReader, type YamlNode } from './yaml-nodes.js';

type Token = CST.Token;
type Composed = Document.Parsed;

/** What parsing YAML gives: a document, or every fault of its text. */
export type ParsedYaml = { ok: true; document: WrittenDocument } | { ok: false; problems: Problem[] };

/** Deeper nesting is no suite, and would use up the stack of the recursive composer. */
const DEEPEST = 200;

/** The offset of the first token nested deeper than allowed; null when there is none. */
function tooDeep(tokens: readonly Token[]): number | null {
  const waiting: { token: Token; depth: number }[] = tokens.map((token) => ({ token, depth: 0 }));
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { token, depth } = next;
    if (depth > DEEPEST) return token.offset;
    if ('value' in token && typeof token.value === 'object')
      waiting.push({ token: token.value, depth: depth + 1 });
    if (!('items' in token)) continue;
    for (const item of token.items) {
      if (item.key !== undefined && item.key !== null) waiting.push({ token: item.key, depth: depth + 1 });
      if (item.value !== undefined) waiting.push({ token: item.value, depth: depth + 1 });
    }
  }
  return null;
}

const SYNTAX_FIXES: ReadonlyMap<string, string> = new Map([
  ['TAB_AS_INDENT', 'indent with spaces'],
  ['BAD_INDENT', 'align it with its neighbours'],
  ['BLOCK_AS_IMPLICIT_KEY', 'put text that holds ": " in quotes'],
  ['BAD_DQ_ESCAPE', 'write \\\\ for a backslash, or use single quotes'],
  ['MISSING_CHAR', 'close it'],
  ['TAG_RESOLVE_FAILED', 'remove the tag'],
]);

/** Where the value (or key) at `path` stands; the nearest ancestor when it is absent. */
function locateNode(
  root: YamlNode | null,
  targets: ReadonlyMap<YamlNode, YamlNode>,
  path: KeyPath,
  target: 'key' | 'value',
): number {
  const { isMap, isSeq } = yamlLibrary();
  let node = root;
  let keyOffset = node?.range[0] ?? 0;
  for (const part of path) {
    const inner = node === null ? null : (targets.get(node) ?? node);
    const start = node?.range[0] ?? 0;
    if (isSeq(inner) && typeof part === 'number') {
      const item: YamlNode | undefined = inner.items[part];
      if (item === undefined) return start;
      node = item;
      keyOffset = item.range[0];
    } else if (isMap(inner)) {
      // The last of several equal keys is the one whose value was taken.
      const pair = inner.items.findLast((candidate) => keyText(candidate.key) === String(part));
      if (pair === undefined) return start;
      node = pair.value;
      keyOffset = pair.key.range[0];
      if (node === null) return keyOffset;
    } else {
      return start;
    }
  }
  return target === 'key' ? keyOffset : (node?.range[0] ?? 0);
}

function scalarAt(
  root: YamlNode | null,
  targets: ReadonlyMap<YamlNode, YamlNode>,
  path: KeyPath,
): string | null {
  const { isMap, isSeq, isScalar } = yamlLibrary();
  let node = root;
  for (const part of path) {
    const inner = node === null ? null : (targets.get(node) ?? node);
    if (isSeq(inner) && typeof part === 'number') node = inner.items[part] ?? null;
    else if (isMap(inner)) {
      node = inner.items.findLast((candidate) => keyText(candidate.key) === String(part))?.value ?? null;
    } else return null;
  }
  const scalar = node === null ? null : (targets.get(node) ?? node);
  return isScalar(scalar) ? writtenText(scalar) : null;
}

/**
 * Parses one YAML 1.2 document (core schema) that a human wrote. All faults come at once: syntax, repeated keys (both
 * lines named), aliases without an anchor or that multiply, unknown tags, merge keys, a second document. A byte-order
 * mark at the start is ignored.
 */
export function parseYamlDocument(file: string, source: string): ParsedYaml {
  const text = source.charCodeAt(0) === 0xfeff ? source.slice(1) : source;
  const { Composer, LineCounter, Parser } = yamlLibrary();
  const lines = new LineCounter();
  const locate = (offset: number): Position => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  const problems: Problem[] = [];
  const report = (offset: number, key: KeyPath, message: string, fix: string): void => {
    problems.push({ file, ...locate(offset), key: formatKeyPath(key), message, fix });
  };
  const tokens = [...new Parser(lines.addNewLine).parse(text)];
  const deep = tooDeep(tokens);
  if (deep !== null) {
    report(deep, [], `nested more than ${DEEPEST} levels deep`, 'write it flatter');
    return { ok: false, problems };
  }
  const composer = new Composer<YamlNode, true>({
    schema: 'core',
    version: '1.2',
    uniqueKeys: false,
    prettyErrors: false,
    logLevel: 'silent',
  });
  const documents: Composed[] = [...composer.compose(tokens, true, text.length)];
  for (const composed of documents) {
    for (const fault of [...composed.errors, ...composed.warnings]) {
      report(
        fault.pos[0],
        [],
        `not valid YAML: ${fault.message}`,
        SYNTAX_FIXES.get(fault.code) ?? 'correct the syntax',
      );
    }
  }
  const second = documents[1];
  if (second !== undefined) {
    report(second.range[0], [], 'a second document begins here', 'keep one document a file: remove the ---');
  }
  const root = documents[0]?.contents ?? null;
  const reader = new YamlReader(report, locate);
  const { value } = reader.read(root, []);
  if (problems.length > 0) return { ok: false, problems: sortProblems(problems) };
  return {
    ok: true,
    document: {
      file,
      value,
      locate: (path, target = 'value') => locate(locateNode(root, reader.targets, path, target)),
      sourceAt: (path) => scalarAt(root, reader.targets, path),
    },
  };
}
