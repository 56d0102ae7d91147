import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import type { AppError } from '../base/errors.ts';
import { createRunStarter, type RunStarter } from './start-run.ts';

const ORDER = { workspace: 'ws_1', objective: 'Do it', model: 'm', capabilities: [], idempotencyKey: 'msg_1' };
let server: Server;
let starter: RunStarter;
afterEach(async () => {
  await starter.close();
  server.closeAllConnections();
  server.close();
});

async function runtime(listener: RequestListener, timeoutMs = 20_000): Promise<RunStarter> {
  server = createServer(listener);
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return (starter = createRunStarter(`http://127.0.0.1:${(server.address() as AddressInfo).port}/base/`, {
    timeoutMs,
  }));
}

const answer =
  (status: number, body: unknown): RequestListener =>
  (_request, response) =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
const refusal = (starting: Promise<unknown>): Promise<unknown> =>
  starting.then(
    () => 'started',
    (error: AppError) => [error.code, error.details],
  );

it('posts the order with the token of the person, below the path of the runtime', async () => {
  const seen: unknown[] = [];
  const start = await runtime((request, response) => {
    let body = '';
    request
      .on('data', (chunk: Buffer) => (body += chunk.toString()))
      .on('end', () => {
        seen.push([request.method, request.url, request.headers.authorization, JSON.parse(body)]);
        response.writeHead(202).end(JSON.stringify({ job: { id: 'job_1', status: 'queued' } }));
      });
  });
  expect(await start.start('token', ORDER)).toEqual({ id: 'job_1', status: 'queued' });
  expect(seen).toEqual([['POST', '/base/agents/factory/jobs', 'Bearer token', ORDER]]);
});

it('starts the run of a recipe at the recipe, whatever its id says', async () => {
  const seen: unknown[] = [];
  const start = await runtime((request, response) => {
    let body = '';
    request
      .on('data', (chunk: Buffer) => (body += chunk.toString()))
      .on('end', () => {
        seen.push([request.url, JSON.parse(body)]);
        response.writeHead(202).end(JSON.stringify({ job: { id: 'job_1', status: 'queued' } }));
      });
  });
  await start.start('token', { recipe: '../jobs', fields: { topic: 'x' }, idempotencyKey: 'msg_1' });
  expect(seen).toEqual([['/base/recipes/..%2Fjobs/run', { fields: { topic: 'x' }, idempotencyKey: 'msg_1' }]]);
});

it('passes a refusal on under its own code, whatever its status', async () => {
  expect(
    await refusal(
      (await runtime(answer(409, { ok: false, error: 'capability_unusable', details: { capability: 'x' } }))).start(
        't',
        ORDER,
      ),
    ),
  ).toEqual(['capability_unusable', { capability: 'x' }]);
  await starter.close();
  server.close();
  expect(
    await refusal(
      (
        await runtime(answer(503, { ok: false, error: 'sandbox_unavailable', details: { reason: 'a', fix: 'b' } }))
      ).start('t', ORDER),
    ),
  ).toEqual(['sandbox_unavailable', { reason: 'a', fix: 'b' }]);
});

it.each([
  ['our own token is refused', answer(401, { ok: false, error: 'unauthenticated' })],
  ['it speaks of what is not known', answer(418, { ok: false, error: 'toString' })],
  ['it is no runtime', (_request, response) => void response.end('<html>')],
  ['it answers without end', (_request, response) => void response.end('x'.repeat(3 * 1024 * 1024))],
  ['it hangs up', (request) => void request.socket.destroy()],
] as [string, RequestListener][])('says that the runtime cannot be reached when %s', async (_what, listener) => {
  expect(await refusal((await runtime(listener)).start('t', ORDER))).toEqual(['runtime_unreachable', {}]);
});

it('says so too when it never answers', async () => {
  expect(await refusal((await runtime(() => {}, 200)).start('t', ORDER))).toEqual(['runtime_unreachable', {}]);
});

it('asks a second time when no answer came, and not again once it is cancelled', async () => {
  let asked = 0;
  const start = await runtime((request) => {
    asked += 1;
    request.socket.destroy();
  });
  await refusal(start.start('t', ORDER));
  expect(asked).toBe(2);
  expect(await refusal(start.start('t', ORDER, AbortSignal.abort()))).toEqual(['runtime_unreachable', {}]);
  expect(asked).toBe(2);
});
