// Detects the type of a file by its content. The claimed name and type decide only which kind of text a text is.
import { isUtf8 } from 'node:buffer';
import { AppError } from '../../base/errors.ts';
import { DOCUMENT_TYPES } from './document-types.ts';
import { FileFault } from './file-fault.ts';
import { openZip } from './read-zip.ts';

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

/** The part that every document of a kind has. */
const OFFICE_PARTS = [
  ['word/document.xml', DOCUMENT_TYPES.docx],
  ['xl/workbook.xml', DOCUMENT_TYPES.xlsx],
  ['ppt/presentation.xml', DOCUMENT_TYPES.pptx],
] as const;
const OPEN_DOCUMENTS: readonly string[] = [DOCUMENT_TYPES.odt, DOCUMENT_TYPES.ods, DOCUMENT_TYPES.odp];
const OFFICE_NAME = /\.(?:docx|docm|xlsx|xlsm|pptx|pptm|od[tsp])$/i;
/** The longest type that an archive may name. */
const MIMETYPE_BYTES = 256;
/** The container of Office's old formats, and of its new ones once they are encrypted. */
const COMPOUND_FILE = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1];

/** The type, or a refusal that says what to do. */
export function getType(bytes: Buffer, name: string): string {
  const type = sniffType(bytes, name);
  if (type !== undefined) return type;
  if (startsWith(bytes, COMPOUND_FILE) && bytes.includes(Buffer.from('EncryptedPackage', 'utf16le')))
    throw new AppError('file_encrypted');
  throw new AppError(isZip(bytes) && OFFICE_NAME.test(name) ? 'file_damaged' : 'attachment_type_unsupported');
}

/** Undefined if a model cannot be shown this type. */
export function sniffType(bytes: Buffer, name: string): string | undefined {
  const known = SIGNATURES.find(([, matches]) => matches(bytes))?.[0];
  if (known !== undefined) return known;
  if (isZip(bytes)) return sniffOffice(bytes);
  if (!isText(bytes)) return undefined;
  return TEXT_TYPES[/\.(\w+)$/.exec(name)?.[1]?.toLowerCase() ?? ''] ?? 'text/plain';
}

/** The text of a UTF-8 file without its byte order mark; undefined if it is not text. */
export function decodeText(bytes: Buffer): string | undefined {
  return isText(bytes) ? new TextDecoder().decode(bytes) : undefined;
}

function isZip(bytes: Buffer): boolean {
  return startsWith(bytes, [0x50, 0x4b, 3, 4]);
}

function sniffOffice(bytes: Buffer): string | undefined {
  try {
    const zip = openZip(bytes, MIMETYPE_BYTES);
    const office = OFFICE_PARTS.find(([part]) => zip.has(part))?.[1];
    if (office !== undefined) return office;
    const said = zip.read('mimetype')?.toString('latin1').trim() ?? '';
    return OPEN_DOCUMENTS.includes(said) ? said : undefined;
  } catch (error) {
    if (error instanceof FileFault) return undefined;
    throw error;
  }
}

function isText(bytes: Buffer): boolean {
  return !bytes.includes(0) && isUtf8(bytes);
}

function startsWith(bytes: Buffer, signature: readonly number[]): boolean {
  return signature.every((byte, index) => bytes[index] === byte);
}
