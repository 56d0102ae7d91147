// The name under which an artifact is kept: its path below /workspace/artifacts. A path that is not a valid file name here,
// that is reserved, or whose address the gateway refuses (`%00`, `%2e%2e`), is replaced by a flat name with a hash.
import { createHash } from 'node:crypto';
import { canonicalPath } from '../gateway/canonical-path.ts';

const LONGEST_BYTES = 200;
// oxlint-disable-next-line no-control-regex -- control characters are what is looked for
const UNFIT = /[\\\u0000-\u001f\u007f]/g;
/** In a flat name nothing is left to decode. */
const UNFIT_IN_FLAT = new RegExp(`%|${UNFIT.source}`, 'g');

/** @param taken reserved first segments. */
export function nameArtifact(path: string, taken: ReadonlySet<string>): string {
  const segments = path.split('/');
  const fits =
    path.isWellFormed() &&
    path.search(UNFIT) === -1 &&
    segments.every((segment) => !/^\.{0,2}$/.test(segment) && Buffer.byteLength(segment) <= LONGEST_BYTES) &&
    canonicalPath(`/${segments.map(encodeURIComponent).join('/')}`) !== undefined;
  if (fits && !taken.has(segments[0] ?? '')) return path;
  const flat = path.toWellFormed().replaceAll('/', '__').replaceAll(UNFIT_IN_FLAT, '_');
  return `${shorten(flat)}-${createHash('sha256').update(path).digest('hex').slice(0, 8)}`;
}

function shorten(text: string): string {
  let short = text;
  while (Buffer.byteLength(short) > LONGEST_BYTES) short = short.slice(0, -8);
  return short.toWellFormed();
}
