import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Agent } from 'undici';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { toToolFailure } from './provider-faults.ts';
import { createMcpOpener } from './provider-mcp-session.ts';
import { MAX_RESPONSE_BYTES } from './provider-call.ts';
import type { McpServerSession } from './tool-deps.ts';

interface Message {
  readonly id?: number;
  readonly method: string;
}
interface Reply {
  readonly status?: number;
  readonly type?: string;
  readonly text: string;
}

/** Answers every message after the handshake; never answers at all if it returns undefined. */
let reply: (message: Message) => Reply | undefined;
let asked: () => void;
let server: Server;
let url: string;
const dispatcher = new Agent();

const result = (id: number | undefined, value: unknown): string =>
  JSON.stringify({ jsonrpc: '2.0', id, result: value });

beforeAll(async () => {
  server = createServer((request, response) => {
    if (request.method === 'GET') {
      response.end(JSON.stringify({ credentials: { access_token: 'token' } }));
      return;
    }
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString('utf8')));
    request.on('end', () => {
      const message = JSON.parse(body) as Message;
      if (message.id === undefined) {
        response.writeHead(202).end();
        return;
      }
      const answer: Reply | undefined =
        message.method === 'initialize'
          ? { text: result(message.id, { protocolVersion: '2025-11-25' }) }
          : reply(message);
      if (answer) response.writeHead(answer.status ?? 200, { 'content-type': answer.type ?? 'application/json' });
      if (answer) response.end(answer.text);
      else asked();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(async () => {
  await dispatcher.destroy();
  server.closeAllConnections();
  server.close();
});

function open(signal = new AbortController().signal, timeoutMs = 30_000): Promise<McpServerSession> {
  const opener = createMcpOpener({ settings: { url, secretKey: 'secret' }, dispatcher, version: '1' });
  const reference = { kind: 'integration-reference', integrationId: 'app', connectionId: 'con' } as const;
  return opener(`${url}/mcp`, { reference, deadlineMs: performance.now() + timeoutMs, signal });
}

async function failureOf(work: Promise<unknown>): Promise<unknown> {
  return toToolFailure(
    await work.then(
      () => undefined,
      (error: unknown) => error,
    ),
  );
}

it.each<[string, (id: number | undefined) => Reply, string]>([
  [
    'a stream that ends without the reply',
    () => ({ type: 'text/event-stream', text: 'data: {}\n\n' }),
    'provider_response_unreadable',
  ],
  ['a reply to another message', () => ({ text: result(999, { tools: [] }) }), 'provider_response_unreadable'],
  ['a body that is not JSON', () => ({ text: '<html>' }), 'provider_response_unreadable'],
  ['a body that nests too deeply', () => ({ text: '['.repeat(100_000) }), 'provider_response_unreadable'],
  ['a list without tools', (id) => ({ text: result(id, {}) }), 'provider_response_unreadable'],
  [
    'a body over the size cap',
    (id) => ({ text: result(id, { x: 'x'.repeat(MAX_RESPONSE_BYTES) }) }),
    'provider_response_too_large',
  ],
  ['a refused token', () => ({ status: 401, text: '' }), 'reconnect_required'],
  ['a redirect', () => ({ status: 307, text: '' }), 'provider_redirect_refused'],
  ['a fault of the server', () => ({ status: 500, text: '' }), 'provider_unreachable'],
])('%s fails at once', async (_what, answer, code) => {
  reply = ({ id }) => answer(id);
  const session = await open();
  expect(await failureOf(session.listTools())).toMatchObject({ code });
});

it('reads a reply from a stream, after other events and without a closing blank line', async () => {
  reply = ({ id }) => ({
    type: 'text/event-stream',
    text: `data: {"jsonrpc":"2.0","method":"notifications/progress"}\n\ndata: ${result(id, { tools: [{ name: 'a' }] })}`,
  });
  expect(await (await open()).listTools()).toMatchObject([{ name: 'a', access: 'write' }]);
});

it('leaves out a malformed tool and keeps the others', async () => {
  reply = ({ id }) => ({
    text: result(id, { tools: [{ name: 7 }, { name: 'b', annotations: { readOnlyHint: true } }] }),
  });
  expect(await (await open()).listTools()).toMatchObject([{ name: 'b', access: 'read' }]);
});

it('returns a result as it is, and a refused call as a failed result', async () => {
  const odd = { content: [{ type: 'unheard-of', x: 1 }] };
  reply = ({ id }) => ({ text: result(id, odd) });
  expect(await (await open()).callTool('a', {})).toEqual(odd);
  reply = ({ id }) => ({
    text: JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32_602, message: 'no such tool' } }),
  });
  expect(await (await open()).callTool('a', {})).toEqual({
    isError: true,
    content: [{ type: 'text', text: 'no such tool' }],
  });
});

it('ends at the deadline of the call', async () => {
  reply = () => undefined;
  asked = () => {};
  const call = open(undefined, 1_000).then((session) => session.callTool('a', {}));
  expect(await failureOf(call)).toMatchObject({ code: 'provider_timeout' });
});

it('ends when the caller disconnects', async () => {
  reply = () => undefined;
  const caller = new AbortController();
  asked = () => caller.abort();
  const session = await open(caller.signal);
  expect(await failureOf(session.callTool('a', {}))).toMatchObject({ code: 'provider_unreachable' });
});
