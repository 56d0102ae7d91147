// A model provider that does exactly what a test says, on a real socket and in both wire protocols. Answers are
// queued; when none is left, or none fits the path, the default is given. Every request is kept. What the real
// provider is documented to refuse is refused before an answer is taken from the queue.
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Refusal, REFUSALS, renderRefusal } from '../../../stand-ins/models/refusal.ts';
import { judgeRequest, type RuleName } from '../../../stand-ins/models/rules/judge-request.ts';
import { createMemory } from './model-memory.ts';
import { wasCut } from './model-faults.ts';
import { isAnthropic, performScript, type Script, type Taken } from './model-scripts.ts';

/** Rules that this provider does not hold requests to, each with the reason. */
export type Lenient = Readonly<Partial<Record<RuleName, string>>>;

export interface RecordedRequest {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** As it came. */
  readonly body: string;
  /** The body as JSON; undefined when it is none. */
  readonly json: unknown;
  /** The refusal, when the real provider would have refused it. */
  readonly refused: string | undefined;
  /** Fulfilled when it is over: with true when the client left before the answer was whole, else with false. */
  readonly aborted: Promise<boolean>;
  /** How much of the answer the connection has taken. */
  sentBytes(): number;
}

export interface ModelUpstream {
  /** The origin, without /v1: what OPENAI_API_URL and ANTHROPIC_API_URL take. */
  readonly url: string;
  /** The base URL, with /v1, of an OpenAI-compatible server: judged by what those are documented to take. */
  readonly accountUrl: string;
  readonly requests: readonly RecordedRequest[];
  /** Queues the answer to one request. With `path`, to the next request of that path. */
  respond(script: Script): void;
  /** What is answered whenever the queue has nothing, or how that is chosen. */
  respondByDefault(script: Script | ((request: Taken) => Script)): void;
  /** The request with this number, counted from 0, as soon as its body is there. */
  request(index: number): Promise<RecordedRequest>;
  /** From here to the next reset. */
  allow(lenient: Lenient): void;
  /** Forgets the requests, the queue, the default and what was allowed. */
  reset(): void;
  stop(): Promise<void>;
}

const ACCOUNT_PREFIX = '/account';

export async function startModelUpstream(options: { lenient?: Lenient } = {}): Promise<ModelUpstream> {
  const requests: RecordedRequest[] = [];
  const queue: Script[] = [];
  const waiting = new Set<() => void>();
  const memory = createMemory();
  let byDefault: Script | ((request: Taken) => Script) = {};
  let allowed = namesOf(options.lenient);

  const server = createServer((request, response) => {
    void take(request, response).catch(() => response.destroy());
  });

  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const aborted = new Promise<boolean>((resolve) =>
      response.once('close', () => resolve(!response.writableFinished && !wasCut(response))),
    );
    const body = await readWhole(request);
    const isAccount = request.url?.startsWith(`${ACCOUNT_PREFIX}/`) ?? false;
    const address = isAccount ? (request.url ?? '').slice(ACCOUNT_PREFIX.length) : (request.url ?? '');
    const [path = ''] = address.split('?');
    const json = parseJson(body);
    const taken = { path, headers: request.headers, json, number: requests.length + 1 };
    const kept = memory.of(request.headers);
    const refusal =
      request.method === 'POST'
        ? judgeRequest(
            { path, headers: request.headers, body: json, kept },
            isAccount ? 'account' : 'provider',
            allowed,
          )
        : undefined;
    requests.push({
      method: request.method ?? '',
      path: address,
      headers: request.headers,
      body,
      json,
      refused: refusal?.message,
      aborted,
      sentBytes: () => response.socket?.bytesWritten ?? 0,
    });
    for (const look of waiting) look();
    if (refusal) return refuse(refusal, isAnthropic(taken), response);
    const fitting = queue.findIndex((script) => script.path === undefined || script.path === path);
    const [script = typeof byDefault === 'function' ? byDefault(taken) : byDefault] =
      fitting < 0 ? [] : queue.splice(fitting, 1);
    kept.keep(script, taken);
    await performScript(script, taken, response);
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    accountUrl: `${url}${ACCOUNT_PREFIX}/v1`,
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
    allow: (lenient) => {
      allowed = [...allowed, ...namesOf(lenient)];
    },
    reset() {
      allowed = namesOf(options.lenient);
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

function namesOf(lenient: Lenient | undefined): RuleName[] {
  return Object.keys(lenient ?? {}) as RuleName[];
}

function refuse(refusal: Refusal, anthropic: boolean, response: ServerResponse): void {
  response
    .writeHead(REFUSALS[refusal.code].status, { 'content-type': 'application/json' })
    .end(JSON.stringify(renderRefusal(anthropic ? 'anthropic' : 'openai', refusal, 'req_scripted')));
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
