// One request to the sandbox controller, over its socket or loopback.
import { type IncomingMessage, request } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { AppError } from '../base/errors.ts';
import { traceHeaders } from '../telemetry/telemetry.ts';

export interface Endpoint {
  /** unix:/path or an http URL. */
  readonly url: string;
  readonly token?: string | undefined;
}

export interface ControllerCall {
  readonly method: string;
  readonly path: string;
  /** A stream is sent in chunks. */
  readonly body?: Buffer | string | Readable | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Until the response begins: creating a sandbox is quick, and a command responds as soon as it is launched. */
const ANSWER_MS = 60_000;

export function callController(
  { url, token }: Endpoint,
  { method, path, body, signal }: ControllerCall,
): Promise<IncomingMessage> {
  const where = url.startsWith('unix:')
    ? { socketPath: url.slice('unix:'.length), host: 'localhost' }
    : { host: new URL(url).hostname.replace(/^\[|\]$/g, ''), port: new URL(url).port };
  return new Promise((resolve, reject) => {
    const call = request({
      ...where,
      method,
      path,
      agent: false,
      ...(signal === undefined ? {} : { signal }),
      headers: {
        ...(body === undefined || body instanceof Readable
          ? {}
          : { 'content-length': String(Buffer.byteLength(body)) }),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...traceHeaders(),
      },
    });
    const late = setTimeout(() => call.destroy(new Error('the sandbox controller does not answer')), ANSWER_MS);
    call.once('response', (answer) => {
      clearTimeout(late);
      resolve(answer);
    });
    call.once('error', (error) => {
      clearTimeout(late);
      reject(signal?.aborted ? signal.reason : new AppError('unavailable', {}, { cause: error }));
    });
    // What is wrong with the connection is told by the call, and a controller that answers early has a reason.
    if (body instanceof Readable) pipeline(body, call).catch(() => {});
    else call.end(body);
  });
}
