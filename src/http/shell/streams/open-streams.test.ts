import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { quiet } from '../../../../test/support/database.ts';
import type { Queryable } from '../../../store/database.ts';
import { type StreamSocket, createOpenStreams } from './open-streams.ts';
import { STREAM_KINDS, type StreamKindName } from './stream-kinds.ts';

/** What a database answers that knows who has left. */
function fakeDatabase(): { db: Queryable; ended: Set<string>; looks: string[][] } {
  const ended = new Set<string>();
  const looks: string[][] = [];
  const query = async (_sql: string, values: unknown[] = []): Promise<unknown> => {
    const users = values[0] as string[];
    looks.push(users);
    return { rows: users.flatMap((user, index) => (ended.has(user) ? [{ n: String(index + 1) }] : [])) };
  };
  return { db: { query } as unknown as Queryable, ended, looks };
}

class FakeConnection extends EventEmitter implements StreamSocket {
  readonly writableNeedDrain = false;
  destroyed = false;
  headersSent = true;
  destroy(): void {
    if (this.destroyed) return;
    this.destroyed = true;
    this.emit('close');
  }
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function open() {
  const stand = fakeDatabase();
  return { ...stand, streams: createOpenStreams({ db: stand.db, log: quiet, clock: () => new Date(Date.now()) }) };
}

describe('what allowed a stream', () => {
  it.each(Object.keys(STREAM_KINDS) as StreamKindName[])(
    'is looked at every second: a stream of %s whose client does nothing is closed within two',
    async (kind) => {
      const { streams, ended } = open();
      const connection = new FakeConnection();
      const seat = streams.open(kind, { userId: 'a' }, connection);
      await vi.advanceTimersByTimeAsync(5_500);
      expect(connection.destroyed).toBe(false);
      ended.add('a');
      await vi.advanceTimersByTimeAsync(1_999);
      expect(seat.signal.aborted).toBe(true);
      expect(connection.destroyed).toBe(true);
    },
  );

  it('is a token that expires on its own', async () => {
    const { streams } = open();
    const connection = new FakeConnection();
    streams.open('live', { userId: 'a', expiresAtMs: Date.now() + 3_000 }, connection);
    await vi.advanceTimersByTimeAsync(2_900);
    expect(connection.destroyed).toBe(false);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(connection.destroyed).toBe(true);
  });

  it('costs one statement per second however many are open, one row per authority, and none while nothing is open', async () => {
    const { streams, looks } = open();
    const connections = Array.from({ length: 40 }, (_, number) => {
      const connection = new FakeConnection();
      streams.open('live', { userId: number % 2 === 0 ? 'a' : 'b' }, connection);
      return connection;
    });
    await vi.advanceTimersByTimeAsync(3_500);
    expect(looks).toEqual([
      ['a', 'b'],
      ['a', 'b'],
      ['a', 'b'],
    ]);
    for (const connection of connections) connection.destroy();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(looks).toHaveLength(3);
  });

  it('is checked again before something is sent: concurrent checks share a statement, and none uses an older result', async () => {
    const { streams, looks, ended } = open();
    const seats = ['a', 'b', 'c'].map((userId) => streams.open('receipts', { userId }, new FakeConnection()));
    expect(await tick(Promise.all(seats.map(({ mayTell }) => mayTell())))).toEqual([true, true, true]);
    expect(looks).toEqual([['a', 'b', 'c']]);
    const first = seats[0]?.mayTell();
    await vi.advanceTimersByTimeAsync(0);
    ended.add('a');
    const second = seats[0]?.mayTell();
    await first;
    expect(await tick(second)).toBe(false);
    expect(seats[0]?.signal.aborted).toBe(true);
    expect(seats[1]?.signal.aborted).toBe(false);
  });

  it('is not assumed to have ended when the database does not respond', async () => {
    const connection = new FakeConnection();
    const streams = createOpenStreams({
      db: { query: () => Promise.reject(new Error('down')) },
      log: quiet,
    });
    const seat = streams.open('v1', { userId: 'a' }, connection);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(connection.destroyed).toBe(false);
    await expect(tick(seat.mayTell())).rejects.toThrow('down');
  });
});

describe('an answer that has not begun', () => {
  it('may still become a refusal; one that has is cut off at once', async () => {
    const { streams, ended } = open();
    const [begun, not] = [new FakeConnection(), new FakeConnection()];
    not.headersSent = false;
    streams.open('v1', { userId: 'a' }, begun);
    streams.open('v1', { userId: 'a' }, not);
    ended.add('a');
    await vi.advanceTimersByTimeAsync(1_010);
    expect([begun.destroyed, not.destroyed]).toEqual([true, false]);
    await vi.advanceTimersByTimeAsync(900);
    expect(not.destroyed).toBe(true);
  });
});

describe('a person', () => {
  it.each(Object.entries(STREAM_KINDS))(
    'has as many streams of %s as the table says, and gets a seat back with each that closes',
    (kind, { maxPerPerson }) => {
      const { streams } = open();
      const take = (userId: string): FakeConnection => {
        const connection = new FakeConnection();
        streams.open(kind as StreamKindName, { userId }, connection);
        return connection;
      };
      const own = Array.from({ length: maxPerPerson }, () => take('a'));
      expect(() => take('a')).toThrow(
        expect.objectContaining({
          code: 'too_many_streams',
          status: 429,
          details: expect.objectContaining({ limit: maxPerPerson }),
        }),
      );
      take('b');
      own[0]?.destroy();
      own[0]?.emit('close');
      take('a');
      expect(() => take('a')).toThrow(expect.objectContaining({ code: 'too_many_streams' }));
    },
  );

  it('whose connection is already closed takes no seat', () => {
    const { streams } = open();
    for (let n = 0; n < 200; n++) {
      const connection = new FakeConnection();
      connection.destroy();
      expect(streams.open('live', { userId: 'a' }, connection).signal.aborted).toBe(true);
    }
  });
});

it('ends feeds when the process stops, and lets answers be finished', async () => {
  const { streams } = open();
  const connections = new Map(
    (Object.keys(STREAM_KINDS) as StreamKindName[]).map((kind) => [kind, new FakeConnection()]),
  );
  for (const [kind, connection] of connections) streams.open(kind, { userId: 'a' }, connection);
  streams.close();
  await vi.advanceTimersByTimeAsync(500);
  for (const [kind, { destroyed }] of connections)
    expect([kind, destroyed]).toEqual([kind, STREAM_KINDS[kind].ends === 'in-order']);
});

/** Lets what waits for the next turn of the event loop go on. */
async function tick<T>(promise: Promise<T> | undefined): Promise<T | undefined> {
  promise?.catch(() => {});
  await vi.advanceTimersByTimeAsync(5);
  return promise;
}
