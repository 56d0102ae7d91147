// The open streams of this process. Each has a seat, which counts against its person and ends with the authority that
// allowed it, whatever its route is doing. If the route does not close the connection shortly after, it is closed here.
import type { ServerResponse } from 'node:http';
import type { Context } from 'hono';
import { AppError } from '../../../base/errors.ts';
import { type Clock, systemClock } from '../../../base/clock.ts';
import type { Log } from '../../../base/log.ts';
import type { Queryable } from '../../../store/database.ts';
import type { Authority } from '../../../tenancy/find-ended.ts';
import type { Caller } from '../../../tenancy/find-caller.ts';
import { MAX_STREAMS, STREAM_KINDS, type StreamKindName } from './stream-kinds.ts';
import { createAuthorityWatch } from './watch-authority.ts';

/** A node:http response, or the socket of an upgrade. */
export interface StreamSocket {
  readonly destroyed: boolean;
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
const RETRY_AFTER_SECONDS = 30;

export function createOpenStreams({
  db,
  log,
  clock = systemClock,
}: {
  db: Queryable;
  log: Log;
  clock?: Clock;
}): OpenStreams {
  const watch = createAuthorityWatch({ db, clock, log });
  const counts = new Map<StreamKindName, SeatCount>();
  const ends = new Set<() => void>();

  return {
    allows: watch.holds,
    open(kind, authority, connection) {
      const { maxPerPerson, ends: ending } = STREAM_KINDS[kind];
      const count = counts.get(kind) ?? createSeatCount(maxPerPerson);
      counts.set(kind, count);
      const giveBack = count.take(authority.userId);
      const ended = new AbortController();
      const end = (): void => {
        ended.abort();
        if (ending === 'cut-off' && connection.headersSent === true) connection.destroy();
        else if (!connection.destroyed) setTimeout(() => connection.destroy(), GRACE_MS);
      };
      const unfollow = watch.follow(authority, end);
      if (ending === 'in-order') ends.add(end);
      const leave = (): void => {
        ended.abort();
        unfollow();
        ends.delete(end);
        giveBack();
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
      };
    },
    close() {
      for (const end of ends) end();
    },
  };
}

interface SeatCount {
  /** Throws `too_many_streams`; returns a function that gives the seat back. */
  take(userId: string): () => void;
}

function createSeatCount(maxPerPerson: number): SeatCount {
  const people = new Map<string, number>();
  let all = 0;
  return {
    take(userId) {
      const own = people.get(userId) ?? 0;
      if (own >= maxPerPerson)
        throw new AppError('too_many_streams', { limit: maxPerPerson, retryAfterSeconds: RETRY_AFTER_SECONDS });
      if (all >= MAX_STREAMS) throw new AppError('unavailable');
      people.set(userId, own + 1);
      all++;
      let taken = true;
      return () => {
        if (!taken) return;
        taken = false;
        all--;
        const left = (people.get(userId) ?? 1) - 1;
        if (left === 0) people.delete(userId);
        else people.set(userId, left);
      };
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
