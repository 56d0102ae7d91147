// The path of `read-provider-resource`: relative to the app's base URL, and still so after any server on the way has
// decoded and normalised it. So every form that up to ten rounds of decoding produce is checked, not just the original.
// Accepted text is not rewritten; only characters that a URL cannot contain are encoded.
import { findUrlFault } from './find-url-fault.ts';

interface ResourcePath {
  /** Ready for a URL: starts with exactly one slash, has no query. */
  readonly path: string;
  /** Decoded parameters after the `?`. */
  readonly query: readonly (readonly [string, string])[];
  /** Fully decoded, without the empty segment before the first slash. */
  readonly segments: readonly string[];
}

export type ParsedPath =
  | { readonly ok: true; readonly value: ResourcePath }
  | { readonly ok: false; readonly fault: string };

const MAX_LENGTH = 4096;
const MAX_ROUNDS = 10;
/** Segments of unreserved characters: most paths, and none of the rules below can apply. */
const PLAIN = /^(?:\/[A-Za-z0-9_~-][A-Za-z0-9_.~-]*)+\/?$/;
const ESCAPE_RUN = /(?:%[0-9a-f]{2})+/gi;
const SCHEME = /^(?:https?|wss?|ftps?|file|data|blob|about|javascript):|^[a-z][a-z0-9+.-]*:$/i;

/** Decides whether the text names a resource below the app's base URL. Pure. */
export function parseResourcePath(text: string): ParsedPath {
  if (text.length > MAX_LENGTH) return refuse(`must have at most ${MAX_LENGTH} characters`);
  if (PLAIN.test(text)) return { ok: true, value: { path: text, query: [], segments: text.slice(1).split('/') } };
  if (!text.startsWith('/')) return refuse('must begin with /');
  if (text.startsWith('//')) return refuse('must begin with a single /');
  if (text.includes('#')) return refuse('must not contain #');
  if (text.includes('\\')) return refuse('must not contain a backslash');
  const mark = text.indexOf('?');
  const written = mark < 0 ? text : text.slice(0, mark);
  if (/%(?![0-9a-f]{2})/i.test(written)) return refuse('has a % that encodes nothing');

  let form = written;
  for (let round = 0; ; round++) {
    const fault = findFault(form);
    if (fault !== undefined) return refuse(fault);
    const next = decodeOnce(form);
    if (next === undefined) return refuse('does not decode to text');
    if (next === form) break;
    if (round === MAX_ROUNDS) return refuse('is encoded too many times');
    form = next;
  }
  const query = mark < 0 ? [] : [...new URLSearchParams(text.slice(mark + 1))];
  const queryFault =
    findUrlFault(mark < 0 ? '' : text.slice(mark + 1)) ??
    query
      .flat()
      .map(findUrlFault)
      .find((fault) => fault !== undefined);
  if (queryFault !== undefined) return refuse(queryFault);
  return { ok: true, value: { path: encodeRest(written), query, segments: form.slice(1).split('/') } };
}

function refuse(fault: string): ParsedPath {
  return { ok: false, fault };
}

/** The fault of one decoded form. Look-alikes of slash and dot are treated as ordinary characters. */
function findFault(form: string): string | undefined {
  const fault = findUrlFault(form);
  if (fault !== undefined) return fault;
  if (/%2f|%5c/i.test(form)) return 'must not contain an encoded slash or backslash';
  if (form.includes('\\')) return 'must not contain a backslash';
  if (form.startsWith('//') || form.includes('://')) return 'must not contain an absolute URL';
  for (const segment of form.slice(1).split('/')) {
    if (isDotSegment(segment)) return 'must not contain . or .. segments';
    if (SCHEME.test(segment.trim())) return 'must not contain an absolute URL';
  }
  return undefined;
}

/** Servers that strip path parameters or trailing spaces also read `..;x` and `.. ` as `..`. */
export function isDotSegment(segment: string): boolean {
  const name = (segment.split(';', 1)[0] ?? '').trim();
  return name === '.' || name === '..';
}

/** Decodes every escape once; undefined if the bytes are not valid UTF-8, which includes overlong forms. */
function decodeOnce(form: string): string | undefined {
  try {
    return form.replaceAll(ESCAPE_RUN, decodeURIComponent);
  } catch {
    return undefined;
  }
}

function encodeRest(path: string): string {
  return path.replaceAll(/[^A-Za-z0-9\-._~!$&'()*+,;=:@/%]+/g, encodeURIComponent);
}
