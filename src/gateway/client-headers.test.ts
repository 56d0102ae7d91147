import { describe, expect, it } from 'vitest';
import { readClientHeaders } from './client-headers.ts';
import { responseHeaders } from './response-headers.ts';

describe('readClientHeaders', () => {
  it('drops what a client could forge and what belongs to its connection', () => {
    const forged = ['X-Forwarded-For', 'X-FORWARDED-HOST', 'x-forwarded-proto', 'x-forwarded-anything', 'Forwarded', 'Connection', 'Keep-Alive', 'TE', 'Trailer', 'Upgrade', 'Proxy-Authorization', 'Proxy-Connection', 'Expect', 'HTTP2-Settings'];
    const read = readClientHeaders(['Host', 'a', 'Cookie', 'c=1', 'Authorization', 'Bearer t', ...forged.flatMap((name) => [name, 'x'])]);
    expect(read?.kept).toEqual(['Cookie', 'c=1', 'Authorization', 'Bearer t']);
    expect(read?.host).toBe('a');
  });

  it('drops the headers that Connection names, in any case and over several lines', () => {
    const read = readClientHeaders(['Host', 'a', 'Connection', 'close, X-One', 'connection', 'x-two ,', 'x-one', '1', 'X-Two', '2', 'x-three', '3']);
    expect(read?.kept).toEqual(['x-three', '3']);
  });

  it('keeps the host even when Connection names it', () => {
    expect(readClientHeaders(['Host', 'a', 'Connection', 'host'])?.host).toBe('a');
  });

  it('keeps a well-formed request id and no other', () => {
    expect(readClientHeaders(['x-request-id', 'req_1-a.B:2'])?.requestId).toBe('req_1-a.B:2');
    for (const bad of ['', 'a b', 'a"b', 'x'.repeat(129), 'a,b']) expect(readClientHeaders(['x-request-id', bad])?.requestId).toBeUndefined();
  });

  it('refuses what can be read in two ways', () => {
    expect(readClientHeaders(['Host', 'a', 'host', 'a'])).toBeUndefined();
    expect(readClientHeaders(['Content-Length', '1', 'content-length', '1'])).toBeUndefined();
    expect(readClientHeaders(['Content-Length', '1', 'Transfer-Encoding', 'chunked'])).toBeUndefined();
    for (const coding of ['identity', 'gzip, chunked', 'chunked, identity', 'xchunked']) expect(readClientHeaders(['Transfer-Encoding', coding])).toBeUndefined();
    expect(readClientHeaders(['Transfer-Encoding', 'Chunked'])?.transferEncoding).toBe('Chunked');
  });
});

describe('responseHeaders', () => {
  it("drops the upstream's connection headers, keeps repeated ones apart and sets the request id", () => {
    const headers = { connection: 'keep-alive, x-hop', 'keep-alive': 'timeout=5', 'transfer-encoding': 'chunked', 'x-hop': '1', 'set-cookie': ['a=1', 'b=2'], etag: '"e"', 'x-request-id': 'theirs' };
    expect(responseHeaders(headers, 'ours')).toEqual(['set-cookie', 'a=1', 'set-cookie', 'b=2', 'etag', '"e"', 'x-request-id', 'ours']);
  });
});
