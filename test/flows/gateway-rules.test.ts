// The numbered rules of the specification's section "Service gateway", each against a real gateway.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { readConfig } from '../../src/base/config.ts';
import { parseNetworks } from '../../src/base/networks.ts';
import { createGateway } from '../../src/gateway/create-gateway.ts';
import { SERVICE_GRAPH } from '../../src/gateway/service-graph.ts';
import { upstreamAddresses } from '../../src/gateway/upstream-addresses.ts';
import { quiet } from '../support/database.ts';
import { ask, openStand, type Seen, sendRaw, type Stand } from '../support/http/gateway-stand.ts';

let stand: Stand;
beforeAll(async () => {
  stand = await openStand();
});
afterAll(() => stand.close());

const reached = async (path: string, host = 'app.test'): Promise<string> => {
  const { status, body } = await ask(stand.port, path, { host });
  if (status !== 200) return `${status} ${body}`;
  const { service, url } = JSON.parse(body) as Seen;
  return `${service} ${url}`;
};

describe('service gateway', () => {
  it('rule 1: the longest matching prefix wins; / is evaluated last', async () => {
    expect(await reached('/')).toBe('web /');
    expect(await reached('/chat/1?x=1')).toBe('web /chat/1?x=1');
    expect(await reached('/integrations/health')).toBe('integrations /health');
    expect(await reached('/integrations-connect/')).toBe('integrations-connect /');
    expect(await reached('/oauth/callback?code=1&state=2')).toBe('integrations /oauth/callback?code=1&state=2');
  });

  it.each([
    ['/integrations/api/v1/x', true],
    ['/integrations-connect/', true],
    ['/oauth/callback?code=1', true],
    ['/connect/connections', false],
    ['/runtime/jobs', false],
    ['/api/me', false],
  ])('%s: our cookie and our tokens stay from what is not ours: %s', async (path, foreign) => {
    const ours = {
      cookie: 'service.session_token=a.b; theme=dark; __Secure-service.session_token=c.d',
      authorization: 'Bearer eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ1c3JfMSJ9.c2lnbmF0dXJl',
      'x-api-key': 'Zk3vQx9LmN2bT7yRwE5uHc8dFa1sGj4p',
    };
    const echoed = async (headers: Record<string, string>): Promise<Record<string, string>> =>
      (JSON.parse((await ask(stand.port, path, { headers })).body) as Seen).headers;
    const seen = await echoed(ours);
    if (foreign)
      expect([seen['cookie'], seen['authorization'], seen['x-api-key']]).toEqual(['theme=dark', undefined, undefined]);
    else expect(seen).toMatchObject(ours);
    const theirs = { cookie: 'connect.sid=1', authorization: 'Bearer 7a9d1f0e-55b1-4c5e-9a51-0f6f2f6f5c11' };
    expect(await echoed(theirs)).toMatchObject(theirs);
    expect(await echoed({ authorization: 'Basic YWRtaW46cGFzc3dvcmQxMjM0' })).toMatchObject({
      authorization: 'Basic YWRtaW46cGFzc3dvcmQxMjM0',
    });
  });

  it('rule 2: prefix stripping rewrites the upstream path; connect does not strip', async () => {
    expect(await reached('/runtime/healthz')).toBe('runtime /healthz');
    expect(await reached('/connect/call')).toBe('runtime /connect/call');
    expect(await reached('/connect')).toBe('runtime /connect');
    expect(await reached('/agents/factory/jobs')).toBe('runtime /agents/factory/jobs');
    expect(await reached('/jobs?status=queued')).toBe('runtime /jobs?status=queued');
    expect(await reached('/service/stream')).toBe('runtime /service/stream');
  });

  it('rule 3: a private service answers 404 Not found, not stored, without further detail', async () => {
    const before = stand.seen.length;
    for (const path of [
      '/metrics',
      '/broker',
      '/broker/poll/g/1',
      '/sandbox/x',
      '/runtime/metrics',
      '/runtime/metrics?x',
      '/runtime/%6detrics',
      '/runtime//metrics',
      '/%62roker/x',
      '/runtime%2fmetrics',
    ]) {
      const answer = await ask(stand.port, path);
      expect(answer, path).toMatchObject({ status: 404, body: 'Not found', headers: { 'cache-control': 'no-store' } });
      expect(answer.headers['content-type']).toMatch(/^text\/plain/);
    }
    const head = await ask(stand.port, '/metrics', { method: 'HEAD' });
    expect(head).toMatchObject({
      status: 404,
      body: '',
      headers: { 'cache-control': 'no-store', 'content-length': '9' },
    });
    expect((await ask(stand.port, '/broker/x', { method: 'POST', body: 'b' })).status).toBe(404);
    expect(stand.seen).toHaveLength(before);
  });

  it('rule 3: a request addressed to a loopback host reaches private services', async () => {
    for (const host of ['localhost', 'LOCALHOST:4000', '127.0.0.1:1', '127.0.0.1', '[::1]:4000', '[::1]', '::1']) {
      expect(await reached('/metrics', host)).toBe('runtime /metrics');
      expect(await reached('/runtime/metrics', host)).toBe('runtime /metrics');
      expect(await reached('/broker/poll/g/1', host)).toBe('broker /poll/g/1');
      expect(await reached('/sandbox/v1', host)).toBe('sandbox /v1');
    }
    for (const host of ['localhost.app.test', '127.0.0.2', 'localhost.', '0.0.0.0', '[::2]'])
      expect(await reached('/metrics', host)).toBe('404 Not found');
  });

  it('rule 3: a request that a proxy on this machine forwarded for another machine is not addressed to a loopback host', async () => {
    for (const headers of [
      { 'x-forwarded-for': '203.0.113.9' },
      { 'x-real-ip': '203.0.113.9' },
      { forwarded: 'for=203.0.113.9' },
      { 'x-forwarded-for': '203.0.113.9, 127.0.0.1' },
      { 'cf-connecting-ip': '203.0.113.9' },
    ] as Record<string, string>[]) {
      expect(
        await ask(stand.port, '/broker/poll/g/1', { host: 'localhost', headers }),
        JSON.stringify(headers),
      ).toMatchObject({ status: 404, body: 'Not found' });
    }
    expect(
      (await ask(stand.port, '/metrics', { host: 'localhost', headers: { 'x-forwarded-for': '127.0.0.1' } })).status,
    ).toBe(200);

    const behindProxy = await openStand({ trustedProxies: parseNetworks('127.0.0.1') });
    expect(
      (await ask(behindProxy.port, '/metrics', { host: 'localhost', headers: { 'x-forwarded-for': '203.0.113.9' } }))
        .status,
    ).toBe(404);
    expect((await ask(behindProxy.port, '/metrics', { host: 'localhost' })).status).toBe(200);
    await behindProxy.close();
  });

  it('rule 3: an exposed gateway shows private services to every host', async () => {
    const exposed = await openStand({ showPrivate: true });
    expect((await ask(exposed.port, '/broker/x')).status).toBe(200);
    await exposed.close();
  });

  it('rule 4: WebSocket upgrades are proxied for every service except the web app', async () => {
    const sockets = new WebSocketServer({ server: stand.upstreams.runtime });
    const offered: string[] = [];
    sockets.on('connection', (socket, req) => {
      offered.push(req.url ?? '');
      socket.on('message', (data, binary) => socket.send(data, { binary }));
    });
    const client = new WebSocket(`ws://127.0.0.1:${stand.port}/runtime/factory/live?token=t`, {
      headers: { host: 'app.test' },
    });
    const echoed = new Promise((resolve) => client.once('message', (data: Buffer) => resolve(data.toString())));
    client.once('open', () => client.send('hello'));
    expect(await echoed).toBe('hello');
    expect(offered).toEqual(['/factory/live?token=t']);
    client.close();

    const before = stand.seen.length;
    // Codex goes on over HTTP after 426 only.
    for (const [path, expected] of [
      ['/api/live', 400],
      ['/v1/responses', 426],
      ['/v1x', 400],
    ] as const) {
      const refused = new WebSocket(`ws://127.0.0.1:${stand.port}${path}`, { headers: { host: 'app.test' } });
      const status = await new Promise((resolve) =>
        refused.once('unexpected-response', (_req, res) => resolve(res.statusCode)),
      );
      refused.on('error', () => {}).terminate();
      expect([path, status]).toEqual([path, expected]);
    }
    expect(stand.seen).toHaveLength(before);
    sockets.close();
  });

  it('rule 3 holds for upgrades too', async () => {
    const upgrade = (path: string): string =>
      `GET ${path} HTTP/1.1\r\nHost: app.test\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: a\r\nSec-WebSocket-Version: 13\r\n\r\n`;
    for (const path of ['/broker/x', '/runtime/metrics', '/sandbox', '/%6detrics']) {
      const answer = await sendRaw(stand.port, upgrade(path));
      expect(answer).toMatch(/^HTTP\/1\.1 404 Not Found\r\n/);
      expect(answer).toMatch(/cache-control: no-store\r\n(.*\r\n)*\r\nNot found$/);
    }
  });

  it("rule 5: /service-debug/* goes to the runtime's diagnostics, token and all", async () => {
    const { body } = await ask(stand.port, '/service-debug/state?x=1', { headers: { authorization: 'Bearer debug' } });
    expect(JSON.parse(body)).toMatchObject({
      service: 'runtime',
      url: '/service-debug/state?x=1',
      headers: { authorization: 'Bearer debug' },
    });
  });

  it('rule 6: matching is per prefix', async () => {
    expect(await reached('/runtime-extra/health')).toBe('web /runtime-extra/health');
    expect(await reached('/integrations-connectivity')).toBe('web /integrations-connectivity');
    expect(await reached('/metricsx')).toBe('web /metricsx');
  });

  it('rule 7: the dashboard is at /runtime/runtime and a bare /runtime is the root of the runtime', async () => {
    expect(await reached('/runtime/runtime')).toBe('runtime /runtime');
    expect(await reached('/runtime')).toBe('runtime /');
    expect(await reached('/runtime?a=1')).toBe('runtime /?a=1');
  });

  it('answers 503 with the variables to set while no integration provider is configured', async () => {
    const bare = createGateway({
      graph: SERVICE_GRAPH,
      addresses: upstreamAddresses(readConfig({ SERVICE_INTEGRATIONS_URL: 'off' })),
      publicUrl: 'http://app.test',
      showPrivate: false,
      log: quiet,
    });
    const port = await bare.listen(0, '127.0.0.1');
    for (const path of ['/integrations/health', '/integrations-connect/', '/oauth/callback']) {
      const { status, headers, body } = await ask(port, path);
      expect(status).toBe(503);
      expect(headers['content-type']).toMatch(/^application\/json/);
      const parsed = JSON.parse(body) as { message: string };
      expect(parsed).toMatchObject({ ok: false, error: 'integrations_not_configured' });
      for (const name of [
        'SERVICE_INTEGRATIONS_URL',
        'SERVICE_INTEGRATIONS_SECRET_KEY',
        'SERVICE_INTEGRATIONS_WEBHOOK_SECRET',
      ])
        expect(parsed.message).toContain(name);
    }
    await bare.close();
  });
});
