// The gateway as the process that operators run: its settings, its start and its end.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { networkInterfaces } from 'node:os';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { WebSocketServer } from 'ws';
import { builtEntry } from '../support/built-entry.ts';
import { freePort } from '../support/free-port.ts';
import { needs } from '../support/needs.ts';
import { ask, listenLocal, openRaw } from '../support/http/gateway-stand.ts';

const children: ChildProcess[] = [];
let upstream: Server;
let upstreamUrl: string;
let held: ((res: ServerResponse) => void) | undefined;

beforeAll(async () => {
  upstream = createServer((req, res) => {
    if (req.url === '/events')
      return void res.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: 1\n\n');
    if (req.url === '/held') return held?.(res);
    res.end(`upstream ${req.url}`);
  });
  upstreamUrl = await listenLocal(upstream);
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});
afterAll(() => {
  upstream.close();
  upstream.closeAllConnections();
});

async function start(environment: Record<string, string> = {}): Promise<{ port: number; child: ChildProcess }> {
  const port = await freePort();
  const child = spawn(process.execPath, [builtEntry('gateway')], {
    env: {
      PATH: process.env['PATH'],
      SERVICE_GATEWAY_PORT: String(port),
      SERVICE_WEB_URL: upstreamUrl,
      SERVICE_RUNTIME_URL: upstreamUrl,
      SERVICE_BROKER_URL: upstreamUrl,
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  children.push(child);
  await new Promise((resolve, reject) => {
    child.once('message', resolve);
    child.once('exit', (code) => reject(new Error(`exit ${code}`)));
  });
  return { port, child };
}

describe('the gateway process', () => {
  it('rule 3: shows private services to strangers only when SERVICE_GATEWAY_EXPOSURE or SERVICE_GATEWAY_ALLOW_PRIVATE says so', async () => {
    const answers = await Promise.all(
      [
        {},
        { SERVICE_GATEWAY_EXPOSURE: 'public', SERVICE_GATEWAY_ALLOW_PRIVATE: '0' },
        { SERVICE_GATEWAY_EXPOSURE: 'private' },
        { SERVICE_GATEWAY_ALLOW_PRIVATE: '1' },
        { SERVICE_GATEWAY_ALLOW_PRIVATE: 'true' },
        { SERVICE_GATEWAY_ALLOW_PRIVATE: ' 1' },
      ].map(async (environment) => {
        const { port } = await start(environment);
        return (await ask(port, '/metrics')).body;
      }),
    );
    expect(answers).toEqual([
      'Not found',
      'Not found',
      'upstream /metrics',
      'upstream /metrics',
      'Not found',
      'Not found',
    ]);
  });

  it(
    'rule 3: a request from the network is not addressed to a loopback host, whatever its Host says',
    needs('network'),
    async () => {
      const outer =
        Object.values(networkInterfaces())
          .flat()
          .find((one) => one?.internal === false && one.family === 'IPv4')?.address ?? '';
      const { port } = await start({ SERVICE_GATEWAY_HOST: '0.0.0.0' });
      for (const host of ['localhost', '127.0.0.1', '[::1]']) {
        for (const path of ['/metrics', '/broker/figures', '/broker/poll/g/p', '/sandbox/v1', '/runtime/metrics']) {
          expect(await ask(port, path, { host, at: outer }), path).toMatchObject({
            status: 404,
            body: 'Not found',
            headers: { 'cache-control': 'no-store' },
          });
        }
        expect((await ask(port, '/metrics', { host })).body).toBe('upstream /metrics');
      }
      expect((await ask(port, '/runtime/healthz', { host: 'localhost', at: outer })).body).toBe('upstream /healthz');
    },
  );

  it(
    'answers on both loopback addresses for SERVICE_GATEWAY_HOST=localhost, on one for one, and drains both',
    needs('ipv6'),
    async () => {
      const both = await start({ SERVICE_GATEWAY_HOST: 'localhost' });
      for (const host of ['127.0.0.1', '[::1]', 'localhost'])
        expect(await (await fetch(`http://${host}:${both.port}/metrics`)).text()).toBe('upstream /metrics');
      const asked = new Promise<ServerResponse>((resolve) => (held = resolve));
      const answer = fetch(`http://[::1]:${both.port}/held`);
      const res = await asked;
      both.child.kill('SIGTERM');
      await expect
        .poll(() =>
          fetch(`http://[::1]:${both.port}/`).then(
            () => 'answers',
            () => 'closed',
          ),
        )
        .toBe('closed');
      res.end('whole');
      expect(await (await answer).text()).toBe('whole');
      expect(await once(both.child, 'exit')).toEqual([0, null]);

      const one = await start({ SERVICE_GATEWAY_HOST: '127.0.0.1' });
      expect((await fetch(`http://127.0.0.1:${one.port}/`)).status).toBe(200);
      await expect(fetch(`http://[::1]:${one.port}/`)).rejects.toThrow('fetch failed');
    },
  );

  it('stops with one line that names a variable with a bad value', async () => {
    const child = spawn(process.execPath, [builtEntry('gateway')], {
      env: { PATH: process.env['PATH'], SERVICE_GATEWAY_EXPOSURE: 'maybe' },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let text = '';
    child.stderr.on('data', (chunk: Buffer) => (text += chunk.toString()));
    const [code] = (await once(child, 'close')) as [number];
    expect(code).not.toBe(0);
    expect(text).toBe('gateway: SERVICE_GATEWAY_EXPOSURE takes one of public, private.\n');
  });

  it('on SIGTERM finishes what runs, ends event streams and WebSockets, closes idle connections and takes no new ones', async () => {
    const { port, child } = await start();
    const sockets = new WebSocketServer({ server: upstream });
    const running = new Promise<ServerResponse>((resolve) => (held = resolve));
    const answer = ask(port, '/held');
    const res = await running;
    const events = openRaw(port);
    events.socket.write('GET /events HTTP/1.1\r\nHost: app.test\r\n\r\n');
    const idle = openRaw(port);
    idle.socket.write('GET / HTTP/1.1\r\nHost: app.test\r\n\r\n');
    const webSocket = openRaw(port);
    webSocket.socket.write(
      'GET /runtime/live HTTP/1.1\r\nHost: app.test\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n',
    );
    await Promise.all([events.until('data: 1'), idle.until('upstream /'), webSocket.until('101 Switching')]);

    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    await Promise.all([events.closed, idle.closed, webSocket.closed]);
    expect(events.text()).toMatch(/\r\n0\r\n\r\n$/);
    await expect(ask(port, '/')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    res.end('finished');
    expect(await answer).toMatchObject({ status: 200, body: 'finished' });
    expect(await exited).toEqual([0, null]);
    for (const client of [events, idle, webSocket]) client.socket.destroy();
    sockets.close();
  });
});
