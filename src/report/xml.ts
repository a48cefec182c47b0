// Everything outside XML 1.0's Char production. Under the u flag a surrogate matches only when it has no partner.
const NOT_XML = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu;

const REFERENCES: ReadonlyMap<string, string> = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ['\t', '&#9;'],
  ['\n', '&#10;'],
  ['\r', '&#13;'],
]);

function reference(character: string): string {
  return REFERENCES.get(character) ?? character;
}

/** A text without the characters that XML 1.0 cannot hold, lone surrogates among them: each becomes U+FFFD. */
export function xmlCharacters(text: string): string {
  return text.replace(NOT_XML, '\ufffd');
}

/**
 * Text between tags. `>` is escaped as well, so `]]>` cannot appear; a carriage return is written as a reference,
 * since a parser would turn a bare one into a line feed.
 */
export function xmlText(text: string): string {
  return xmlCharacters(text).replace(/[&<>\r]/g, reference);
}

/** An attribute's value, without its quotes; white space survives because it is written as references. */
export function xmlAttribute(text: string): string {
  return xmlCharacters(text).replace(/[&<>"\t\n\r]/g, reference);
}

/** Attributes ready to stand in a tag: ` name="a" time="0.000"`. */
export function xmlAttributes(attributes: { readonly [name: string]: string | number }): string {
  return Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${xmlAttribute(String(value))}"`)
    .join('');
}
