// Kept-alive connections to one upstream. Their number has no cap: every open event stream holds one for hours, and
// a cap would let idle streams starve the rest. Only the idle ones are limited, and the last used goes first, so
// that the others reach their idle time and close.
import { Client } from 'undici';
import type { UpstreamAddress } from './upstream-addresses.ts';

const CONNECT_TIMEOUT_MS = 5_000;
// Under the five seconds after which a Node server closes an idle connection of its own accord.
const IDLE_TIMEOUT_MS = 4_000;
const MAX_IDLE = 128;

export interface UpstreamConnections {
  take(): Client;
  /** A connection that no request has used yet. */
  takeNew(): Client;
  /** Gives a connection back after a complete answer. */
  give(client: Client): void;
  /** Closes a connection whose request failed. */
  drop(client: Client): void;
  destroy(): Promise<void>;
}

export function openConnections(address: UpstreamAddress, headersTimeoutMs: number): UpstreamConnections {
  const all = new Set<Client>();
  const idle: Client[] = [];

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
      if (idle.length < MAX_IDLE) idle.push(client);
      else drop(client);
    },
    drop,
    destroy: async () => {
      await Promise.all([...all].map((client) => client.destroy()));
    },
  };
}
