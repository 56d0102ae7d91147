// WebSockets through the gateway, down to the bytes.
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { stopsGrowing } from '../support/poll.ts';
import { openRaw, openStand, type RawClient, sendRaw, type Stand } from '../support/http/gateway-stand.ts';

let stand: Stand;
beforeAll(async () => {
  stand = await openStand();
});
afterAll(() => stand.close());

const SWITCH =
  'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Accept: x\r\n\r\n';
const upgrade = (path: string, ...more: string[]): string =>
  `${[`GET ${path} HTTP/1.1`, 'Host: app.test', 'Connection: Upgrade', 'Upgrade: WebSocket', 'Sec-WebSocket-Key: a', 'Sec-WebSocket-Version: 13', ...more].join('\r\n')}\r\n\r\n`;

/** A client and the upstream's end of the same connection, upgraded by hand. */
async function openPair(early = ''): Promise<{ client: RawClient; upstream: Socket; req: IncomingMessage }> {
  const arrived = once(stand.upstreams.runtime, 'upgrade') as Promise<[IncomingMessage, Socket, Buffer]>;
  const client = openRaw(stand.port);
  client.socket.write(upgrade('/runtime/factory/live?token=t') + early);
  const [req, upstream, head] = await arrived;
  upstream.on('error', () => {});
  if (head.length > 0) upstream.unshift(head);
  upstream.write(`${SWITCH}welcome`);
  await client.until('welcome');
  return { client, upstream, req };
}

describe('WebSocket through the gateway', () => {
  it('is asked for at a bounded rate of one network: beyond what may wait, the connection is closed', async () => {
    const paced = await openStand({ pace: { perSecond: 1, burst: 2, mostWaitMs: 10, mostNetworks: 10 } });
    try {
      let asked = 0;
      paced.upstreams.runtime.on('upgrade', (_req, socket: Socket) => {
        asked++;
        socket.end('HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n');
      });
      const clients = Array.from({ length: 10 }, () => openRaw(paced.port));
      for (const { socket } of clients) socket.write(upgrade('/runtime/factory/live?token=t'));
      await Promise.all(
        clients.map(({ socket }) => Promise.race([once(socket, 'end'), once(socket, 'close'), once(socket, 'error')])),
      );
      for (const { socket } of clients) socket.destroy();
      expect(asked).toBe(2);
    } finally {
      await paced.close();
    }
  });

  it('carries messages both ways, large and binary ones too, and the close code', async () => {
    const server = new WebSocketServer({ server: stand.upstreams.broker });
    server.on('connection', (socket) => {
      socket.on('message', (data, isBinary) => socket.send(data, { binary: isBinary }));
      socket.on('close', (code, reason) => closed(`${code} ${reason.toString()}`));
    });
    const { promise: closing, resolve: closed } = Promise.withResolvers<string>();
    const client = new WebSocket(`ws://localhost:${stand.port}/broker/echo`);
    await once(client, 'open');
    const large = Buffer.alloc(5_000_000, 7);
    client.send(large);
    const [echo] = (await once(client, 'message')) as [Buffer];
    expect(echo.equals(large)).toBe(true);
    client.close(4001, 'enough');
    await once(client, 'close');
    expect(await closing).toBe('4001 enough');
    server.close();
  });

  it('passes what comes with the head, in both directions', async () => {
    const { client, upstream } = await openPair('early');
    const [chunk] = (await once(upstream, 'data')) as [Buffer];
    expect(chunk.toString()).toBe('early');
    client.socket.destroy();
  });

  it('replaces forged headers', async () => {
    const arrived = once(stand.upstreams.runtime, 'upgrade') as Promise<[IncomingMessage, Socket]>;
    const client = openRaw(stand.port);
    client.socket.write(
      upgrade(
        '/runtime/x',
        'X-Forwarded-For: 6.6.6.6',
        'X-Forwarded-Host: evil.test',
        'Forwarded: for=6.6.6.6',
        'Keep-Alive: 1',
        'X-Request-Id: mine',
      ),
    );
    const [req, socket] = await arrived;
    expect(req.headers).toMatchObject({
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-host': 'app.test',
      'x-forwarded-proto': 'https',
      host: 'app.test',
      'x-request-id': 'mine',
      'sec-websocket-key': 'a',
      upgrade: 'websocket',
    });
    expect(req.headers).not.toHaveProperty('forwarded');
    expect(req.headers).not.toHaveProperty('keep-alive');
    socket.destroy();
    await client.closed;
    expect(client.text()).toMatch(/^HTTP\/1\.1 502 Bad Gateway\r\n/);
  });

  it('passes on the end of one direction and leaves the other open', async () => {
    const fromClient = await openPair();
    fromClient.client.socket.end();
    fromClient.upstream.resume();
    await once(fromClient.upstream, 'end');
    fromClient.upstream.end('last words');
    await fromClient.client.until('last words');

    const fromUpstream = await openPair();
    fromUpstream.upstream.end();
    await fromUpstream.client.closed;
    fromUpstream.client.socket.end('last words');
    const [chunk] = (await once(fromUpstream.upstream, 'data')) as [Buffer];
    expect(chunk.toString()).toBe('last words');
  });

  it('breaks one side when the other breaks', async () => {
    const first = await openPair();
    first.upstream.resume();
    first.client.socket.resetAndDestroy();
    await once(first.upstream, 'end');
    expect(first.upstream.readableEnded).toBe(true);
    first.upstream.destroy();
    const second = await openPair();
    second.upstream.resetAndDestroy();
    await second.client.closed;
    expect(second.client.socket.readableEnded || second.client.socket.destroyed).toBe(true);
    second.client.socket.destroy();
  });

  it('slows the sending side down to the pace of the reading one', async () => {
    const { client, upstream } = await openPair();
    client.socket.pause();
    const limit = 64 * 1024 * 1024;
    let sent = 0;
    const pump = (): void => {
      while (sent < limit) {
        sent += 64 * 1024;
        if (!upstream.write(Buffer.alloc(64 * 1024))) return;
      }
      upstream.end();
    };
    upstream.on('drain', pump);
    pump();
    await stopsGrowing(() => sent);
    expect(sent).toBeLessThan(limit / 2);
    client.socket.resume();
    await client.closed;
    expect(client.text().length - client.text().indexOf('welcome')).toBe('welcome'.length + sent);
    client.socket.destroy();
  });

  it('does not join the connections when the upstream answers something else', async () => {
    stand.upstreams.runtime.removeAllListeners('upgrade');
    stand.answer(
      'runtime',
      (_req, res) => void res.writeHead(401, { 'content-type': 'text/plain', 'content-length': '5' }).end('token'),
    );
    const before = stand.seen.length;
    const answer = await sendRaw(
      stand.port,
      `${upgrade('/runtime/factory/live')}GET /smuggled HTTP/1.1\r\nHost: localhost\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 401 Unauthorized\r\n(.*\r\n)*connection: close\r\n\r\ntoken$/);
    expect(stand.seen.slice(before).map(({ url }) => url)).toEqual(['/factory/live']);
  });

  it('answers 504 when the upstream says nothing and 502 when it is not there', async () => {
    const impatient = await openStand({ headersTimeoutMs: 300 });
    impatient.answer('runtime', () => {});
    expect(await sendRaw(impatient.port, upgrade('/runtime/x'))).toMatch(
      /^HTTP\/1\.1 504 Gateway Timeout\r\n(.*\r\n)*\r\nGateway timeout$/,
    );
    await impatient.close();
    stand.upstreams.runtime.close();
    expect(await sendRaw(stand.port, upgrade('/runtime/x'))).toMatch(
      /^HTTP\/1\.1 502 Bad Gateway\r\n(.*\r\n)*\r\nBad gateway$/,
    );
  });

  it('keeps our cookie and our tokens from the integration provider, and passes its own', async () => {
    const token = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ1c3JfMSJ9.c2lnbmF0dXJl';
    for (const [path, name] of [
      ['/integrations/ws', 'integrations'],
      ['/integrations-connect/ws', 'integrations-connect'],
      ['/oauth/ws', 'integrations'],
    ] as const) {
      for (const [authorization, expected] of [
        [`Bearer ${token}`, undefined],
        ['Bearer nango_connect_session_1', 'Bearer nango_connect_session_1'],
      ] as const) {
        const arrived = once(stand.upstreams[name], 'upgrade') as Promise<[IncomingMessage, Socket, Buffer]>;
        const client = openRaw(stand.port);
        client.socket.write(
          upgrade(path, `Authorization: ${authorization}`, 'Cookie: nango=1; __Secure-service.session_token=a.b'),
        );
        const [req, upstream] = await arrived;
        expect([req.headers.authorization, req.headers.cookie]).toEqual([expected, 'nango=1']);
        upstream.on('error', () => {}).destroy();
        client.socket.destroy();
      }
    }
  });
});
