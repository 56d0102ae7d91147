// Requests outside the typed contract: device login, /v1, tool calls, event streams, exports.
import { guardedFetch, type SendOptions } from './guarded-fetch.ts';
import { failureOf } from './to-failure.ts';

export interface Sending extends SendOptions {
  readonly method?: string;
  readonly bearer?: string | undefined;
  readonly body?: unknown;
  /** The body as text; JSON unless a header says otherwise. */
  readonly text?: string | undefined;
  /** A form with files, or bytes, in place of text. */
  readonly form?: FormData | Blob;
  readonly accept?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Returns the response, whatever its status. */
export function request(
  url: string,
  path: string,
  {
    method,
    bearer,
    body,
    text = body === undefined ? undefined : JSON.stringify(body),
    form,
    accept = 'application/json',
    headers = {},
    ...options
  }: Sending = {},
): Promise<Response> {
  return guardedFetch(
    new Request(`${url}${path}`, {
      method: method ?? (text === undefined && form === undefined ? 'GET' : 'POST'),
      headers: {
        accept,
        ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
        ...(text === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(text === undefined && form === undefined ? {} : { body: text ?? form ?? null }),
    }),
    options,
  );
}

/** Returns the response if it is a success, otherwise throws a Failure. */
export async function send(url: string, path: string, sending: Sending = {}): Promise<Response> {
  const response = await request(url, path, sending);
  if (response.ok) return response;
  throw await failureOf(response, path);
}

export async function sendForJson<T>(url: string, path: string, sending: Sending = {}): Promise<T> {
  return (await (await send(url, path, sending)).json()) as T;
}
