// The open streams of this process. Each has a seat, which counts against its person and ends with the authority that
// allowed it, whatever its route is doing. If the route does not close the connection shortly after, it is closed here.
import type { ServerResponse } from 'node:http';
import type { Context } from 'hono';
import { AppError } from '../../../base/errors.ts';
import { type Clock, systemClock } from '../../../base/clock.ts';
import type { Log } from '../../../telemetry/log.ts';
import type { Queryable } from '../../../store/database.ts';
import type { Authority } from '../../../tenancy/tokens/find-ended.ts';
import type { Caller } from '../../../tenancy/tokens/find-caller.ts';
import { createShares, type Shares } from '../admission/shares.ts';
import { MAX_STREAMS, STREAM_KINDS, type StreamKindName } from './stream-kinds.ts';
import { createAuthorityWatch } from './watch-authority.ts';
import { watchSilence } from './watch-silence.ts';

/** A node:http response, or the socket of an upgrade. */
export interface StreamSocket {
  readonly destroyed: boolean;
  readonly writableNeedDrain: boolean;
  /** Of a response: until then it may still become a refusal. */
  readonly headersSent?: boolean;
  once(event: 'close', listener: () => void): unknown;
  destroy(): unknown;
}

export interface StreamSeat {
  /**
   * Aborted once nothing more may be sent: the authority has ended, the client has disconnected or the process stops.
   */
  readonly signal: AbortSignal;
  /** Whether data that was already read may be sent; with a workspace, whether data of that workspace may be. */
  mayTell(workspaceId?: string): Promise<boolean>;
  /** Calls back, while the stream is allowed, whenever nothing was written to it for `KEEP_ALIVE_MS`. */
  whenSilent(onSilence: () => void): void;
}

export interface OpenStreams {
  /** Whether the authority for a stream holds now. */
  allows(authority: Authority): Promise<boolean>;
  /** Throws `too_many_streams`. The seat is given back when the connection closes. */
  open(kind: StreamKindName, authority: Authority, connection: StreamSocket): StreamSeat;
  /** Ends open-ended streams; answers are left to finish. */
  close(): void;
}

/** For a last message, or a refusal, to reach the client. */
const GRACE_MS = 400;
/** Below what proxies wait for between two packets. */
const KEEP_ALIVE_MS = 15_000;
const RETRY_AFTER_SECONDS = 30;

export function createOpenStreams({
  db,
  log,
  clock = systemClock,
  keepAliveMs = KEEP_ALIVE_MS,
}: {
  db: Queryable;
  log: Log;
  clock?: Clock;
  keepAliveMs?: number;
}): OpenStreams {
  const watch = createAuthorityWatch({ db, clock, log });
  const seats = new Map<StreamKindName, Shares>();
  const ends = new Set<() => void>();
  const silences = watchSilence(keepAliveMs);

  return {
    allows: watch.holds,
    open(kind, authority, connection) {
      const { maxPerPerson, ends: ending } = STREAM_KINDS[kind];
      const shares = seats.get(kind) ?? createShares({ each: maxPerPerson, total: MAX_STREAMS, strangers: 0 });
      seats.set(kind, shares);
      if (!shares.take(authority))
        throw new AppError('too_many_streams', { limit: maxPerPerson, retryAfterSeconds: RETRY_AFTER_SECONDS });
      const ended = new AbortController();
      const end = (): void => {
        ended.abort();
        if (ending === 'cut-off' && connection.headersSent === true) connection.destroy();
        else if (!connection.destroyed) setTimeout(() => connection.destroy(), GRACE_MS);
      };
      const unfollow = watch.follow(authority, end);
      if (ending === 'in-order') ends.add(end);
      let seated = true;
      let unwatchSilence = (): void => {};
      let whenSilent: (() => void) | undefined;
      const leave = (): void => {
        ended.abort();
        unfollow();
        unwatchSilence();
        ends.delete(end);
        if (!seated) return;
        seated = false;
        shares.give(authority);
      };
      // A connection that is already closed emits no further close event.
      if (connection.destroyed) leave();
      else connection.once('close', leave);
      return {
        signal: ended.signal,
        async mayTell(workspaceId) {
          if (ended.signal.aborted) return false;
          return (
            (await watch.holds(workspaceId === undefined ? authority : { ...authority, workspaceId })) &&
            !ended.signal.aborted
          );
        },
        whenSilent(onSilence) {
          // Another model of a route is asked in the same silence.
          const isWatched = whenSilent !== undefined;
          whenSilent = onSilence;
          if (!isWatched && !ended.signal.aborted)
            unwatchSilence = silences.watch(connection, () => ended.signal.aborted || whenSilent?.());
        },
      };
    },
    close() {
      for (const end of ends) end();
    },
  };
}

/** The node:http response of a request that the web framework answers. */
export function responseOf(c: Context): ServerResponse {
  const { outgoing } = c.env as { outgoing?: ServerResponse };
  if (!outgoing) throw new TypeError('a stream needs the response of node:http');
  return outgoing;
}

/** The authority of a connect token for a stream of a workspace; without one, of the organization. */
export function authorityOf(
  { userId, tokenId, expiresAtMs, organizationId }: Caller,
  workspaceId: string | undefined,
): Authority {
  return { userId, tokenId, expiresAtMs, organizationId, workspaceId };
}
