// Reads every failure of a call the same way: from our routes, from the identity routes, or without a response.
import { errorTexts, FALLBACK_ERROR, rateLimited, serverSentences, serverTexts } from './error-strings.ts';
import { isServerError } from './server-error.ts';

export interface Fault {
  /** HTTP status; 0 when there was no response. */
  readonly status: number;
  readonly code: string;
  /** The message to show. */
  readonly text: string;
  /** Errors by request field, if the server named fields. */
  readonly fields: Readonly<Record<string, string>>;
}

export function readFault(error: unknown): Fault {
  if (!isServerError(error)) return { status: 0, code: 'unreachable', text: errorTexts.unreachable, fields: {} };
  const body = asRecord(error.data);
  const code = errorCode(body, error.status);
  return {
    status: error.status,
    code,
    text: faultText(code, body.message, asRecord(body.details).retryAfterSeconds),
    fields: fieldsOf(code, body),
  };
}

/** The error code of a body; identity routes have it in `code`, in capitals. */
export function errorCode(body: unknown, status: number): string {
  const { error, code } = asRecord(body);
  if (typeof error === 'string') return error;
  if (typeof code === 'string') return code.toLowerCase();
  return status === 401 ? 'unauthenticated' : `http_${status}`;
}

/** Whether a call failed, rather than the page. `fetch` reports an unreachable server as a TypeError. */
export function isFault(error: unknown): boolean {
  return (
    isServerError(error) ||
    (error instanceof TypeError && /fetch|network|load failed/i.test(error.message)) ||
    (error instanceof DOMException && error.name === 'TimeoutError')
  );
}

/** Whether the server refused the call, so that repeating it would not help. */
export function isRefusal(error: unknown): boolean {
  return isServerError(error) && error.status < 500;
}

/** There is no session. A wrong password is also a 401, but says nothing about the session. */
export function isUnauthenticated(error: unknown): boolean {
  return isServerError(error) && error.status === 401 && error.code === 'unauthenticated';
}

/** Also for a stored error: its code and the server's message. */
export function faultText(code: string, message: unknown, retryAfterSeconds?: unknown): string {
  if (code === 'rate_limited')
    return rateLimited(typeof retryAfterSeconds === 'number' ? retryAfterSeconds : undefined);
  const known = (errorTexts as Record<string, string>)[code];
  if (known !== undefined) return known;
  // The specification fixes the text of some errors.
  if (code.includes(' ')) return translateSentence(code);
  const said = typeof message === 'string' ? message : '';
  const text = serverTexts[code] ?? serverTexts[code.split(':', 1)[0] ?? ''];
  if (text !== undefined) return typeof text === 'string' ? text : text(said);
  return said === '' ? FALLBACK_ERROR : said;
}

/** A sentence of the server in the language of the page, with the names that stand in it. */
export function translateSentence(sentence: string): string {
  for (const { said, shown } of serverSentences) {
    const names = new RegExp(`^${said.split('{}').map(escape).join('(.+?)')}$`).exec(sentence)?.slice(1);
    if (names !== undefined) return shown.replaceAll('{}', () => names.shift() ?? '');
  }
  return sentence;
}

const escape = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

function fieldsOf(code: string, body: Record<string, unknown>): Record<string, string> {
  if (code !== 'invalid_request') return {};
  return Object.fromEntries(
    Object.entries(asRecord(body.details)).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

function asRecord(value: unknown): Record<string, unknown> {
  return value !== null && typeof value === 'object' ? (value as Record<string, unknown>) : {};
}
