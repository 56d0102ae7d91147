// Keep-alive connections to one upstream. Their number has no limit: every open event stream holds one for hours, and a
// limit would let idle streams starve the rest. Only idle connections are limited, and the most recently used is reused
// first, so that the others time out and close.
import { Client } from 'undici';
import type { UpstreamAddress } from './upstream-addresses.ts';

const CONNECT_TIMEOUT_MS = 5_000;
// Below the five seconds after which a Node server closes an idle connection.
const IDLE_TIMEOUT_MS = 4_000;
const MAX_IDLE = 128;

export interface UpstreamConnections {
  take(): Client;
  /** A connection that no request has used yet. */
  takeNew(): Client;
  /** Returns a connection after a complete response. */
  give(client: Client): void;
  /** Closes a connection whose request failed. */
  drop(client: Client): void;
  /** Whether it is the first request that finds nothing listening, before any was ever answered. */
  isFirstAbsence(): boolean;
  /** Whether a request was ever answered. */
  hasAnswered(): boolean;
  destroy(): Promise<void>;
}

export function openConnections(address: UpstreamAddress, headersTimeoutMs: number): UpstreamConnections {
  const all = new Set<Client>();
  const idle: Client[] = [];
  let [answered, absent] = [false, false];

  const takeNew = (): Client => {
    const client = new Client(address.origin, {
      ...(address.socketPath === undefined ? {} : { socketPath: address.socketPath }),
      allowH2: false,
      pipelining: 1,
      headersTimeout: headersTimeoutMs,
      // An event stream may be silent for hours.
      bodyTimeout: 0,
      keepAliveTimeout: IDLE_TIMEOUT_MS,
      connectTimeout: CONNECT_TIMEOUT_MS,
    });
    all.add(client);
    return client;
  };
  const drop = (client: Client): void => {
    all.delete(client);
    client.destroy().catch(() => {});
  };

  return {
    take: () => idle.pop() ?? takeNew(),
    takeNew,
    give: (client) => {
      answered = true;
      if (idle.length < MAX_IDLE) idle.push(client);
      else drop(client);
    },
    drop,
    hasAnswered: () => answered,
    isFirstAbsence: () => !absent && (absent = true),
    destroy: async () => {
      await Promise.all([...all].map((client) => client.destroy()));
    },
  };
}
