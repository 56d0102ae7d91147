// A small MCP client for apps with an MCP server of their own: handshake, list of tools, one call. The connection's token
// is sent only to the address in the manifest; a token of the local provider works only with its demo server and is
// sent there.
//
// It is not the SDK's client, which waits for its timeout when an answer does not contain the reply, and refuses the
// whole list for one malformed tool and a result for one unknown kind of content. Here each answer is read whole, within
// the call's deadline and size cap, and an answer without the reply fails at once.
import { createParser } from 'eventsource-parser';
import type { Dispatcher } from 'undici';
import { AppError } from '../base/errors.ts';
import { findJsonFault } from '../base/json-scanner.ts';
import { NangoError } from '../nango/nango-error.ts';
import type { NangoSettings } from '../nango/nango-settings.ts';
import { parseErrorCode } from '../nango/nango-shapes.ts';
import { type HttpAnswer, type HttpRequest, sendRequest } from '../nango/send-request.ts';
import { MAX_RESPONSE_BYTES, remainingMs } from './provider-call.ts';
import type { DiscoveredTool, OpenMcpServer } from './tool-deps.ts';

const PROTOCOL_VERSION = '2025-11-25';
const MAX_PAGES = 20;
const MAX_TOOLS = 1_000;

interface McpClientDeps {
  readonly settings: Pick<NangoSettings, 'url' | 'secretKey'>;
  readonly dispatcher: Dispatcher;
  readonly version: string;
}

export function createMcpOpener(deps: McpClientDeps): OpenMcpServer {
  const { settings, dispatcher, version } = deps;
  return async (url, { reference, deadlineMs, signal }) => {
    const limits = (): Limits => ({ timeoutMs: remainingMs(deadlineMs), maxBytes: MAX_RESPONSE_BYTES, signal });
    const { token, demo } = await fetchToken(deps, reference, limits());
    const target = demo ? `${settings.url}/demo/mcp/${encodeURIComponent(reference.integrationId)}` : url;
    const send = await initialize(createMessages({ dispatcher, target, token, limits }), version);

    return {
      async listTools() {
        const tools: DiscoveredTool[] = [];
        let cursor: unknown;
        for (let page = 0; page < MAX_PAGES && tools.length < MAX_TOOLS; page++) {
          const { result: listed } = await send('tools/list', cursor === undefined ? {} : { cursor });
          if (!listed || !Array.isArray(listed['tools'])) throw new NangoError('malformed');
          tools.push(...listed['tools'].flatMap(toDiscovered));
          cursor = listed['nextCursor'];
          if (typeof cursor !== 'string') break;
        }
        return tools.slice(0, MAX_TOOLS);
      },
      async callTool(name, given) {
        const reply = await send('tools/call', { name, arguments: given });
        return (
          reply.result ?? {
            isError: true,
            content: [{ type: 'text', text: String(reply.error?.message ?? 'the app refused the call') }],
          }
        );
      },
    };
  };
}

type Limits = Pick<HttpRequest, 'timeoutMs' | 'maxBytes' | 'signal'>;

async function fetchToken(
  { settings, dispatcher }: McpClientDeps,
  { connectionId, integrationId }: Parameters<OpenMcpServer>[1]['reference'],
  limits: Limits,
): Promise<{ token: string; demo: boolean }> {
  const path = `/connections/${encodeURIComponent(connectionId)}?provider_config_key=${encodeURIComponent(integrationId)}`;
  const answer = await sendRequest(dispatcher, {
    method: 'GET',
    url: `${settings.url}${path}`,
    headers: { authorization: `Bearer ${settings.secretKey}`, accept: 'application/json' },
    ...limits,
  });
  if (answer.status !== 200)
    throw new NangoError('refused', { status: answer.status, code: parseErrorCode(answer.body) });
  const { credentials, demo } = JSON.parse(answer.body.toString('utf8')) as {
    credentials?: { access_token?: unknown; apiKey?: unknown } | null;
    demo?: unknown;
  };
  // A key without the scope gets the connection without credentials; reconnecting would not help.
  if (typeof credentials !== 'object' || credentials === null || Object.keys(credentials).length === 0)
    throw new AppError('integration_key_refused');
  const found = credentials.access_token ?? credentials.apiKey;
  if (typeof found !== 'string' || !/^[\x21-\x7e]+$/.test(found)) throw new AppError('reconnect_required');
  return { token: found, demo: demo === true };
}

interface Reply {
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly message?: unknown };
}

type Send = (method: string, params: Record<string, unknown>) => Promise<Reply>;

interface Messages {
  readonly send: Send;
  notify(method: string): Promise<void>;
  /** Sent with every later message, like the session id from the server. */
  setProtocolVersion(version: string): void;
}

/** JSON-RPC over the streamable HTTP transport: one POST per message, answered with JSON or an event stream. */
function createMessages({
  dispatcher,
  target,
  token,
  limits,
}: {
  dispatcher: Dispatcher;
  target: string;
  token: string;
  limits: () => Limits;
}): Messages {
  let sessionId: string | undefined;
  let protocolVersion: string | undefined;
  let lastId = 0;

  async function post(message: Record<string, unknown>): Promise<HttpAnswer> {
    const headers = {
      authorization: `Bearer ${token}`,
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      ...(sessionId === undefined ? {} : { 'mcp-session-id': sessionId }),
      ...(protocolVersion === undefined ? {} : { 'mcp-protocol-version': protocolVersion }),
    };
    const body = JSON.stringify({ jsonrpc: '2.0', ...message });
    const answer = await sendRequest(dispatcher, { method: 'POST', url: target, headers, body, ...limits() });
    if (answer.status === 401) throw new AppError('reconnect_required');
    if (answer.status >= 300 && answer.status < 400) throw new AppError('provider_redirect_refused');
    if (answer.status >= 400) throw new NangoError('unreachable', { status: answer.status });
    return answer;
  }

  return {
    async send(method, params) {
      const id = ++lastId;
      const { headers, body } = await post({ id, method, params });
      const reply = findJsonFault(body)
        ? undefined
        : findReply(body.toString('utf8'), headers['content-type'] ?? '', id);
      if (!reply) throw new NangoError('malformed');
      if (method === 'initialize') sessionId = headers['mcp-session-id'];
      return reply;
    },
    async notify(method) {
      await post({ method });
    },
    setProtocolVersion(version) {
      protocolVersion = version;
    },
  };
}

async function initialize({ send, notify, setProtocolVersion }: Messages, version: string): Promise<Send> {
  const { result } = await send('initialize', {
    protocolVersion: PROTOCOL_VERSION,
    capabilities: {},
    clientInfo: { name: 'agent-platform-service', version },
  });
  if (!result) throw new NangoError('malformed');
  setProtocolVersion(typeof result['protocolVersion'] === 'string' ? result['protocolVersion'] : PROTOCOL_VERSION);
  await notify('notifications/initialized');
  return send;
}

/** The reply with this id, in a JSON body or among the events of a stream. */
function findReply(text: string, contentType: string, id: number): Record<string, unknown> | undefined {
  const candidates = /^text\/event-stream\b/i.test(contentType) ? eventData(text) : [text];
  for (const candidate of candidates) {
    const message = parseObject(candidate);
    if (message && message['id'] === id && ('result' in message || 'error' in message)) return message;
  }
  return undefined;
}

function eventData(text: string): string[] {
  const found: string[] = [];
  const parser = createParser({ onEvent: ({ data }) => found.push(data) });
  // The last event counts even without its closing blank line.
  parser.feed(`${text}\n\n`);
  return found;
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

/** A tool counts as a read only if it declares so. */
function toDiscovered(entry: unknown): DiscoveredTool[] {
  const { name, description, inputSchema, annotations } = (entry ?? {}) as {
    name?: unknown;
    description?: unknown;
    inputSchema?: unknown;
    annotations?: { readOnlyHint?: unknown };
  };
  if (typeof name !== 'string' || !/^[\x20-\x7e]{1,200}$/.test(name)) return [];
  return [
    {
      name,
      description: typeof description === 'string' ? description.slice(0, 4_000) : '',
      access: annotations?.readOnlyHint === true ? 'read' : 'write',
      inputSchema:
        typeof inputSchema === 'object' && inputSchema !== null
          ? (inputSchema as Readonly<Record<string, unknown>>)
          : { type: 'object' },
    },
  ];
}
