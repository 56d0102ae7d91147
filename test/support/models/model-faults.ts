// How a scripted model provider goes wrong.
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';

/** An answer about to go wrong: in parts, the events of a stream or the stretches of a whole body. */
export interface Parts {
  readonly contentType: string;
  readonly all: readonly string[];
  /** One with text in it, which may be said again and again. */
  readonly repeatable: string;
  /** What the provider says when it gives up in the middle. */
  readonly error: string;
}

/** Ways to go wrong; each does so in a stream and in a whole answer alike. */
export const FAULTS = {
  /** Takes the request and says nothing, not even a status. */
  'never-answers': (_parts, response) => once(response, 'close'),
  /** Closes the connection before the status line. */
  'dies-before-headers': (_parts, response) => cut(response),
  'headers-then-silence': (parts, response) => {
    open(response, parts.contentType).flushHeaders();
    return once(response, 'close');
  },
  /** The first half, then nothing, with the connection open. */
  'silent-midway': (parts, response) => {
    open(response, parts.contentType).write(halves(parts)[0]);
    return once(response, 'close');
  },
  /** The first half, then the connection is cut. */
  'dies-midway': (parts, response) => open(response, parts.contentType).write(halves(parts)[0], () => cut(response)),
  /** The first half, then an orderly end. */
  'ends-early': (parts, response) => open(response, parts.contentType).end(halves(parts)[0]),
  /** The first half, then what is neither an event nor JSON, then the second half. */
  malformed: (parts, response) =>
    open(response, parts.contentType).end(halves(parts).join('data: {"broken\n\nnonsense without a colon\n\n')),
  /** The first half, then an error in the provider's own shape. */
  'error-midway': (parts, response) => open(response, parts.contentType).end(halves(parts)[0] + parts.error),
  /** Text without end, as fast as it is taken. */
  endless: async (parts, response) => {
    open(response, parts.contentType).write(halves(parts)[0]);
    while (!response.closed) if (!response.write(parts.repeatable)) await writable(response);
  },
  /** One line of 32 MB. */
  'huge-chunk': async (parts, response) => {
    open(response, parts.contentType).write('data: ');
    for (let sent = 0; sent < 32 && !response.closed; sent++)
      if (!response.write(Buffer.alloc(1024 * 1024, 'x'))) await writable(response);
    response.end();
  },
} as const satisfies Record<string, (parts: Parts, response: ServerResponse) => unknown>;

export type Fault = keyof typeof FAULTS;

const CUT = new WeakSet<ServerResponse>();

/** Whether the script, and not the client, closed the connection. */
export function wasCut(response: ServerResponse): boolean {
  return CUT.has(response);
}

function cut(response: ServerResponse): void {
  CUT.add(response);
  response.destroy();
}

function halves({ all }: Parts): [string, string] {
  const middle = Math.ceil(all.length / 2);
  return [all.slice(0, middle).join(''), all.slice(middle).join('')];
}

function writable(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      response.off('drain', done).off('close', done);
      resolve();
    };
    response.on('drain', done).on('close', done);
  });
}

function open(response: ServerResponse, contentType: string): ServerResponse {
  return response.writeHead(200, { 'content-type': contentType });
}
