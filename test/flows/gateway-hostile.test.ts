// Bytes that no honest client sends. Whatever comes, the upstreams see nothing that the rules do not let through.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask, openRaw, openStand, sendRaw, type Stand } from '../support/http/gateway-stand.ts';

let stand: Stand;
beforeAll(async () => {
  stand = await openStand();
});
afterAll(() => stand.close());

const head = (...lines: string[]): string => `${lines.join('\r\n')}\r\n\r\n`;

/** The status of the answer, and how many requests reached an upstream. */
async function outcome(bytes: string): Promise<{ status: number; reached: number }> {
  const before = stand.seen.length;
  const answer = await sendRaw(stand.port, bytes);
  return { status: Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1]), reached: stand.seen.length - before };
}

describe('request smuggling', () => {
  const SMUGGLED = 'GET /broker HTTP/1.1\r\nHost: localhost\r\n\r\n';
  const CASES = {
    'Content-Length and Transfer-Encoding': `${head('POST / HTTP/1.1', 'Host: app.test', 'Content-Length: 4', 'Transfer-Encoding: chunked')}0\r\n\r\n${SMUGGLED}`,
    'Transfer-Encoding and Content-Length': `${head('POST / HTTP/1.1', 'Host: app.test', 'Transfer-Encoding: chunked', 'Content-Length: 4')}0\r\n\r\n${SMUGGLED}`,
    'two lengths': `${head('POST / HTTP/1.1', 'Host: app.test', 'Content-Length: 3', 'Content-Length: 4')}abc${SMUGGLED}`,
    'the same length twice': `${head('POST / HTTP/1.1', 'Host: app.test', 'Content-Length: 3', 'Content-Length: 3')}abc`,
    'a list of lengths': `${head('POST / HTTP/1.1', 'Host: app.test', 'Content-Length: 3, 3')}abc`,
    'a signed length': `${head('POST / HTTP/1.1', 'Host: app.test', 'Content-Length: +3')}abc`,
    'a coding that is not chunked': `${head('POST / HTTP/1.1', 'Host: app.test', 'Connection: close', 'Transfer-Encoding: identity')}${SMUGGLED}`,
    'a coding before chunked': `${head('POST / HTTP/1.1', 'Host: app.test', 'Connection: close', 'Transfer-Encoding: gzip, chunked')}0\r\n\r\n`,
    'a coding after chunked': head('POST / HTTP/1.1', 'Host: app.test', 'Transfer-Encoding: chunked, gzip'),
    'a disguised coding': `${head('POST / HTTP/1.1', 'Host: app.test', 'Transfer-Encoding : chunked')}0\r\n\r\n`,
    'two codings': `${head('POST / HTTP/1.1', 'Host: app.test', 'Transfer-Encoding: chunked', 'Transfer-Encoding: identity')}0\r\n\r\n`,
    'a folded header': head('GET / HTTP/1.1', 'Host: app.test', 'X-A: b', ' c: d'),
    'lines without a return': 'GET / HTTP/1.1\nHost: app.test\n\n',
    'a bare return in a value': 'GET / HTTP/1.1\r\nHost: app.test\r\nX-A: b\rX-B: c\r\n\r\n',
    'a zero byte in a value': head('GET / HTTP/1.1', 'Host: app.test', 'X-A: \0'),
    'an unknown version': head('GET / HTTP/3.7', 'Host: app.test'),
  };
  for (const [name, bytes] of Object.entries(CASES)) {
    it(`refuses ${name}`, async () => {
      expect(await outcome(bytes)).toEqual({ status: 400, reached: 0 });
    });
  }

  it('refuses a bad chunk and breaks off the request it belongs to', async () => {
    const answer = await sendRaw(
      stand.port,
      `${head('POST / HTTP/1.1', 'Host: app.test', 'Transfer-Encoding: chunked')}3\r\nabc\r\nzz\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  });

  it('frames a body itself, so that the upstream takes nothing after it for a request', async () => {
    const bodies: string[] = [];
    stand.answer('web', (req, res) => {
      let body = '';
      req.on('data', (chunk: Buffer) => (body += chunk.toString()));
      req.on('end', () => {
        bodies.push(body);
        res.end();
      });
    });
    await sendRaw(
      stand.port,
      `${head('POST /a HTTP/1.1', 'Host: app.test', 'Connection: close', 'Transfer-Encoding: chunked')}${SMUGGLED.length.toString(16)}\r\n${SMUGGLED}\r\n0\r\nX-Trailer: 1\r\n\r\n`,
    );
    await sendRaw(
      stand.port,
      `${head('GET /b HTTP/1.1', 'Host: app.test', 'Connection: close', `Content-Length: ${SMUGGLED.length}`)}${SMUGGLED}`,
    );
    expect(bodies).toEqual([SMUGGLED, SMUGGLED]);
    expect(stand.seen.filter(({ service }) => service === 'broker')).toEqual([]);
  });
});

describe('request targets', () => {
  it('refuses what is not a path, and dot segments and control characters in any spelling', async () => {
    const targets = [
      'http://app.test/',
      'http://localhost/broker',
      '*',
      'app.test:443',
      '/..',
      '/a/../broker',
      '/runtime/../broker',
      '/runtime/%2e%2e/broker',
      '/runtime/.%2E/metrics',
      '/./metrics',
      '/runtime/./metrics',
      '/runtime/%2e/metrics',
      '/%252e%252e/x',
      '/a\\..\\broker',
      '/runtime\\metrics',
      '/a%00',
      '/a%0d%0aHost:%20localhost',
      '/a#b',
      '//connect/call',
      '/%63onnect/call',
    ];
    for (const target of targets) {
      expect(await outcome(head(`GET ${target} HTTP/1.1`, 'Host: app.test', 'Connection: close')), target).toEqual({
        status: 400,
        reached: 0,
      });
    }
  });

  it('answers 404 for every spelling of a private path that is not refused', async () => {
    for (const target of [
      '/runtime/%6detrics',
      '/runtime//metrics',
      '/runtime/metrics/',
      '/runtime/metrics%2f',
      '/runtime/metrics%3f',
      '/runtime%2fmetrics',
      '//metrics',
      '/%6detrics',
      '/%62roker/',
      '/sandbox%2fx',
      '/runtime/%256detrics',
      '/runtime%5cmetrics',
    ]) {
      expect(await outcome(head(`GET ${target} HTTP/1.1`, 'Host: app.test', 'Connection: close')), target).toEqual({
        status: 404,
        reached: 0,
      });
    }
  });

  it('refuses CONNECT', async () => {
    expect(await outcome(head('CONNECT localhost:22 HTTP/1.1', 'Host: localhost'))).toEqual({
      status: 405,
      reached: 0,
    });
  });
});

describe('hosts', () => {
  it('refuses no host, two hosts and a host that is not one', async () => {
    for (const hosts of [
      [],
      ['Host: app.test', 'Host: localhost'],
      ['Host: localhost', 'host: localhost'],
      ['Host:'],
      ['Host: a b'],
      ['Host: localhost, app.test'],
      ['Host: user@localhost'],
      ['Host: localhost/x'],
      ['Host: ::2'],
      ['Host: ::1:4000'],
      ['Host: [::1'],
    ]) {
      expect(await outcome(head('GET /metrics HTTP/1.1', ...hosts, 'Connection: close')), hosts.join('; ')).toEqual({
        status: 400,
        reached: 0,
      });
    }
  });

  it('refuses them on upgrades too', async () => {
    const upgrade = ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Key: a', 'Sec-WebSocket-Version: 13'];
    for (const hosts of [[], ['Host: app.test', 'Host: localhost'], ['Host: a b']])
      expect((await outcome(head('GET /runtime/x HTTP/1.1', ...hosts, ...upgrade))).status).toBe(400);
    expect((await outcome(head('GET http://localhost/broker HTTP/1.1', 'Host: app.test', ...upgrade))).status).toBe(
      400,
    );
    expect(
      (await outcome(`${head('GET /runtime/x HTTP/1.1', 'Host: app.test', 'Content-Length: 3', ...upgrade)}abc`))
        .status,
    ).toBe(400);
    expect((await outcome(head('POST /runtime/x HTTP/1.1', 'Host: app.test', ...upgrade))).status).toBe(400);
  });

  it('does not take a forwarded host for the host', async () => {
    for (const name of ['x-forwarded-host', 'forwarded', 'x-host', 'x-original-host'])
      expect(
        (
          await ask(stand.port, '/metrics', {
            headers: { [name]: name === 'forwarded' ? 'host=localhost' : 'localhost' },
          })
        ).status,
      ).toBe(404);
  });

  it('treats an HTTP/1.0 request without a host as a stranger', async () => {
    expect((await outcome('GET /metrics HTTP/1.0\r\n\r\n')).status).toBe(404);
  });
});

describe('headers', () => {
  it('answers 431 for headers of more than 16 KiB', async () => {
    expect(await outcome(head('GET / HTTP/1.1', 'Host: app.test', `X-Big: ${'a'.repeat(17 * 1024)}`))).toEqual({
      status: 431,
      reached: 0,
    });
  });

  it('overlooks no header among thousands', async () => {
    const many = Array.from({ length: 2500 }, () => 'a:');
    expect(
      await outcome(head('GET /metrics HTTP/1.1', 'Host: app.test', ...many, 'Host: localhost', 'Connection: close')),
    ).toEqual({ status: 400, reached: 0 });
  });

  it('ignores an offer to speak another protocol', async () => {
    const before = stand.seen.length;
    await sendRaw(
      stand.port,
      head(
        'GET /connect/x HTTP/1.1',
        'Host: app.test',
        'Connection: Upgrade, HTTP2-Settings, close',
        'Upgrade: h2c',
        'HTTP2-Settings: AAMAAABkAAQAAP__',
      ),
    );
    const [seen] = stand.seen.slice(before);
    expect(seen?.url).toBe('/connect/x');
    expect(seen?.headers).not.toHaveProperty('upgrade');
    expect(seen?.headers).not.toHaveProperty('http2-settings');
  });
});

describe('slow clients', () => {
  it('closes a connection whose headers do not come in time', async () => {
    const hasty = await openStand({ clientHeadersTimeoutMs: 200 });
    const silent = openRaw(hasty.port);
    const slow = openRaw(hasty.port);
    slow.socket.write('GET / HTTP/1.1\r\nHost: app.test\r\nX-A: b');
    await Promise.all([silent.closed, slow.closed]);
    expect(slow.text()).toMatch(/^HTTP\/1\.1 408 /);
    expect(hasty.seen).toEqual([]);
    await hasty.close();
  });
});

describe('a flood of refusals', () => {
  it('is answered in turn up to a bound and not beyond it, and does not delay other requests', async () => {
    const paced = await openStand({ pace: { perSecond: 2, burst: 1, mostWaitMs: 1_000, mostNetworks: 10 } });
    try {
      paced.answer(
        'web',
        (req, res) => void res.writeHead(req.url === '/refused' ? 429 : 200, { 'x-kept': 'yes' }).end('the whole text'),
      );
      const refused = await Promise.allSettled(Array.from({ length: 40 }, () => ask(paced.port, '/refused')));
      const answered = refused.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
      for (const { status, headers, body } of answered)
        expect({ status, kept: headers['x-kept'], body }).toEqual({ status: 429, kept: 'yes', body: 'the whole text' });
      // One leaves at once and two wait; on a slow machine another one may be served before this is read.
      expect(answered.length).toBeGreaterThanOrEqual(3);
      expect(answered.length).toBeLessThan(40);
      expect(
        (await Promise.all(Array.from({ length: 8 }, () => ask(paced.port, '/served')))).map(({ status }) => status),
      ).toEqual(Array(8).fill(200));
    } finally {
      await paced.close();
    }
  });
});
