// Detects the type of a file by its content. The claimed name and type decide only which kind of text a text is.
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
  // Readers accept a PDF header anywhere in the first kilobyte.
  ['application/pdf', (bytes) => bytes.subarray(0, 1024).includes('%PDF-')],
];

/** Undefined if a model cannot be shown this type. */
export function sniffType(bytes: Buffer, name: string): string | undefined {
  const known = SIGNATURES.find(([, matches]) => matches(bytes))?.[0];
  if (known !== undefined) return known;
  if (!isText(bytes)) return undefined;
  return TEXT_TYPES[/\.(\w+)$/.exec(name)?.[1]?.toLowerCase() ?? ''] ?? 'text/plain';
}

/** The text of a UTF-8 file without its byte order mark; undefined if it is not text. */
export function decodeText(bytes: Buffer): string | undefined {
  return isText(bytes) ? new TextDecoder().decode(bytes) : undefined;
}

function isText(bytes: Buffer): boolean {
  return !bytes.includes(0) && isUtf8(bytes);
}

function startsWith(bytes: Buffer, signature: readonly number[]): boolean {
  return signature.every((byte, index) => bytes[index] === byte);
}
