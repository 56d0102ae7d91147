// GET /poll/{group}/{pid}: the stream over which a process receives its work. It sends a keep-alive every 5 seconds, is
// never buffered, and is cut when its reader falls too far behind: its tasks are then given to others.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Log } from '../../telemetry/log.ts';
import type { Broker } from '../../broker/create-broker.ts';
import { KEEP_ALIVE_HEADER } from '../../broker/protocol/protocol.ts';
import { createEventWriter, EVENT_STREAM_HEADERS } from '../shell/event-stream.ts';
import type { StreamTerms } from '../../broker/protocol/messages.ts';

const KEEP_ALIVE_MS = 5_000;
/** How long the end of a stream may take to reach its reader; one that is gone never reads the rest. */
const LINGER_MS = 2_000;
const BEHIND_MAX_BYTES = 16 * 1024 * 1024;
const CREDIT_DEFAULT = 64;
const CREDIT_MAX = 10_000;
const LEASE_MS_MAX = 30 * 24 * 3_600_000;

export interface PollDeps {
  readonly broker: Pick<Broker, 'connect'>;
  readonly log: Log;
  readonly keepAliveMs?: number | undefined;
}

export async function servePoll(
  { broker, log, keepAliveMs = KEEP_ALIVE_MS }: PollDeps,
  url: URL,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const terms = readTerms(url, request);
  if (!terms)
    return void response
      .writeHead(400, { 'content-type': 'text/plain' })
      .end(
        'The path must be /poll/{group}/{pid}; credit is a whole number, leases is heartbeat or stream, ttl is a number of milliseconds.',
      );
  request.socket.setKeepAlive(true, KEEP_ALIVE_MS);
  request.socket.setNoDelay(true);
  request.socket.setTimeout(0);
  let disconnect: (() => void) | undefined;
  let gone = false;
  response.on('close', () => {
    gone = true;
    disconnect?.();
  });
  const events = createEventWriter(response, { keepAliveMs: keepAliveMs, maxUnreadBytes: BEHIND_MAX_BYTES });
  let unsent = '';
  const flush = (): void => {
    const text = unsent;
    unsent = '';
    events.begin({ ...EVENT_STREAM_HEADERS, [KEEP_ALIVE_HEADER]: String(keepAliveMs) });
    events.write(text);
  };
  // Messages of the same tick are sent together.
  const write = (text: string): void => {
    if (unsent === '') queueMicrotask(flush);
    unsent += text;
  };
  const end = (): void => {
    events.end();
    setTimeout(() => response.destroy(), LINGER_MS).unref();
  };
  try {
    disconnect = await broker.connect(terms, {
      send: (message) => write(`data: ${JSON.stringify(message)}\n\n`),
      end: () => queueMicrotask(end),
    });
  } catch (error) {
    log.warn({ err: error, group: terms.group }, 'could not open a poll stream');
    return void response.writeHead(503, { 'content-type': 'text/plain' }).end('The broker cannot answer now');
  }
  // The client may have disconnected while its stream was being recorded.
  if (gone) return disconnect();
  write(': connected\n\n');
}

/** Terms come as query parameters or as headers. */
function readTerms(url: URL, request: IncomingMessage): StreamTerms | undefined {
  const [, , group, pid, ...more] = url.pathname.split('/').map(decode);
  if (!group || !pid || more.length > 0 || group.length > 200 || pid.length > 200 || group.includes('/'))
    return undefined;
  const term = (name: string): string | undefined =>
    url.searchParams.get(name) ?? request.headers[`x-broker-${name}`]?.toString();
  const credit = term('credit') ?? String(CREDIT_DEFAULT);
  const leases = term('leases') ?? 'heartbeat';
  const ttl = term('ttl');
  if (!/^\d{1,5}$/.test(credit) || Number(credit) > CREDIT_MAX || !['heartbeat', 'stream'].includes(leases))
    return undefined;
  if (ttl !== undefined && (!/^[1-9]\d{0,9}$/.test(ttl) || Number(ttl) > LEASE_MS_MAX)) return undefined;
  return {
    group,
    pid,
    credit: Number(credit),
    keepsLeases: leases === 'stream',
    ...(ttl === undefined ? {} : { leaseMs: Number(ttl) }),
  };
}

function decode(part: string): string | undefined {
  try {
    const text = decodeURIComponent(part);
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}
