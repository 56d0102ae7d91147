// Walks an XML document from start to end, without a tree and without recursion. There are no entities but the five of
// XML itself and numbered characters, and nothing is ever loaded: a document with a type declaration, which could define
// others, is refused. Names come without their prefix.
import { FileFault } from './file-fault.ts';

export interface XmlHandler {
  open?(name: string, attributes: string): void;
  close?(name: string): void;
  text?(text: string): void;
}

export function walkXml(bytes: Buffer, { open, close, text }: XmlHandler): void {
  const xml = decodeXml(bytes);
  for (let at = 0; at < xml.length;) {
    const next = xml.indexOf('<', at);
    const until = next === -1 ? xml.length : next;
    if (until > at) text?.(decodeEntities(xml.slice(at, until)));
    if (next === -1) return;
    if (xml.startsWith('<![CDATA[', next)) {
      const end = find(xml, ']]>', next);
      text?.(xml.slice(next + 9, end));
      at = end + 3;
    } else if (xml.startsWith('<!--', next)) at = find(xml, '-->', next + 4) + 3;
    else if (xml.startsWith('<?', next)) at = find(xml, '?>', next) + 2;
    else if (xml.startsWith('<!', next)) throw new FileFault('damaged');
    else {
      const end = findTagEnd(xml, next + 1);
      const closes = xml[next + 1] === '/';
      const empty = xml[end - 1] === '/';
      const tag = xml.slice(next + (closes ? 2 : 1), empty ? end - 1 : end);
      const space = tag.search(/\s/);
      const name = localName(space === -1 ? tag : tag.slice(0, space));
      if (!closes) open?.(name, space === -1 ? '' : tag.slice(space));
      if (closes || empty) close?.(name);
      at = end + 1;
    }
  }
}

/** An attribute by its name, which is without its prefix unless the name has one. */
export function readAttribute(attributes: string, name: string): string | undefined {
  const found = attributePattern(name).exec(attributes);
  return found ? decodeEntities(found[1] ?? found[2] ?? '') : undefined;
}

const patterns = new Map<string, RegExp>();

/** Only names that the code writes reach this, so the map stays small. */
function attributePattern(name: string): RegExp {
  const known = patterns.get(name);
  if (known) return known;
  const pattern = new RegExp(`\\s${name.includes(':') ? '' : '(?:[\\w.-]+:)?'}${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`);
  patterns.set(name, pattern);
  return pattern;
}

function decodeXml(bytes: Buffer): string {
  const mark = bytes.toString('latin1', 0, 2);
  const encoding = mark === '\u00ff\u00fe' ? 'utf-16le' : mark === '\u00fe\u00ff' ? 'utf-16be' : 'utf-8';
  return new TextDecoder(encoding).decode(bytes);
}

function find(xml: string, mark: string, from: number): number {
  const at = xml.indexOf(mark, from);
  if (at === -1) throw new FileFault('damaged');
  return at;
}

const QUOTES = /["'>]/g;

/** The `>` that ends a tag; one within quotes does not. */
function findTagEnd(xml: string, from: number): number {
  QUOTES.lastIndex = from;
  for (let found = QUOTES.exec(xml); found; found = QUOTES.exec(xml)) {
    if (found[0] === '>') return found.index;
    QUOTES.lastIndex = find(xml, found[0], found.index + 1) + 1;
  }
  throw new FileFault('damaged');
}

function localName(name: string): string {
  const colon = name.indexOf(':');
  return colon === -1 ? name : name.slice(colon + 1);
}

const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function decodeEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(/&(?:#(\d{1,7})|#x([\da-fA-F]{1,6})|(\w{2,4}));/g, (whole, decimal, hex, name: string) => {
    if (name !== undefined) return NAMED[name] ?? whole;
    const code = decimal === undefined ? Number.parseInt(String(hex), 16) : Number(decimal);
    return code <= 0x10ffff ? String.fromCodePoint(code) : '';
  });
}
