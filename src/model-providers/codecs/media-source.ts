import type { DocumentPart, ImagePart, MediaSource } from './neutral.ts';

const HEADER_LIMIT = 256;

/** A `data:` or http(s) URL as a source; undefined if it is neither. */
export function findMediaSource(url: string, at: string): MediaSource | undefined {
  if (/^https?:\/\//i.test(url)) return URL.canParse(url) ? { kind: 'url', url, at } : undefined;
  if (!/^data:/i.test(url)) return undefined;
  const comma = url.slice(0, HEADER_LIMIT).indexOf(',');
  if (comma === -1) return undefined;
  const header = url.slice(5, comma).toLowerCase();
  if (!header.endsWith(';base64')) return undefined;
  const mediaType = header.split(';', 1)[0];
  return {
    kind: 'base64',
    mediaType: mediaType === undefined || mediaType === '' ? 'text/plain' : mediaType,
    data: url.slice(comma + 1),
  };
}

export function toUrl(source: MediaSource): string {
  return source.kind === 'url' ? source.url : `data:${source.mediaType};base64,${source.data}`;
}

/** A client's file: an image stays an image whatever part it came in. Bare base64 is treated as PDF, as OpenAI does. */
export function findFilePart(
  fileData: string,
  at: string,
  title: string | undefined,
): ImagePart | DocumentPart | undefined {
  const source = /^data:/i.test(fileData)
    ? findMediaSource(fileData, at)
    : { kind: 'base64' as const, mediaType: 'application/pdf', data: fileData };
  if (source === undefined) return undefined;
  if (source.kind === 'base64' && source.mediaType.startsWith('image/')) return { type: 'image', source };
  return { type: 'document', source, title };
}

/** The text of a document, if it is a text document. */
export function findDocumentText({ source }: DocumentPart): string | undefined {
  if (source.kind === 'text') return source.text;
  if (source.kind !== 'base64' || !isTextual(source.mediaType)) return undefined;
  return Buffer.from(source.data, 'base64').toString('utf8');
}

function isTextual(mediaType: string): boolean {
  return mediaType.startsWith('text/') || mediaType === 'application/json' || mediaType === 'application/xml';
}
