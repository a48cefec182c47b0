import type * as Yaml from 'yaml';
import { yamlLibrary, type JsonValue, type KeyPath } from '../core/index.js';
import type { Position } from './document.js';

/** A node of a composed YAML document. */
export type YamlNode = Yaml.ParsedNode;
type Scalar = Yaml.Scalar.Parsed;
type YamlMap = Yaml.YAMLMap.Parsed;

/** Where a node begins. */
export type Locate = (offset: number) => Position;

/** The text of a scalar as it was written, without quotes. */
export function writtenText(scalar: Scalar): string {
  if (typeof scalar.value === 'string') return scalar.value;
  return scalar.source;
}

/** The text of a mapping key; null when the key is not a scalar. */
export function keyText(key: YamlNode | null): string | null {
  return yamlLibrary().isScalar(key) ? writtenText(key) : null;
}

/** A scalar as JSON. Numbers that JSON has no word for (`.inf`, `.nan`) stay the text that was written. */
export function scalarValue(scalar: Scalar): JsonValue {
  const { value } = scalar;
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return value;
  return typeof value === 'number' && Number.isFinite(value) ? value : writtenText(scalar);
}

/** Reports a fault of the document itself, at an offset of its text. */
export type ReportFault = (offset: number, key: KeyPath, message: string, fix: string) => void;

/** Values that aliases may add to a document before it counts as an attack. */
const MOST_ALIASED = 100_000;

/** Turns a tree of YAML nodes into JSON, reporting everything that JSON, or a reader, cannot follow. */
export class YamlReader {
  /** What every alias stands for. */
  readonly targets = new Map<YamlNode, YamlNode>();
  private readonly anchors = new Map<string, YamlNode>();
  private readonly sizes = new Map<YamlNode, number>();
  private readonly values = new Map<YamlNode, JsonValue>();
  private readonly open = new Set<YamlNode>();
  private aliased = 0;
  private readonly report: ReportFault;
  private readonly locate: Locate;

  constructor(report: ReportFault, locate: Locate) {
    this.report = report;
    this.locate = locate;
  }

  /** The JSON value of a node, and how many values it holds. */
  read(node: YamlNode | null, path: KeyPath): { value: JsonValue; size: number } {
    const { isAlias, isScalar, isMap } = yamlLibrary();
    if (node === null) return { value: null, size: 1 };
    if (isAlias(node)) return this.readAlias(node, path);
    const anchor = node.anchor;
    if (anchor !== undefined) {
      this.anchors.set(anchor, node);
      this.open.add(node);
    }
    let value: JsonValue;
    let size = 1;
    if (isScalar(node)) value = scalarValue(node);
    else if (isMap(node)) ({ value, size } = this.readMap(node, path));
    else {
      value = [];
      for (const [index, item] of node.items.entries()) {
        const read = this.read(item, [...path, index]);
        value.push(read.value);
        size += read.size;
      }
    }
    if (anchor !== undefined) {
      this.open.delete(node);
      this.values.set(node, value);
      this.sizes.set(node, size);
    }
    return { value, size };
  }

  private readAlias(alias: Yaml.Alias.Parsed, path: KeyPath): { value: JsonValue; size: number } {
    const offset = alias.range[0];
    const target = this.anchors.get(alias.source);
    if (target === undefined) {
      this.report(
        offset,
        path,
        `the alias *${alias.source} has no anchor before it`,
        `write &${alias.source} at the value it stands for`,
      );
      return { value: null, size: 1 };
    }
    this.targets.set(alias, target);
    if (this.open.has(target)) {
      this.report(
        offset,
        path,
        `the alias *${alias.source} stands inside its own value`,
        'write the value out',
      );
      return { value: null, size: 1 };
    }
    const size = this.sizes.get(target) ?? 1;
    const before = this.aliased;
    this.aliased += size;
    if (this.aliased > MOST_ALIASED) {
      if (before <= MOST_ALIASED) {
        this.report(
          offset,
          path,
          `aliases stand for more than ${MOST_ALIASED} values`,
          'write fewer aliases',
        );
      }
      return { value: null, size: 1 };
    }
    return { value: this.values.get(target) ?? null, size };
  }

  private readMap(map: YamlMap, path: KeyPath): { value: JsonValue; size: number } {
    const value: { [key: string]: JsonValue } = {};
    const lines = new Map<string, number>();
    let size = 1;
    for (const pair of map.items) {
      const key = keyText(pair.key);
      const offset = pair.key.range[0];
      if (key === null) {
        this.report(offset, path, 'a key must be text', 'write a plain word as the key');
        continue;
      }
      const inside = [...path, key];
      const first = lines.get(key);
      if (first !== undefined) {
        this.report(
          offset,
          inside,
          `the key is written twice (first on line ${first})`,
          'keep one of the two',
        );
      } else lines.set(key, this.locate(offset).line);
      if (key === '<<') {
        this.report(
          offset,
          inside,
          'merge keys (<<) are not part of YAML 1.2',
          'write the keys out, or put an alias in place of a whole value',
        );
      }
      const read = this.read(pair.value, inside);
      size += read.size;
      if (key === '__proto__') {
        this.report(offset, inside, 'this key is not allowed', 'choose another name');
      } else value[key] = read.value;
    }
    return { value, size };
  }
}
