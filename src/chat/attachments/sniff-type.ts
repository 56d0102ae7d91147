// What a file is, by what is in it. The name and the type that a client claims decide nothing but which kind of
// text a text is.
import { isUtf8 } from 'node:buffer';

const TEXT_TYPES: Readonly<Record<string, string>> = {
  md: 'text/markdown',
  markdown: 'text/markdown',
  csv: 'text/csv',
  tsv: 'text/tab-separated-values',
  json: 'application/json',
  xml: 'application/xml',
  yaml: 'application/yaml',
  yml: 'application/yaml',
};

const SIGNATURES: readonly (readonly [string, (bytes: Buffer) => boolean])[] = [
  ['image/png', (bytes) => startsWith(bytes, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])],
  ['image/jpeg', (bytes) => startsWith(bytes, [0xff, 0xd8, 0xff])],
  ['image/gif', (bytes) => /^GIF8[79]a$/.test(bytes.toString('latin1', 0, 6))],
  ['image/webp', (bytes) => bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP'],
  // Readers take a PDF whose header comes within the first kilobyte.
  ['application/pdf', (bytes) => bytes.subarray(0, 1024).includes('%PDF-')],
];

/** Undefined when it is nothing that a model can be shown. */
export function sniffType(bytes: Buffer, name: string): string | undefined {
  const known = SIGNATURES.find(([, matches]) => matches(bytes))?.[0];
  if (known !== undefined) return known;
  if (!isText(bytes)) return undefined;
  return TEXT_TYPES[/\.(\w+)$/.exec(name)?.[1]?.toLowerCase() ?? ''] ?? 'text/plain';
}

/** The text of a file in UTF-8, without its byte order mark; undefined when it is none. */
export function decodeText(bytes: Buffer): string | undefined {
  return isText(bytes) ? new TextDecoder().decode(bytes) : undefined;
}

function isText(bytes: Buffer): boolean {
  return !bytes.includes(0) && isUtf8(bytes);
}

function startsWith(bytes: Buffer, signature: readonly number[]): boolean {
  return signature.every((byte, index) => bytes[index] === byte);
}
