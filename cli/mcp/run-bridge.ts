// Bridges MCP over standard input and output to the service's HTTP endpoint. Each message is a separate request; the
// only state is the protocol version that `initialize` negotiated.
import { readEvents } from '../api/read-events.ts';
import { readLines } from '../api/read-lines.ts';
import { request } from '../api/send.ts';
import { toFailure } from '../api/to-failure.ts';
import { Failure } from '../failure.ts';
import { asSentence } from '../join-texts.ts';

export interface BridgeOptions {
  readonly url: string;
  readonly path: string;
  readonly token: string;
  readonly input: AsyncIterable<string>;
  readonly write: (line: string) => void;
  readonly say: (text: string) => void;
}

interface Message {
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: {
    readonly name?: unknown;
    readonly requestId?: string | number;
    readonly _meta?: Readonly<Record<string, unknown>>;
  };
}

const TIMEOUT_MS = 120_000;
const VERSION_IN_META = 'io.modelcontextprotocol/protocolVersion';
const SERVER_ERROR = -32_000;
const PARSE_ERROR = -32_700;

export async function runBridge({ url, path, token, input, write, say }: BridgeOptions): Promise<void> {
  const underWay = new Map<string | number, AbortController>();
  const pending = new Set<Promise<void>>();
  let agreed: string | undefined;

  async function carry(line: string, message: Message): Promise<void> {
    const { id, method, params } = message;
    const abort = new AbortController();
    if (id !== undefined && method !== undefined) underWay.set(id, abort);
    try {
      const version = params?._meta?.[VERSION_IN_META] ?? agreed;
      const response = await request(url, path, {
        method: 'POST',
        bearer: token,
        accept: 'application/json, text/event-stream',
        body: JSON.parse(line),
        timeoutMs: TIMEOUT_MS,
        stream: true,
        signal: abort.signal,
        headers: {
          ...(typeof version === 'string' ? { 'mcp-protocol-version': version } : {}),
          ...(method === undefined ? {} : { 'mcp-method': method }),
          ...(typeof params?.name === 'string' ? { 'mcp-name': params.name } : {}),
        },
      });
      for await (const answer of answersOf(response, path)) {
        if (method === 'initialize') agreed = versionOf(answer) ?? agreed;
        write(answer);
      }
    } catch (error) {
      if (abort.signal.aborted) return;
      const text =
        error instanceof Failure
          ? [error.message, error.next ?? '']
              .filter((part) => part !== '')
              .map(asSentence)
              .join(' ')
          : 'the request failed';
      say(`servicectl mcp: ${text}`);
      if (id !== undefined && method !== undefined)
        write(JSON.stringify({ jsonrpc: '2.0', id, error: { code: SERVER_ERROR, message: text } }));
    } finally {
      if (id !== undefined) underWay.delete(id);
    }
  }

  for await (const line of readLines(input)) {
    if (line.trim() === '') continue;
    const message = parse(line);
    if (!message) {
      write(
        JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: PARSE_ERROR, message: 'not a JSON-RPC message' } }),
      );
      continue;
    }
    if (message.method === 'notifications/cancelled' && message.params?.requestId !== undefined)
      underWay.get(message.params.requestId)?.abort();
    const work = carry(line, message).finally(() => pending.delete(work));
    pending.add(work);
    // Later messages carry the version that this one negotiates.
    if (message.method === 'initialize') await work;
  }
  await Promise.all(pending);
}

/** Yields the messages of a response, one line each. An HTTP error that is not JSON-RPC throws. */
async function* answersOf(response: Response, path: string): AsyncGenerator<string> {
  if (response.status === 202 || response.status === 204) return;
  const type = response.headers.get('content-type') ?? '';
  if (type.includes('event-stream')) {
    for await (const { data } of readEvents(response)) yield oneLine(data);
    return;
  }
  const text = await response.text();
  const body = parse(text);
  if (!response.ok && (body === undefined || !('jsonrpc' in body))) throw toFailure(response.status, body, { path });
  if (text.trim() !== '') yield oneLine(text);
}

function parse(text: string): Message | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Messages are separated by newlines, so a message must not contain one. */
function oneLine(text: string): string {
  return /[\r\n]/.test(text) ? JSON.stringify(JSON.parse(text)) : text;
}

function versionOf(answer: string): string | undefined {
  const { result } = JSON.parse(answer) as { result?: { protocolVersion?: unknown } };
  return typeof result?.protocolVersion === 'string' ? result.protocolVersion : undefined;
}
