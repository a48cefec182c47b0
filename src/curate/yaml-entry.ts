import { yamlLibrary, type KeyPath } from '../core/index.js';
import { shifted } from './edit-lines.js';
import { entryStretch, type YamlMapping } from './yaml-splice.js';

/**
 * The text of a list entry as it was written, with the comments above it, moved to the left margin; null where it does
 * not stand on lines of its own.
 */
export function yamlEntry(text: string, path: KeyPath): string | null {
  const library = yamlLibrary();
  const document = library.parseDocument<YamlMapping>(text, { version: '1.2', schema: 'core' });
  const stretch = entryStretch(library, document, text, path);
  if (stretch === null) return null;
  const { start, end, column } = stretch;
  return shifted(text.slice(start, end), -column);
}
