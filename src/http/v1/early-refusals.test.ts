// A refusal reaches a client that is still sending a large body, straight from the server and through the gateway.
import { createServer, request, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AppError } from '../../base/errors.ts';
import { createGateway, type Gateway } from '../../gateway/create-gateway.ts';
import { SERVICE_GRAPH } from '../../gateway/service-graph.ts';
import { parseUpstream } from '../../gateway/upstream-addresses.ts';
import { type Admission, createAdmission } from '../shell/admission/admission.ts';
import { refuseRaw } from '../shell/write-error.ts';
import { v1Route, type V1Deps } from './v1-route.ts';

const BODY_BYTES = 40 * 1024 * 1024;
const PIECE = Buffer.alloc(256 * 1024, ' ');
const quiet = pino({ level: 'silent' });
const open = createAdmission();
/** Refuses the caller "busy". */
const admission: Admission = {
  ...open,
  serve: (route, sender, request, work) =>
    sender.userId === 'busy'
      ? Promise.reject(new AppError('rate_limited', { retryAfterSeconds: 7 }))
      : open.serve(route, sender, request, work),
};

let web: Server;
let gateway: Gateway;
let ports: Record<'server' | 'gateway', number>;

beforeAll(async () => {
  const v1 = v1Route({
    log: quiet,
    admission,
    verifier: {
      verify: (token: string) =>
        Promise.resolve(
          token === 'none'
            ? undefined
            : {
                userId: token,
                tokenId: 'tok',
                organizationId: 'org',
                workspaceId: undefined,
                scopes: new Set(['chat']),
              },
        ),
    },
    admit: Object.assign(
      ({ userId }: { userId: string }) =>
        Promise.resolve(
          userId === 'spent'
            ? { outcome: 'rate_limited', retryAfterMs: 5_000 }
            : { outcome: userId === 'revoked' ? 'revoked' : 'admitted' },
        ),
      { refusedFor: (userId: string) => (userId === 'known' ? 5 : undefined) },
    ),
    limit: 30,
  } as unknown as V1Deps);
  web = createServer((incoming, response) => {
    if (incoming.url === '/api/chat') refuseRaw(quiet, incoming, response, new AppError('unauthenticated'));
    else void v1.handle(incoming, response);
  });
  await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve));
  const server = (web.address() as AddressInfo).port;
  const address = parseUpstream(`http://127.0.0.1:${server}`);
  gateway = createGateway({
    graph: SERVICE_GRAPH,
    addresses: {
      web: address,
      runtime: undefined,
      integrations: undefined,
      'integrations-connect': undefined,
      broker: undefined,
      sandbox: undefined,
    },
    publicUrl: 'https://app.test',
    showPrivate: false,
    log: quiet,
    graceMs: 500,
  });
  ports = { server, gateway: await gateway.listen(0, '127.0.0.1') };
});
afterAll(async () => {
  await gateway.close();
  web.closeAllConnections();
  await new Promise((resolve) => web.close(resolve));
});

/** Sends everything before it looks at an answer, as many clients do. */
function send(
  port: number,
  path: string,
  headers: Record<string, string>,
): Promise<{ status: number | undefined; text: string }> {
  return new Promise((resolve, reject) => {
    const sent = request(
      { port, path, method: 'POST', headers: { 'content-type': 'application/json', ...headers } },
      (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (piece: string) => (text += piece));
        response.on('end', () => resolve({ status: response.statusCode, text }));
        response.on('error', reject);
      },
    );
    sent.on('error', reject);
    let left = BODY_BYTES;
    const write = (): void => {
      while (left > 0) {
        left -= PIECE.length;
        if (!sent.write(PIECE)) return void sent.once('drain', write);
      }
      sent.end();
    };
    if (headers['expect'] === undefined) write();
    else sent.once('continue', write);
  });
}

const LENGTH = { 'content-length': String(BODY_BYTES) };
const FRAMINGS = {
  'with its length': LENGTH,
  chunked: { 'transfer-encoding': 'chunked' },
  'after 100-continue': { ...LENGTH, expect: '100-continue' },
};

describe.each(['server', 'gateway'] as const)('from the %s', (from) => {
  describe.each(Object.entries(FRAMINGS))('a body of 40 MB, %s,', (_name, framing) => {
    it.each([
      ['/v1/chat/completions', 'none', 401, 'unauthenticated'],
      ['/v1/chat/completions', 'busy', 429, 'rate_limited'],
      ['/v1/messages', 'somebody', 413, 'request_too_large'],
      ['/api/chat', 'none', 401, 'unauthenticated'],
    ])('to %s by %s is answered with %i', async (path, token, status, code) => {
      const answer = await send(ports[from], path, { authorization: `Bearer ${token}`, ...framing });
      expect([answer.status, answer.text.includes(code)]).toEqual([status, true]);
    });
  });

  it('the connection serves the next request', async () => {
    const socket = connect(ports[from], '127.0.0.1');
    const head = (length: number): string =>
      `POST /v1/messages HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer none\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n\r\n`;
    const statuses = await new Promise<string[]>((resolve, reject) => {
      let text = '';
      socket.on('error', reject).on('data', (piece: Buffer) => {
        text += piece.toString('latin1');
        const found = text.match(/HTTP\/1\.1 \d{3}/g) ?? [];
        if (found.length === 2) resolve(found);
      });
      socket.write(head(3 * 1024 * 1024));
      socket.write(Buffer.alloc(3 * 1024 * 1024, ' '));
      socket.write(`${head(2)}{}`);
    });
    socket.destroy();
    expect(statuses).toEqual(['HTTP/1.1 401', 'HTTP/1.1 401']);
  });
});

describe('what is asked first', () => {
  const ask = async (token: string, body: string): Promise<[number, string]> => {
    const response = await fetch(`http://127.0.0.1:${ports.server}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body,
    });
    const { error } = (await response.json()) as { error: { code: string } };
    return [response.status, error.code];
  };
  /** Large, and not JSON: a handler that reads it answers 400. */
  const garbage = ' '.repeat(300_000);

  it.each([
    ['somebody', 400, 'invalid_request'],
    ['spent', 429, 'rate_limited'],
    ['revoked', 401, 'unauthenticated'],
  ])('of a large body by %s is answered with %i', async (token, status, code) =>
    expect(await ask(token, garbage)).toEqual([status, code]),
  );

  it('of somebody who is known to be over the limit is nothing: not even a small body is read', async () => {
    expect(await ask('somebody', '-')).toEqual([400, 'invalid_request']);
    expect(await ask('known', '-')).toEqual([429, 'rate_limited']);
  });

  it.each([
    ['nested six thousand times', `{"model":"m","messages":${'['.repeat(6_000)}${']'.repeat(6_000)}}`],
    ['with half a surrogate pair', '{"model":"m","messages":[{"role":"user","content":"\\ud800"}]}'],
  ])('a body %s is refused', async (_name, body) =>
    expect(await ask('somebody', body)).toEqual([400, 'invalid_request']),
  );
});
