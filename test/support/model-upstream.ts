// A model provider that does exactly what a test says, on a real socket and in both wire protocols. Answers are
// queued; when none is left, or none fits the path, the default is given. Every request is kept.
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { wasCut } from './model-faults.ts';
import { performScript, type Script } from './model-scripts.ts';

export interface RecordedRequest {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** As it came. */
  readonly body: string;
  /** The body as JSON; undefined when it is none. */
  readonly json: unknown;
  /** Fulfilled when it is over: with true when the client left before the answer was whole, else with false. */
  readonly aborted: Promise<boolean>;
}

export interface ModelUpstream {
  /** The origin, without /v1: what OPENAI_API_URL and ANTHROPIC_API_URL take. */
  readonly url: string;
  readonly requests: readonly RecordedRequest[];
  /** Queues the answer to one request. With `path`, to the next request of that path. */
  respond(script: Script): void;
  /** What is answered whenever the queue has nothing. */
  respondByDefault(script: Script): void;
  /** The request with this number, counted from 0, as soon as its body is there. */
  request(index: number): Promise<RecordedRequest>;
  /** Forgets the requests, the queue and the default. */
  reset(): void;
  stop(): Promise<void>;
}

export async function startModelUpstream(): Promise<ModelUpstream> {
  const requests: RecordedRequest[] = [];
  const queue: Script[] = [];
  const waiting = new Set<() => void>();
  let byDefault: Script = {};

  const server = createServer((request, response) => {
    void take(request, response).catch(() => response.destroy());
  });

  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const aborted = new Promise<boolean>((resolve) => response.once('close', () => resolve(!response.writableFinished && !wasCut(response))));
    const body = await readWhole(request);
    const recorded: RecordedRequest = { method: request.method ?? '', path: request.url ?? '', headers: request.headers, body, json: parseJson(body), aborted };
    requests.push(recorded);
    for (const look of waiting) look();
    const [path = ''] = recorded.path.split('?');
    const fitting = queue.findIndex((script) => script.path === undefined || script.path === path);
    const [script = byDefault] = fitting < 0 ? [] : queue.splice(fitting, 1);
    await performScript(script, { path, headers: request.headers, json: recorded.json, number: requests.length }, response);
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    respond: (script) => void queue.push(script),
    respondByDefault: (script) => {
      byDefault = script;
    },
    request: (index) =>
      new Promise((resolve) => {
        const look = (): void => {
          const found = requests[index];
          if (!found) return;
          waiting.delete(look);
          resolve(found);
        };
        waiting.add(look);
        look();
      }),
    reset() {
      requests.length = 0;
      queue.length = 0;
      byDefault = {};
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function readWhole(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
