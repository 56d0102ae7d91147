// A real standby is in test/faults/standby.test.ts.
import { connect, createServer, type Server, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, inject, it } from 'vitest';
import { quiet } from '../../test/support/database.ts';
import { type Database, openDatabase } from './database.ts';

/** The server of the test run at a port of its own, which can be taken away. */
interface Host {
  readonly port: number;
  leave(): void;
  come(): Promise<void>;
}

const hosts: Host[] = [];
let db: Database | undefined;

beforeAll(async () => {
  hosts.push(await openHost(), await openHost());
});
afterEach(async () => {
  await db?.close();
  db = undefined;
  for (const host of hosts) await host.come();
});
afterAll(() => {
  for (const host of hosts) host.leave();
});

async function openHost(): Promise<Host> {
  const { hostname, port: at } = new URL(inject('postgresUrl'));
  const open = new Set<Socket>();
  let server: Server | undefined;
  let port = 0;
  const keep = (socket: Socket): Socket => {
    open.add(socket);
    return socket.on('error', () => {}).once('close', () => open.delete(socket));
  };
  const come = async (): Promise<void> => {
    if (server) return;
    const next = createServer((client) => {
      const behind = keep(connect(Number(at), hostname));
      keep(client).pipe(behind).pipe(client);
      client.once('close', () => behind.destroy());
      behind.once('close', () => client.destroy());
    });
    server = next;
    await new Promise<void>((resolve) => next.listen(port, '127.0.0.1', resolve));
    port = (next.address() as AddressInfo).port;
  };
  await come();
  return {
    port,
    come,
    leave() {
      server?.close();
      server = undefined;
      for (const socket of open) socket.destroy();
    },
  };
}

async function open(): Promise<Database> {
  const { username, password, pathname } = new URL(inject('postgresUrl'));
  const places = hosts.map(({ port }) => `127.0.0.1:${port}`).join(',');
  return (db = await openDatabase({
    url: `postgresql://${username}:${password}@${places}${pathname}`,
    schema: 'service',
    poolMax: 2,
    applicationName: 'test',
    log: quiet,
  }));
}

const answers = (on: Database): Promise<boolean> =>
  on.query('select 1').then(
    () => true,
    () => false,
  );

it('opens a database of which the first host is away', async () => {
  hosts[0]?.leave();
  expect(await answers(await open())).toBe(true);
});

it('does not open one of which all hosts are away', async () => {
  for (const host of hosts) host.leave();
  await expect(open()).rejects.toThrow(/ECONNREFUSED/);
});

it('goes to the other host once that of its connections is away, and back', async () => {
  const opened = await open();
  for (const away of hosts) {
    away.leave();
    // A connection that was open breaks under its statement.
    await expect.poll(() => answers(opened)).toBe(true);
    expect(await Promise.all([answers(opened), answers(opened)])).toEqual([true, true]);
    await away.come();
    expect(await answers(opened)).toBe(true);
  }
});

it('takes connections outside the pool to the same host', async () => {
  hosts[0]?.leave();
  const client = (await open()).newClient();
  await client.connect();
  expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  await client.end();
});
