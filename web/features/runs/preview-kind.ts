// How a file that a run left is previewed. By its name only: a run wrote it, so nothing in it decides.

export type PreviewKind = 'text' | 'markdown' | 'table' | 'image' | 'html';

const KINDS: Readonly<Record<string, PreviewKind>> = {
  md: 'markdown',
  markdown: 'markdown',
  csv: 'table',
  tsv: 'table',
  html: 'html',
  htm: 'html',
  png: 'image',
  jpg: 'image',
  jpeg: 'image',
  gif: 'image',
  webp: 'image',
  avif: 'image',
  bmp: 'image',
  svg: 'image',
};

/** The types under which an image is shown; a picture that is a document is shown as a picture only. */
const IMAGE_TYPES: Readonly<Record<string, string>> = { svg: 'image/svg+xml', jpg: 'image/jpeg' };

const TEXTS = new Set(
  'txt log json jsonl ndjson yaml yml toml ini cfg conf env xml css js mjs ts tsx jsx py rb rs go java kt c h cpp hpp cs php sh bash sql diff patch r lua pl swift tex'.split(
    ' ',
  ),
);
const TEXT_NAMES = new Set(['readme', 'license', 'makefile', 'dockerfile', 'notes', 'changelog']);

/** Larger images are only downloaded. */
export const IMAGE_MAX_BYTES = 10_000_000;
/** Of a text, this much is read and shown. */
export const TEXT_MAX_BYTES = 512_000;

/** Undefined for what can only be downloaded. */
export function previewKindOf(name: string, size: number): PreviewKind | undefined {
  const extension = extensionOf(name);
  const kind = Object.hasOwn(KINDS, extension) ? KINDS[extension] : undefined;
  if (kind === 'image') return size <= IMAGE_MAX_BYTES ? 'image' : undefined;
  if (kind !== undefined) return kind;
  const base = name.slice(name.lastIndexOf('/') + 1).toLowerCase();
  return TEXTS.has(extension) || TEXT_NAMES.has(base) ? 'text' : undefined;
}

export const separatorOf = (name: string): ',' | '\t' => (extensionOf(name) === 'tsv' ? '\t' : ',');

export const imageTypeOf = (name: string): string => {
  const extension = extensionOf(name);
  return IMAGE_TYPES[extension] ?? `image/${extension}`;
};

function extensionOf(name: string): string {
  return /\.([a-z0-9]{1,10})$/.exec(name.toLowerCase())?.[1] ?? '';
}
