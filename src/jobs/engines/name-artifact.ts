// The one-segment name under which an artifact is kept: directories become part of it, and no two are the same.
import { createHash } from 'node:crypto';

const LONGEST_BYTES = 200;

export function nameArtifact(path: string, taken: Set<string>): string {
  // oxlint-disable-next-line no-control-regex -- control characters are what is taken out
  const flat = path.toWellFormed().replaceAll('/', '__').replaceAll(/[\\\u0000-\u001f\u007f]/g, '_').replace(/^\.+$/, '_');
  const fits = Buffer.byteLength(flat) <= LONGEST_BYTES && !taken.has(flat);
  const name = fits ? flat : `${shorten(flat)}-${createHash('sha256').update(path).digest('hex').slice(0, 8)}`;
  taken.add(name);
  return name;
}

function shorten(text: string): string {
  let short = text;
  while (Buffer.byteLength(short) > LONGEST_BYTES) short = short.slice(0, -8);
  return short.toWellFormed();
}
