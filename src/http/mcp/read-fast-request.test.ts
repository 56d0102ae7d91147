import { describe, expect, it } from 'vitest';
import { readFastRequest } from './read-fast-request.ts';

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'c', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};
const BOTH = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const MODERN = { ...BOTH, 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'a__b' };
const call = (more: Record<string, unknown> = {}, params: Record<string, unknown> = {}) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'a__b', arguments: { x: 1 }, _meta: META, ...params },
  ...more,
});
const read = (body: unknown, headers: Record<string, string>) => readFastRequest(body, (name) => headers[name]);

describe('the fast path', () => {
  it('takes a well-formed list or call of either revision', () => {
    expect(read(call(), MODERN)).toEqual({ era: 'modern', id: 1, method: 'tools/call', name: 'a__b', given: { x: 1 } });
    expect(read(call({}, { _meta: { progressToken: 1 } }), BOTH)).toEqual({
      era: 'legacy',
      id: 1,
      method: 'tools/call',
      name: 'a__b',
      given: { x: 1 },
    });
    expect(
      read({ jsonrpc: '2.0', id: 'x', method: 'tools/list' }, { ...BOTH, 'mcp-protocol-version': '2025-06-18' }),
    ).toEqual({ era: 'legacy', id: 'x', method: 'tools/list', cursor: undefined });
  });

  it.each([null, [], 'text'])('leaves it to the tool to say of the arguments %j whether they will do', (given) => {
    expect(read(call({}, { arguments: given }), MODERN)).toMatchObject({ name: 'a__b', given });
  });

  it.each<[string, unknown, Record<string, string>]>([
    ['a batch', [call()], MODERN],
    ['no id', call({ id: undefined }), MODERN],
    ['id null', call({ id: null }), MODERN],
    ['a fractional id', call({ id: 1.5 }), MODERN],
    ['another version of JSON-RPC', call({ jsonrpc: '1.0' }), MODERN],
    ['another method', call({ method: 'prompts/get' }), MODERN],
    ['params that are a list', call({ params: [] }), MODERN],
    ['no name', call({}, { name: undefined }), MODERN],
    ['another name in the header', call(), { ...MODERN, 'mcp-name': 'c' }],
    ['another method in the header', call(), { ...MODERN, 'mcp-method': 'tools/list' }],
    ['no envelope', call({}, { _meta: undefined }), MODERN],
    [
      'an envelope without capabilities',
      call({}, { _meta: { ...META, 'io.modelcontextprotocol/clientCapabilities': undefined } }),
      MODERN,
    ],
    [
      'an envelope of another revision',
      call({}, { _meta: { ...META, 'io.modelcontextprotocol/protocolVersion': '2027-01-01' } }),
      MODERN,
    ],
    ['a revision nobody knows', call(), { ...MODERN, 'mcp-protocol-version': '2027-01-01' }],
    ['an envelope without the header', call(), BOTH],
    ['an answer to a question', call({}, { inputResponses: {} }), MODERN],
    ['a task', call({}, { task: {} }), MODERN],
    ['a body that is no JSON', call(), { ...MODERN, 'content-type': 'text/plain' }],
    ['a client that takes no streams', call(), { ...MODERN, accept: 'application/json' }],
    ['text', 'tools/list', MODERN],
  ])('leaves %s to the SDK', (_what, body, headers) => expect(read(body, headers)).toBeUndefined());
});
