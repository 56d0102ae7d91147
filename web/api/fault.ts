// One reading of every failure a call can end in, whoever answered: our routes, the identity routes, or nobody.
import { ORPCError } from '@orpc/client';
import { errorTexts, FALLBACK_ERROR, rateLimited } from './error-strings.ts';

export interface Fault {
  /** HTTP status; 0 when no answer came. */
  readonly status: number;
  readonly code: string;
  /** A sentence for the person in front of the screen. */
  readonly text: string;
  /** What is wrong with each field of the request, when the server named fields. */
  readonly fields: Readonly<Record<string, string>>;
}

export function readFault(error: unknown): Fault {
  if (!(error instanceof ORPCError))
    return { status: 0, code: 'unreachable', text: errorTexts.unreachable, fields: {} };
  const body = asRecord(error.data);
  const code = errorCode(body, error.status);
  return {
    status: error.status,
    code,
    text: faultText(code, body.message, asRecord(body.details).retryAfterSeconds),
    fields: fieldsOf(code, body),
  };
}

/** The stable word of an error body; identity routes spell theirs `code`, in capitals. */
export function errorCode(body: unknown, status: number): string {
  const { error, code } = asRecord(body);
  if (typeof error === 'string') return error;
  if (typeof code === 'string') return code.toLowerCase();
  return status === 401 ? 'unauthenticated' : `http_${status}`;
}

/** Whether a call failed, as opposed to the page itself. `fetch` reports an unreachable server as a TypeError. */
export function isFault(error: unknown): boolean {
  return (
    error instanceof ORPCError ||
    (error instanceof TypeError && /fetch|network|load failed/i.test(error.message)) ||
    (error instanceof DOMException && error.name === 'TimeoutError')
  );
}

/** Whether somebody answered and said no: asking the same again would not help. */
export function isRefusal(error: unknown): boolean {
  return error instanceof ORPCError && error.status < 500;
}

/** No session; a refused password is 401 too, but says nothing about the session. */
export function isUnauthenticated(error: unknown): boolean {
  return error instanceof ORPCError && error.status === 401 && error.code === 'unauthenticated';
}

/** Also for a reason that was stored: its code, and the server's own words. */
export function faultText(code: string, message: unknown, retryAfterSeconds?: unknown): string {
  if (code === 'rate_limited')
    return rateLimited(typeof retryAfterSeconds === 'number' ? retryAfterSeconds : undefined);
  const known = (errorTexts as Record<string, string>)[code];
  if (known !== undefined) return known;
  // Some refusals are themselves a sentence of the specification.
  if (code.includes(' ')) return code;
  return typeof message === 'string' && message !== '' ? message : FALLBACK_ERROR;
}

function fieldsOf(code: string, body: Record<string, unknown>): Record<string, string> {
  if (code !== 'invalid_request') return {};
  return Object.fromEntries(
    Object.entries(asRecord(body.details)).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

function asRecord(value: unknown): Record<string, unknown> {
  return value !== null && typeof value === 'object' ? (value as Record<string, unknown>) : {};
}
