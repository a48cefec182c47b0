import { canonicalJson, terminalLine, yamlLibrary, type JsonValue } from '../core/index.js';
import { parseYamlDocument } from '../suite/index.js';

/**
 * A value as YAML that reads back as exactly this value, with comment lines above it. What stands in a comment cannot
 * leave it.
 */
export function yamlText(value: JsonValue, comments: readonly string[] = []): string {
  const { stringify } = yamlLibrary();
  const head = comments.map((line) => `# ${terminalLine(line)}\n`).join('');
  const options = { lineWidth: 0, version: '1.2', schema: 'core', aliasDuplicateObjects: false } as const;
  const plain = `${head}${stringify(value, options)}`;
  const read = parseYamlDocument('text', plain);
  if (read.ok && canonicalJson(read.document.value) === canonicalJson(value)) return plain;
  // Quoted text is exact whatever it holds.
  return `${head}${stringify(value, { ...options, defaultStringType: 'QUOTE_DOUBLE', defaultKeyType: 'QUOTE_DOUBLE' })}`;
}
