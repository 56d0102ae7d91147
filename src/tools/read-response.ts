// A provider's answer, which the client has read whole and within its caps, as the caller may see it. JSON is handed
// on as the text it was, after a look at its depth and a parse: what leaves the service is always well-formed, and
// numbers too large for a double keep their digits.
import { AppError } from '../base/errors.ts';
import type { HttpAnswer } from '../nango/send-request.ts';
import type { ProviderAnswer } from './provider-request.ts';

export const MAX_RESPONSE_BYTES = 5 * 1024 * 1024;
const MAX_DEPTH = 256;

export const ECHOED_HEADERS = [
  'content-language',
  'content-type',
  'etag',
  'last-modified',
  'link',
  'retry-after',
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
] as const;

/** Throws `provider_redirect_refused` for an answer that points elsewhere. */
export function readResponse({ status, headers, body }: HttpAnswer): ProviderAnswer {
  if (status >= 300 && status < 400 && status !== 304) throw new AppError('provider_redirect_refused');
  const echoed: Record<string, string> = {};
  for (const name of ECHOED_HEADERS) if (headers[name] !== undefined) echoed[name] = headers[name];
  return { status, headers: echoed, data: toJson(body, headers['content-type'] ?? '') };
}

function toJson(bytes: Buffer, contentType: string): string {
  if (bytes.length === 0) return 'null';
  const whole = bytes.toString('utf8');
  const text = whole.charCodeAt(0) === 0xfeff ? whole.slice(1) : whole;
  if (/^[^;]*[/+]json\b/i.test(contentType) && isShallow(text) && isJson(text)) return text;
  // U+FFFD stands for bytes that were no UTF-8: such an answer is binary and travels as base64.
  return text.includes('\uFFFD') ? JSON.stringify({ base64: bytes.toString('base64') }) : JSON.stringify(text);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Whether brackets nest no deeper than anything sensible does; a parser takes a second over megabytes of `[`. */
export function isShallow(text: string): boolean {
  if (text.length <= MAX_DEPTH) return true;
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case 0x22:
        at = endOfString(text, at);
        break;
      case 0x5b:
      case 0x7b:
        if (++depth > MAX_DEPTH) return false;
        break;
      case 0x5d:
      case 0x7d:
        depth--;
        break;
      default:
    }
  }
  return true;
}

/** Brackets inside a string open nothing. */
function endOfString(text: string, quote: number): number {
  for (let end = text.indexOf('"', quote + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === 0x5c) slashes++;
    if (slashes % 2 === 0) return end;
  }
  return text.length;
}
