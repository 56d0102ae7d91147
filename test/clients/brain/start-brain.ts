// A model provider that answers as a tool-using model would. It stands before the scripted provider: for each request
// it decides the answer, tells the scripted provider, and passes the request on, so that whatever that one is strict
// about holds here too.
import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as send,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { Script } from '../../support/models/model-scripts.ts';
import { type RecordedRequest, startModelUpstream } from '../../support/models/model-upstream.ts';
import { decideAnswer } from './decide-answer.ts';
import { createKeptConversations } from './keep-conversations.ts';
import { readAsked } from './read-asked.ts';

export interface Brain {
  readonly url: string;
  /** The base URL, with /v1, of an OpenAI-compatible server. */
  readonly accountUrl: string;
  /** Of models only; what lists models or counts tokens is not among them. */
  readonly requests: readonly BrainRequest[];
  /** The next one whose body has the text, as soon as it is there. */
  next(text: string): Promise<BrainRequest>;
  stop(): Promise<void>;
}

export interface BrainRequest extends RecordedRequest {
  /** What the scripted provider answered, as soon as it has. */
  readonly answered: Promise<{ readonly status: number; readonly text: string }>;
}

const MODEL_PATHS = ['/v1/chat/completions', '/v1/responses', '/v1/messages'];
/** Where the scripted provider is an OpenAI-compatible server. */
const ACCOUNT = '/account';
const COUNT = { status: 200, body: '{"input_tokens": 42}', headers: { 'content-type': 'application/json' } };

export async function startBrain(): Promise<Brain> {
  const upstream = await startModelUpstream();
  const requests: BrainRequest[] = [];
  const conversations = createKeptConversations();
  const waiting = new Set<(request: BrainRequest) => void>();
  // One at a time until the scripted provider has taken its script: it gives the next request what was said last.
  let before: Promise<unknown> = Promise.resolve();

  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request);
    const gone = Promise.withResolvers<unknown>();
    const [address = ''] = (request.url ?? '').split('?');
    const path = address.startsWith(`${ACCOUNT}/`) ? address.slice(ACCOUNT.length) : address;
    const isModel = MODEL_PATHS.includes(path);
    const json = parse(body);
    const key = keyOf(request);
    const asked = readAsked(json);
    const recalled = conversations.recall(key, json);
    const whole = { ...asked, said: [...('said' in recalled ? recalled.said : []), ...asked.said] };
    const script = !isModel
      ? path === '/v1/messages/count_tokens'
        ? COUNT
        : {}
      : 'refusal' in recalled
        ? recalled.refusal
        : decideAnswer(whole, path === '/v1/messages', gone.promise);
    const mine = before.then(() => hand(request, response, body, script));
    before = mine.catch(() => undefined);
    const recorded = await mine;
    // An answer that waits goes on only when the scripted provider itself has seen that the client is gone.
    void recorded.aborted.then(gone.resolve);
    if (!isModel) return;
    void recorded.answered.then(({ text }) => conversations.keep(key, json, whole.said, text));
    requests.push(recorded);
    for (const look of waiting) look(recorded);
  }

  async function hand(
    request: IncomingMessage,
    response: ServerResponse,
    body: Buffer,
    script: Script,
  ): Promise<BrainRequest> {
    const index = upstream.requests.length;
    upstream.respondByDefault(script);
    const answered = passOn(request, response, body);
    return { ...(await upstream.request(index)), answered };
  }

  function passOn(request: IncomingMessage, response: ServerResponse, body: Buffer): BrainRequest['answered'] {
    const { promise, resolve } = Promise.withResolvers<{ status: number; text: string }>();
    const passed = send(
      new URL(request.url ?? '/', upstream.url),
      { method: request.method ?? 'GET', headers: { ...request.headers, host: new URL(upstream.url).host } },
      (answer) => {
        const status = answer.statusCode ?? 500;
        let text = '';
        answer.on('data', (chunk: Buffer) => (text += chunk.toString()));
        answer.once('end', () => resolve({ status, text }));
        answer.once('close', () => resolve({ status, text }));
        answer.on('error', () => response.destroy());
        response.writeHead(status, answer.headers);
        answer.pipe(response);
      },
    );
    passed.on('error', () => response.destroy());
    response.once('close', () => passed.destroy());
    passed.end(body);
    return promise;
  }

  const server = createServer((request, response) => void take(request, response).catch(() => response.destroy()));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    accountUrl: `${url}${ACCOUNT}/v1`,
    requests,
    next: (text) =>
      new Promise((resolve) => {
        const look = (request: BrainRequest): void => {
          if (!request.body.includes(text)) return;
          waiting.delete(look);
          resolve(request);
        };
        waiting.add(look);
      }),
    async stop() {
      server.close();
      server.closeAllConnections();
      await upstream.stop();
    },
  };
}

/** In either provider's header. */
export function keyOf({ headers }: { readonly headers: IncomingHttpHeaders }): string {
  const key = headers['x-api-key'];
  return typeof key === 'string' ? key : (headers.authorization ?? '').replace(/^Bearer /, '');
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString()) as unknown;
  } catch {
    return undefined;
  }
}
