import { describe, expect, it } from 'vitest';
import { readClientHeaders } from './client-headers.ts';
import { responseHeaders } from './response-headers.ts';

describe('readClientHeaders', () => {
  it('drops what a client could forge and what belongs to its connection', () => {
    const forged = [
      'X-Forwarded-For',
      'X-FORWARDED-HOST',
      'x-forwarded-proto',
      'x-forwarded-anything',
      'Forwarded',
      'Connection',
      'Keep-Alive',
      'TE',
      'Trailer',
      'Upgrade',
      'Proxy-Authorization',
      'Proxy-Connection',
      'Expect',
      'HTTP2-Settings',
    ];
    const read = readClientHeaders([
      'Host',
      'a',
      'Cookie',
      'c=1',
      'Authorization',
      'Bearer t',
      ...forged.flatMap((name) => [name, 'x']),
    ]);
    expect(read?.kept).toEqual(['Cookie', 'c=1', 'Authorization', 'Bearer t']);
    expect(read?.host).toBe('a');
  });

  it('drops every claim about where the request comes from, however it is spelt', () => {
    const claims = [
      'X-Real-IP',
      'x_real_ip',
      'Forwarded',
      'X-Client-IP',
      'CF-Connecting-IP',
      'True-Client-IP',
      'X-Cluster-Client-IP',
      'Fastly-Client-IP',
      'Fly-Client-IP',
      'X-Envoy-External-Address',
      'X_Forwarded_For',
      'X-Original-Forwarded-For',
      'X-Forwarded',
      'Client-IP',
    ];
    const read = readClientHeaders([
      'Host',
      'a',
      'Accept',
      '*/*',
      ...claims.flatMap((name) => [name, '127.0.0.1']),
      'x-request-ip-policy',
      'none',
    ]);
    expect(read?.kept).toEqual(['Accept', '*/*', 'x-request-ip-policy', 'none']);
  });

  it('tells whether the request says that it comes from another machine', () => {
    for (const header of [
      ['x-forwarded-for', '203.0.113.9'],
      ['x-forwarded-for', '127.0.0.1, 203.0.113.9'],
      ['x-real-ip', '203.0.113.9'],
      ['forwarded', 'for=127.0.0.1'],
      ['x_real_ip', 'unknown'],
    ])
      expect([header, readClientHeaders(header)?.claimsElsewhere]).toEqual([header, true]);
    for (const header of [
      [],
      ['x-forwarded-for', '127.0.0.1'],
      ['x-forwarded-for', '::1, 127.0.0.1'],
      ['x-forwarded-host', 'app.test'],
      ['x-real-ip', '::1'],
    ])
      expect([header, readClientHeaders(header)?.claimsElsewhere]).toEqual([header, false]);
  });

  it('drops the headers that Connection names, in any case and over several lines', () => {
    const read = readClientHeaders([
      'Host',
      'a',
      'Connection',
      'close, X-One',
      'connection',
      'x-two ,',
      'x-one',
      '1',
      'X-Two',
      '2',
      'x-three',
      '3',
    ]);
    expect(read?.kept).toEqual(['x-three', '3']);
  });

  it('keeps the host even when Connection names it', () => {
    expect(readClientHeaders(['Host', 'a', 'Connection', 'host'])?.host).toBe('a');
  });

  it('keeps a well-formed request id and no other', () => {
    expect(readClientHeaders(['x-request-id', 'req_1-a.B:2'])?.requestId).toBe('req_1-a.B:2');
    for (const bad of ['', 'a b', 'a"b', 'x'.repeat(129), 'a,b'])
      expect(readClientHeaders(['x-request-id', bad])?.requestId).toBeUndefined();
  });

  it('refuses what can be read in two ways', () => {
    expect(readClientHeaders(['Host', 'a', 'host', 'a'])).toBeUndefined();
    expect(readClientHeaders(['Content-Length', '1', 'content-length', '1'])).toBeUndefined();
    expect(readClientHeaders(['Content-Length', '1', 'Transfer-Encoding', 'chunked'])).toBeUndefined();
    for (const coding of ['identity', 'gzip, chunked', 'chunked, identity', 'xchunked'])
      expect(readClientHeaders(['Transfer-Encoding', coding])).toBeUndefined();
    expect(readClientHeaders(['Transfer-Encoding', 'Chunked'])?.transferEncoding).toBe('Chunked');
  });
});

describe('responseHeaders', () => {
  it("drops the upstream's connection headers, keeps repeated ones apart and sets the request id", () => {
    const headers = {
      connection: 'keep-alive, x-hop',
      'keep-alive': 'timeout=5',
      'transfer-encoding': 'chunked',
      'x-hop': '1',
      'set-cookie': ['a=1', 'b=2'],
      etag: '"e"',
      'x-request-id': 'theirs',
    };
    expect(responseHeaders(headers, 'ours', {})).toEqual([
      'set-cookie',
      'a=1',
      'set-cookie',
      'b=2',
      'etag',
      '"e"',
      'x-request-id',
      'ours',
    ]);
  });
});
