// What the gateway promises about bytes in flight: nothing collected, a slow side slows the other, an end on one
// side is an end on the other, and a body that breaks off never looks whole.
import { once } from 'node:events';
import { request, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseNetworks } from '../../src/base/networks.ts';
import { createGateway } from '../../src/gateway/create-gateway.ts';
import { SERVICE_GRAPH } from '../../src/gateway/service-graph.ts';
import { parseUpstream } from '../../src/gateway/upstream-addresses.ts';
import { quiet } from '../support/database.ts';
import { stopsGrowing } from '../support/poll.ts';
import { ask, listenLocal, openRaw, openStand, type Seen, sendRaw, type Stand } from '../support/http/gateway-stand.ts';

let stand: Stand;
let impatient: Stand;
beforeAll(async () => {
  stand = await openStand();
  impatient = await openStand({ headersTimeoutMs: 2_000, modelSilenceMs: 60_000, stalledMs: 1_000 });
});
afterAll(() => Promise.all([stand.close(), impatient.close()]));

/** The next request that the web stand-in gets, for the test to answer by hand. */
function nextAtWeb(at = stand): Promise<{ req: IncomingMessage; res: ServerResponse }> {
  return new Promise((resolve) => at.answer('web', (req, res) => resolve({ req, res })));
}

const NOWHERE = {
  web: undefined,
  runtime: undefined,
  broker: undefined,
  sandbox: undefined,
  integrations: undefined,
  'integrations-connect': undefined,
};

const get = (path: string, more = ''): string => `GET ${path} HTTP/1.1\r\nHost: app.test\r\n${more}\r\n`;

describe('answers through the gateway', () => {
  it('sends an event stream on as it comes, the head before the first event', async () => {
    const arrived = nextAtWeb();
    const client = openRaw(stand.port);
    client.socket.write(get('/events'));
    const { res } = await arrived;
    res.writeHead(200, { 'content-type': 'text/event-stream' });
    res.flushHeaders();
    await client.until('\r\n\r\n');
    for (const event of ['data: one\n\n', 'data: two\n\n']) {
      res.write(event);
      await client.until(event);
    }
    res.end();
    await client.until('\r\n0\r\n\r\n');
    client.socket.destroy();
  });

  it('keeps an event stream open long after the time limit for headers', async () => {
    impatient.answer('web', (_req, res) => res.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders());
    const client = openRaw(impatient.port);
    client.socket.write(get('/events'));
    await client.until('\r\n\r\n');
    const other = nextAtWeb(impatient);
    const late = ask(impatient.port, '/late');
    await other;
    // The other request runs into the limit; the stream has been silent for longer by then.
    expect((await late).status).toBe(504);
    expect(client.socket.readableEnded).toBe(false);
    client.socket.destroy();
  });

  it('passes status, text, repeated headers and an empty body unchanged', async () => {
    stand.answer(
      'web',
      (_req, res) =>
        void res
          .writeHead(
            299,
            'Quite Fine',
            [
              ['set-cookie', 'a=1'],
              ['set-cookie', 'b=2'],
              ['etag', '"e"'],
            ].flat(),
          )
          .end(),
    );
    const answer = await sendRaw(stand.port, get('/', 'Connection: close\r\n'));
    expect(answer).toMatch(/^HTTP\/1\.1 299 Quite Fine\r\n/);
    expect(answer).toMatch(/set-cookie: a=1\r\nset-cookie: b=2\r\n/i);
    for (const status of [204, 304]) {
      stand.answer('web', (_req, res) => void res.writeHead(status, { etag: '"e"' }).end());
      expect(await ask(stand.port, '/')).toMatchObject({ status, body: '', headers: { etag: '"e"' } });
    }
  });

  it('answers HEAD with the length and without the body', async () => {
    stand.answer('web', (_req, res) => void res.writeHead(200, { 'content-length': '1234' }).end());
    expect(await ask(stand.port, '/', { method: 'HEAD' })).toMatchObject({
      status: 200,
      body: '',
      headers: { 'content-length': '1234' },
    });
  });

  it('waits for the answer after interim ones', async () => {
    stand.answer('web', (_req, res) =>
      res.writeEarlyHints({ link: '</app.css>; rel=preload' }, () => res.end('the answer')),
    );
    expect(await ask(stand.port, '/')).toMatchObject({ status: 200, body: 'the answer' });
  });

  it('passes bodies of every size whole', async () => {
    for (const size of [1, 100, 16 * 1024, 16 * 1024 + 1, 3_000_000]) {
      const bytes = Buffer.alloc(size, 'é', 'latin1');
      for (const headers of [{ 'content-length': String(size) }, {}]) {
        stand.answer('web', (_req, res) => void res.writeHead(200, headers).end(bytes));
        const got = await fetch(`http://127.0.0.1:${stand.port}/`).then((response) => response.arrayBuffer());
        expect(Buffer.from(got).equals(bytes)).toBe(true);
      }
    }
  });

  it('never ends a broken answer in order', async () => {
    for (const headers of [{ 'content-length': '1000' }, {}]) {
      const arrived = nextAtWeb();
      const client = openRaw(stand.port);
      client.socket.write(get('/'));
      const { res } = await arrived;
      res.writeHead(200, headers).write('the beginning');
      await client.until('the beginning');
      res.destroy();
      await client.closed;
      expect(client.text()).not.toContain('\r\n0\r\n');
    }
  });

  it('resets the connection of an HTTP/1.0 client when the answer breaks, whose end would look whole', async () => {
    const arrived = nextAtWeb();
    const client = openRaw(stand.port);
    const failed = once(client.socket, 'error');
    client.socket.write('GET / HTTP/1.0\r\nHost: app.test\r\n\r\n');
    const { res } = await arrived;
    res.writeHead(200).write('the beginning');
    await client.until('the beginning');
    res.destroy();
    expect((await failed)[0]).toMatchObject({ code: 'ECONNRESET' });
  });

  it('slows an upstream down to the pace of a client that does not read', async () => {
    const total = 64 * 1024 * 1024;
    let written = 0;
    const stuck = new Promise<ServerResponse>((resolve) => {
      stand.answer('web', (_req, res) => {
        res.writeHead(200);
        const chunk = Buffer.alloc(64 * 1024, 'x');
        while (written < total) {
          written += chunk.length;
          if (!res.write(chunk)) break;
        }
        res.on('drain', () => {
          while (written < total) {
            written += chunk.length;
            if (!res.write(chunk)) return;
          }
          res.end();
        });
        resolve(res);
      });
    });
    const req = request({
      host: '127.0.0.1',
      port: stand.port,
      path: '/big',
      headers: { host: 'app.test' },
      agent: false,
    }).end();
    const [answer] = (await once(req, 'response')) as [IncomingMessage];
    answer.pause();
    await stuck;
    const before = process.memoryUsage().arrayBuffers;
    await stopsGrowing(() => written);
    expect(written).toBeLessThan(total / 2);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(total / 2);
    let received = 0;
    answer.on('data', (chunk: Buffer) => (received += chunk.length)).resume();
    await once(answer, 'end');
    expect(received).toBe(written);
    expect(received).toBeGreaterThanOrEqual(total);
  });

  it('cancels an answer that nobody reads', async () => {
    const arrived = nextAtWeb(impatient);
    const client = openRaw(impatient.port);
    client.socket.pause();
    client.socket.write(get('/big'));
    const { res } = await arrived;
    res.writeHead(200).end(Buffer.alloc(64 * 1024 * 1024));
    await once(res, 'close');
    expect(res.writableFinished).toBe(false);
    client.socket.destroy();
  });
});

describe('requests through the gateway', () => {
  it('streams a body up while it comes, and the answer down at the same time', async () => {
    const arrived = nextAtWeb();
    const client = openRaw(stand.port);
    client.socket.write('POST /up HTTP/1.1\r\nHost: app.test\r\nTransfer-Encoding: chunked\r\n\r\n3\r\none\r\n');
    const { req, res } = await arrived;
    req.on('data', (chunk: Buffer) => res.write(`got ${chunk.toString()};`));
    req.on('end', () => res.end('all'));
    await client.until('got one;');
    client.socket.write('3\r\ntwo\r\n0\r\n\r\n');
    await client.until('got two;');
    await client.until('all');
    client.socket.destroy();
  });

  it('slows a client down to the pace of an upstream that does not read', async () => {
    const arrived = nextAtWeb();
    const client = openRaw(stand.port);
    const total = 64 * 1024 * 1024;
    client.socket.write(`POST /up HTTP/1.1\r\nHost: app.test\r\nContent-Length: ${total}\r\nConnection: close\r\n\r\n`);
    let sent = 0;
    const pump = (): void => {
      while (sent < total) {
        sent += 64 * 1024;
        if (!client.socket.write(Buffer.alloc(64 * 1024))) return;
      }
    };
    client.socket.on('drain', pump);
    pump();
    const { req, res } = await arrived;
    res.writeHead(200).flushHeaders();
    req.pause();
    await stopsGrowing(() => sent);
    expect(sent).toBeLessThan(total / 2);
    let received = 0;
    req.on('data', (chunk: Buffer) => (received += chunk.length)).resume();
    req.on('end', () => res.end('done'));
    await client.until('done');
    expect(received).toBe(total);
    client.socket.destroy();
  });

  it('passes on an answer that comes before the body is complete, and serves the connection further', async () => {
    stand.answer('web', (req, res) => {
      if (req.url !== '/early') return void res.end(`next ${req.url}`);
      res.writeHead(413, { connection: 'close' }).end('too large');
    });
    const client = openRaw(stand.port);
    const half = 'x'.repeat(100_000);
    client.socket.write(`POST /early HTTP/1.1\r\nHost: app.test\r\nContent-Length: 200000\r\n\r\n${half}`);
    await client.until('too large');
    client.socket.write(`${half}${get('/after', 'Connection: close\r\n')}`);
    await client.until('next /after');
    await client.closed;
  });

  it('asks for the body of Expect: 100-continue once an upstream takes it, and not for one that it refuses', async () => {
    stand.answer('web', (req, res) => {
      let text = '';
      req.on('data', (chunk: Buffer) => (text += chunk.toString()));
      req.on('end', () => res.end(`got ${text}, expect ${req.headers.expect}`));
    });
    const client = openRaw(stand.port);
    client.socket.write(
      'POST / HTTP/1.1\r\nHost: app.test\r\nContent-Length: 4\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n',
    );
    await client.until('HTTP/1.1 100 Continue\r\n\r\n');
    client.socket.write('body');
    await client.until('got body, expect undefined');
    const refused = await sendRaw(
      stand.port,
      'POST /broker HTTP/1.1\r\nHost: app.test\r\nContent-Length: 4\r\nExpect: 100-continue\r\n\r\n',
    );
    expect(refused).toMatch(/^HTTP\/1\.1 404 /);
    expect(refused).toMatch(/connection: close/i);
  });

  it('cancels the upstream request when the client leaves, before and during the answer', async () => {
    for (const begin of [false, true]) {
      const arrived = nextAtWeb();
      const client = openRaw(stand.port);
      client.socket.write(get('/'));
      const { res } = await arrived;
      if (begin) {
        res.writeHead(200).write('begin');
        await client.until('begin');
      }
      const gone = once(res, 'close');
      client.socket.destroy();
      await gone;
      expect(res.writableFinished).toBe(false);
    }
  });

  it('cancels the upstream request when the client leaves in the middle of its body', async () => {
    const arrived = nextAtWeb();
    const client = openRaw(stand.port);
    client.socket.write('POST / HTTP/1.1\r\nHost: app.test\r\nContent-Length: 100\r\n\r\nhalf');
    const { req } = await arrived;
    const failed = once(req, 'error');
    req.resume();
    client.socket.destroy();
    expect((await failed)[0]).toMatchObject({ code: 'ECONNRESET' });
  });
});

describe('headers through the gateway', () => {
  it('tells the address of an IPv4 client as such when it listens on every address', async () => {
    stand.answer('web', (req, res) => void res.end(String(req.headers['x-forwarded-for'])));
    const wide = createGateway({
      graph: SERVICE_GRAPH,
      addresses: { ...NOWHERE, web: parseUpstream(stand.urls.web) },
      publicUrl: 'http://app.test',
      showPrivate: false,
      log: quiet,
    });
    expect((await ask(await wide.listen(0), '/')).body).toBe('127.0.0.1');
    await wide.close();
  });

  it('replaces headers that a client could forge, and keeps the host and the request id', async () => {
    stand.answer('web', (req, res) => void res.end(JSON.stringify({ headers: req.headers })));
    const forged = {
      'x-forwarded-for': '6.6.6.6',
      'x-forwarded-host': 'evil.test',
      'x-forwarded-proto': 'gopher',
      'x-forwarded-user': 'root',
      forwarded: 'for=6.6.6.6',
      'x-real-ip': '6.6.6.6',
      'x-client-ip': '6.6.6.6',
      'cf-connecting-ip': '6.6.6.6',
      'true-client-ip': '6.6.6.6',
      'proxy-authorization': 'x',
      te: 'trailers',
      connection: 'close, x-secret',
      'x-secret': '1',
      'x-request-id': 'mine-1',
      cookie: 'c=1',
    };
    const { body, headers: answered } = await ask(stand.port, '/', { headers: forged });
    const { headers } = JSON.parse(body) as Seen;
    expect(headers).toMatchObject({
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-host': 'app.test',
      'x-forwarded-proto': 'https',
      host: 'app.test',
      'x-request-id': 'mine-1',
      cookie: 'c=1',
    });
    for (const name of [
      'x-forwarded-user',
      'forwarded',
      'x-real-ip',
      'x-client-ip',
      'cf-connecting-ip',
      'true-client-ip',
      'proxy-authorization',
      'te',
      'x-secret',
    ])
      expect(headers).not.toHaveProperty(name);
    expect(answered['x-request-id']).toBe('mine-1');
  });

  it('believes what a trusted proxy says about its client', async () => {
    const answers = {
      graph: SERVICE_GRAPH,
      addresses: { ...NOWHERE, web: parseUpstream(stand.urls.web) },
      publicUrl: 'http://app.test',
      showPrivate: false,
      log: quiet,
    };
    stand.answer('web', (req, res) => void res.end(String(req.headers['x-forwarded-for'])));
    const behind = createGateway({ ...answers, trustedProxies: parseNetworks('127.0.0.0/8') });
    const port = await behind.listen(0, '127.0.0.1');
    expect((await ask(port, '/', { headers: { 'x-forwarded-for': '6.6.6.6, 198.51.100.1' } })).body).toBe(
      '198.51.100.1',
    );
    await behind.close();
  });

  it('says http for a host that is not the public one, and makes a request id when there is none', async () => {
    stand.answer('web', (req, res) => void res.end(JSON.stringify({ headers: req.headers })));
    const { body } = await ask(stand.port, '/', {
      host: 'localhost:4000',
      headers: { 'x-request-id': 'not well formed' },
    });
    const { headers } = JSON.parse(body) as Seen;
    expect(headers['x-forwarded-proto']).toBe('http');
    expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('addresses the integration provider by its own host', async () => {
    const { body } = await ask(stand.port, '/integrations/health');
    expect((JSON.parse(body) as Seen).headers).toMatchObject({
      host: new URL(stand.urls.integrations).host,
      'x-forwarded-host': 'app.test',
    });
  });
});

describe('upstreams that fail', () => {
  it('answers 502 Bad gateway for an upstream that is down, over TCP and over a socket file', async () => {
    const gone = createServer();
    const url = await new Promise<string>((resolve) =>
      gone.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${(gone.address() as { port: number }).port}`)),
    );
    await new Promise((resolve) => gone.close(resolve));
    for (const address of [url, 'unix:/nonexistent/gateway.sock']) {
      const broken = await openStand({ addresses: { ...NOWHERE, web: parseUpstream(address) } });
      expect(await ask(broken.port, '/')).toMatchObject({
        status: 502,
        body: 'Bad gateway',
        headers: { 'cache-control': 'no-store' },
      });
      expect(await ask(broken.port, '/', { method: 'POST', body: 'x'.repeat(500_000) })).toMatchObject({
        status: 502,
        body: 'Bad gateway',
      });
      await broken.close();
    }
  });

  it('answers 504 Gateway timeout for an upstream that sends no headers in time', async () => {
    const arrived = nextAtWeb(impatient);
    const answer = ask(impatient.port, '/');
    const { res } = await arrived;
    const cancelled = once(res, 'close');
    expect(await answer).toMatchObject({ status: 504, body: 'Gateway timeout' });
    await cancelled;
  });

  it('waits longer where a model answers in the end', async () => {
    const waiting = ['/v1/chat/completions', '/v1/embeddings', '/api/chat', '/api/chat/thread/stream'];
    const responses = new Map<string, ServerResponse>();
    const arrived = new Promise<void>((resolve) =>
      impatient.answer('web', (req, res) => {
        responses.set(req.url ?? '', res);
        if (responses.size > waiting.length) resolve();
      }),
    );
    const answers = waiting.map((path) => ask(impatient.port, path));
    const other = ask(impatient.port, '/api/chats');
    await arrived;
    // The other one is begun last: by its end the rest has been silent for longer.
    expect(await other).toMatchObject({ status: 504, body: 'Gateway timeout' });
    for (const path of waiting) responses.get(path)?.end('thought');
    for (const answer of await Promise.all(answers)) expect(answer).toMatchObject({ status: 200, body: 'thought' });
  });

  it('asks once more, and only once, when a kept connection closed before a byte of the answer, unless the method could change something', async () => {
    const connections: Socket[] = [];
    const heads: string[] = [];
    // Answers the first request of a connection and closes it on the second, as a server does whose idle time is up.
    const server = createServer((socket) => {
      connections.push(socket);
      let served = 0;
      socket.on('error', () => {});
      socket.on('data', (chunk: Buffer) => {
        heads.push(chunk.toString().split(' ', 2).join(' '));
        if (served++ === 0) socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\nKeep-Alive: timeout=60\r\n\r\nok');
        else socket.end();
      });
    });
    const url = await listenLocal(server);
    const openStale = (): Promise<Stand> => openStand({ addresses: { ...NOWHERE, web: parseUpstream(url) } });
    const reading = await openStale();
    expect((await ask(reading.port, '/1')).status).toBe(200);
    expect((await ask(reading.port, '/2')).status).toBe(200);
    expect(heads).toEqual(['GET /1', 'GET /2', 'GET /2']);
    const writing = await openStale();
    expect((await ask(writing.port, '/3')).status).toBe(200);
    expect((await ask(writing.port, '/4', { method: 'POST', body: 'x' })).status).toBe(502);
    expect(heads.filter((head) => head === 'POST /4')).toHaveLength(1);
    for (const socket of connections) socket.destroy();
    server.close();
    await Promise.all([reading.close(), writing.close()]);
  });

  it('does not ask again when a new connection closes without an answer', async () => {
    let heads = 0;
    const server = createServer((socket) => {
      socket.on('error', () => {});
      socket.on('data', () => {
        heads++;
        socket.end();
      });
    });
    const url = await listenLocal(server);
    const deaf = await openStand({ addresses: { ...NOWHERE, web: parseUpstream(url) } });
    expect((await ask(deaf.port, '/')).status).toBe(502);
    expect(heads).toBe(1);
    server.close();
    await deaf.close();
  });

  it('passes on what a half-closed upstream still sends', async () => {
    const server = createServer({ allowHalfOpen: true }, (socket) => {
      socket.on('data', () => socket.end('HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nuntil the end'));
    });
    const url = await listenLocal(server);
    const half = await openStand({ addresses: { ...NOWHERE, web: parseUpstream(url) } });
    expect(await ask(half.port, '/')).toMatchObject({ status: 200, body: 'until the end' });
    server.close();
    await half.close();
  });
});
