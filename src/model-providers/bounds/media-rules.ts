// Images and documents in a body. They are counted by what they show, not by their characters.
import { findMediaSource } from '../codecs/media-source.ts';
import { isObject } from '../codecs/read-fields.ts';
import { refuseReference, type Found, type Rule } from './rules.ts';

const OTHER_TYPE = 'is not accepted on platform credit: only PDF documents and text can be counted';
/** Longer than a URL, shorter than the start of a document. */
const LOOKED_AT_BYTES = 512 * 1024;

/** An image as a `data:` URL. A remote URL is a reference, reported by its position. */
export const imageUrl: Rule = (value, at, found) => {
  const source = typeof value === 'string' ? findMediaSource(value, at) : undefined;
  if (source?.kind === 'base64') countImage(source.data, found);
  else refuseReference(found.faults, at);
};

/** Chat Completions puts the URL into an object; faults are reported at that object. */
export const imageUrlObject: Rule = (value, at, found) => {
  if (isObject(value)) imageUrl(value['url'], at, found);
  else found.faults.add(at, 'must be an object');
};

export const imageData: Rule = (value, at, found) => {
  if (typeof value === 'string') countImage(value, found);
  else found.faults.add(at, 'must be text');
};

/** A file as base64, with or without a `data:` prefix. */
export const fileData: Rule = (value, at, found) => {
  if (typeof value !== 'string') return found.faults.add(at, 'must be text');
  const source = /^data:/i.test(value) ? findMediaSource(value, at) : { kind: 'base64' as const, data: value };
  if (source?.kind === 'base64') countFile(source.data, at, found);
  else refuseReference(found.faults, at);
};

function countImage(data: string, found: Found): void {
  found.dataLength += data.length;
  // Only the start of an image contains its size; a JPEG may have a preview before it.
  const tokens = found.media.image(Buffer.from(data.slice(0, LOOKED_AT_BYTES), 'base64'));
  found.mediaTokens += tokens;
  found.likelyMediaTokens += tokens;
}

/** The type is detected from the content: name and declared type cannot be trusted. */
function countFile(data: string, at: string, found: Found): void {
  const bytes = Buffer.from(data, 'base64');
  if (bytes.subarray(0, 1_024).includes('%PDF-')) {
    const { most, likely } = found.media.pdf(bytes);
    found.dataLength += data.length;
    found.mediaTokens += most;
    found.likelyMediaTokens += likely;
  } else if (isImage(bytes)) countImage(data, found);
  // Text has fewer bytes than its base64 has characters, which stay counted.
  else if (!isText(bytes)) found.faults.add(at, OTHER_TYPE);
}

function isImage(bytes: Buffer): boolean {
  const head = bytes.toString('latin1', 0, 12);
  return (
    head.startsWith('\x89PNG') ||
    head.startsWith('\xff\xd8\xff') ||
    /^GIF8[79]a/.test(head) ||
    /^RIFF[\s\S]{4}WEBP$/.test(head)
  );
}

function isText(bytes: Buffer): boolean {
  if (bytes.includes(0)) return false;
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}
