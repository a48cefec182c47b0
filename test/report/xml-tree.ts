/** An element of a parsed document. */
export interface XmlElement {
  name: string;
  attributes: { [name: string]: string };
  /** Text directly inside the element, in order, joined. */
  text: string;
  children: XmlElement[];
}

const NAMED: { [name: string]: string } = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function isXmlCharacter(code: number): boolean {
  return (
    code === 9 ||
    code === 10 ||
    code === 13 ||
    (code >= 0x20 && code <= 0xd7ff) ||
    (code >= 0xe000 && code <= 0xfffd) ||
    code >= 0x10000
  );
}

function resolve(raw: string): string {
  return raw.replace(/&([^;&]*;?)/g, (_, body: string) => {
    const numeric = /^#(\d+);$/.exec(body) ?? /^#(x[0-9a-fA-F]+);$/.exec(body);
    if (numeric !== null) {
      const code = Number(`${numeric[1]?.startsWith('x') === true ? '0' : ''}${numeric[1]}`);
      if (!isXmlCharacter(code)) throw new Error(`reference to an illegal character: ${body}`);
      return String.fromCodePoint(code);
    }
    const named = body.endsWith(';') ? NAMED[body.slice(0, -1)] : undefined;
    if (named === undefined) throw new Error(`bad reference &${body}`);
    return named;
  });
}

function attributesOf(raw: string): { [name: string]: string } {
  const attributes: { [name: string]: string } = {};
  let rest = raw;
  while (rest.trim() !== '') {
    const found = /^\s+([A-Za-z_][\w.-]*)="([^"<]*)"/.exec(rest);
    if (found === null) throw new Error(`bad attributes: ${rest}`);
    const [all, name = '', value = ''] = found;
    if (Object.hasOwn(attributes, name)) throw new Error(`attribute ${name} occurs twice`);
    // XML turns white space that is written literally into blanks.
    attributes[name] = resolve(value.replace(/[\t\n\r]/g, ' '));
    rest = rest.slice(all.length);
  }
  return attributes;
}

/**
 * A strict reader of the XML that reports use: one declaration, elements, attributes in double quotes, text, the
 * predefined and numeric references. Throws on anything that is not well-formed.
 */
export function parseXml(document: string): XmlElement {
  for (const character of document) {
    if (!isXmlCharacter(character.codePointAt(0) ?? 0)) throw new Error('illegal character in the document');
  }
  const declaration = '<?xml version="1.0" encoding="UTF-8"?>';
  if (!document.startsWith(declaration)) throw new Error('no declaration');
  const top: XmlElement = { name: '', attributes: {}, text: '', children: [] };
  const open: XmlElement[] = [top];
  const current = (): XmlElement => open.at(-1) ?? top;
  for (const piece of document.slice(declaration.length).match(/<[^>]*>|[^<]+|</g) ?? []) {
    if (!piece.startsWith('<')) {
      if (piece.includes(']]>')) throw new Error(']]> in text');
      current().text += resolve(piece.replace(/\r\n?/g, '\n'));
      continue;
    }
    const closing = /^<\/([A-Za-z_][\w.-]*)>$/.exec(piece);
    if (closing !== null) {
      if (open.length < 2 || current().name !== closing[1]) throw new Error(`unexpected ${piece}`);
      open.pop();
      continue;
    }
    const opening = /^<([A-Za-z_][\w.-]*)((?:\s[^>]*?)?)(\/?)>$/.exec(piece);
    if (opening === null) throw new Error(`bad tag ${piece}`);
    const element = {
      name: opening[1] ?? '',
      attributes: attributesOf(opening[2] ?? ''),
      text: '',
      children: [],
    };
    current().children.push(element);
    if (opening[3] !== '/') open.push(element);
  }
  if (open.length !== 1) throw new Error(`${current().name} is not closed`);
  const [root] = top.children;
  if (root === undefined || top.children.length !== 1 || top.text.trim() !== '')
    throw new Error('not one root');
  return root;
}

/** Every element of a name, at any depth. */
export function elements(root: XmlElement, name: string): XmlElement[] {
  const found = root.children.flatMap((child) => elements(child, name));
  return root.name === name ? [root, ...found] : found;
}
