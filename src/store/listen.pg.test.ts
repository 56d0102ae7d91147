import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestDatabase, quiet, withSuperuser } from '../../test/support/database.ts';
import type { Database } from './database.ts';
import { type Heard, type Listener, notify, openListener } from './listen.ts';

let db: Database;
let listener: Listener;
beforeAll(async () => {
  db = await openTestDatabase();
  listener = openListener(db, quiet);
});
afterAll(async () => {
  await listener.close();
  await db.close();
});

const next = (topic: string): Promise<Heard> =>
  new Promise((resolve) => {
    const stop = listener.subscribe(topic, (heard) => {
      stop();
      resolve(heard);
    });
  });

describe('the listener', () => {
  it('gets the notifications of its topic, those of a transaction only once it commits', async () => {
    await next('ready');
    const heard = next('thing');
    await expect(
      db.transaction(async (tx) => {
        await notify(tx, db, 'thing', 'rolled back');
        throw new Error('no');
      }),
    ).rejects.toThrow('no');
    await notify(db, db, 'other', 'x');
    await notify(db, db, 'thing', 'a value with spaces');
    expect(await heard).toEqual({ missed: false, value: 'a value with spaces' });
  });

  it('tells its subscribers that they may have missed something after its connection was cut, and recovers', async () => {
    const missed = next('thing');
    await withSuperuser((client) =>
      client.query('select pg_terminate_backend(pid) from pg_stat_activity where query = $1', [
        `listen "${db.schema}"`,
      ]),
    );
    expect(await missed).toEqual({ missed: true });
    const heard = next('thing');
    await notify(db, db, 'thing', 'again');
    expect(await heard).toEqual({ missed: false, value: 'again' });
  });

  it('closes while it connects, also to a server that accepts and says nothing', async () => {
    const silent = createServer((socket) => socket.on('error', () => {})).listen(0, '127.0.0.1');
    const accepted = once(silent, 'connection');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const connecting = openListener({ ...db, newClient: () => new pg.Client({ host: '127.0.0.1', port }) }, quiet);
    const [socket] = (await accepted) as [Socket];
    await expect(connecting.close()).resolves.toBeUndefined();
    socket.destroy();
    silent.close();
  });
});
