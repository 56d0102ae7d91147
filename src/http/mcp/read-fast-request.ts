// Recognises the two requests that make up nearly all traffic, `tools/list` and `tools/call`, if they follow every rule
// of the protocol. Anything else goes to the SDK, which knows how to refuse it.

const MODERN_VERSION = '2026-07-28';
const LEGACY_VERSIONS: ReadonlySet<string> = new Set(['2025-11-25', '2025-06-18', '2025-03-26']);

type Era = 'modern' | 'legacy';

export type FastRequest = { readonly era: Era; readonly id: string | number } & (
  | { readonly method: 'tools/list'; readonly cursor: string | undefined }
  | { readonly method: 'tools/call'; readonly name: string; readonly given: unknown }
);

type Fields = Readonly<Record<string, unknown>>;
type ReadHeader = (name: string) => string | undefined;

const META = 'io.modelcontextprotocol/';

export function readFastRequest(body: unknown, header: ReadHeader): FastRequest | undefined {
  if (!isObject(body) || body['jsonrpc'] !== '2.0' || !isId(body['id'])) return undefined;
  if (!/^application\/json\s*(?:;|$)/i.test(header('content-type') ?? '') || !acceptsBoth(header('accept') ?? ''))
    return undefined;
  const params = body['params'] ?? {};
  if (!isObject(params)) return undefined;
  const { method } = body;
  const name = method === 'tools/call' ? params['name'] : undefined;
  const era = readEra(params['_meta'], header, method, name);
  if (era === undefined) return undefined;
  const common = { era, id: body['id'] };
  if (method === 'tools/list') {
    const { cursor } = params;
    return cursor === undefined || typeof cursor === 'string' ? { ...common, method, cursor } : undefined;
  }
  if (method !== 'tools/call' || typeof name !== 'string') return undefined;
  // A call that answers a server request, or asks for a task, takes several messages.
  if ('inputResponses' in params || 'requestState' in params || 'task' in params) return undefined;
  // Arguments that are not an object are refused by the tool, like any other invalid argument.
  return { ...common, method, name, given: params['arguments'] === undefined ? {} : params['arguments'] };
}

/** The era whose rules the request follows; undefined if it follows neither. */
function readEra(meta: unknown, header: ReadHeader, method: unknown, name: unknown): Era | undefined {
  const version = header('mcp-protocol-version');
  if (version === undefined || LEGACY_VERSIONS.has(version)) {
    const claims = meta !== undefined && (!isObject(meta) || Object.keys(meta).some((key) => key.startsWith(META)));
    return claims ? undefined : 'legacy';
  }
  if (version !== MODERN_VERSION || !isObject(meta) || meta[`${META}protocolVersion`] !== MODERN_VERSION)
    return undefined;
  if (!isObject(meta[`${META}clientCapabilities`]) || !isClientInfo(meta[`${META}clientInfo`])) return undefined;
  return header('mcp-method') === method && (name === undefined || header('mcp-name') === name) ? 'modern' : undefined;
}

function isClientInfo(value: unknown): boolean {
  return isObject(value) && typeof value['name'] === 'string' && typeof value['version'] === 'string';
}

function acceptsBoth(accept: string): boolean {
  return accept.includes('application/json') && accept.includes('text/event-stream');
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isId(value: unknown): value is string | number {
  return typeof value === 'string' || (typeof value === 'number' && Number.isSafeInteger(value));
}
