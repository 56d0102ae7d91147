import { connect, createServer, type Server } from 'node:net';
import { pino } from 'pino';
import { expect, inject, it } from 'vitest';
import { newSchemaName, quiet, withSuperuser } from '../../test/support/database.ts';
import { freePort } from '../../test/support/free-port.ts';
import { ConfigError, readConfig } from '../base/config.ts';
import { reasonOf } from '../timing/database-fault.ts';
import { waitForStorage } from './wait-for-storage.ts';

const never = new AbortController().signal;

function through(port: number): string {
  const url = new URL(inject('postgresUrl'));
  url.port = String(port);
  return url.href;
}

it('waits for a database that comes up later, and logs it', async () => {
  const port = await freePort();
  const target = new URL(inject('postgresUrl'));
  const lines: string[] = [];
  const { promise: server, resolve } = Promise.withResolvers<Server>();
  const log = pino(
    { level: 'warn' },
    {
      write: (line: string) => {
        lines.push(line);
        // The first complaint is the event on which the database appears.
        if (lines.length === 1) {
          const relay = createServer((socket) => {
            const upstream = connect(Number(target.port), target.hostname);
            socket.pipe(upstream).pipe(socket);
            for (const end of [socket, upstream]) end.on('error', () => void (socket.destroy(), upstream.destroy()));
          });
          relay.listen(port, '127.0.0.1', () => resolve(relay));
        }
      },
    },
  );
  const db = await waitForStorage(
    readConfig({ SERVICE_UPSTREAM_DB: through(port), SERVICE_DB_SCHEMA: newSchemaName() }),
    'test',
    log,
    { stopping: never },
  );
  expect((await db.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  expect(lines[0]).toContain('ECONNREFUSED');
  expect(lines.join('')).not.toContain('test@');
  await db.close();
  (await server).close();
});

it('gives up after the time limit', async () => {
  const config = readConfig({ SERVICE_UPSTREAM_DB: through(await freePort()) });
  await expect(waitForStorage(config, 'test', quiet, { stopping: never, patienceMs: 300 })).rejects.toSatisfy(
    (error) => reasonOf(error) === 'ECONNREFUSED',
  );
});

it('does not wait for what neither waiting nor a restart can fix', async () => {
  const refused = async (change: (url: URL) => void, said: RegExp): Promise<void> => {
    const url = new URL(inject('postgresUrl'));
    change(url);
    const failing = waitForStorage(readConfig({ SERVICE_UPSTREAM_DB: url.href }), 'test', quiet, { stopping: never });
    await expect(failing).rejects.toThrow(ConfigError);
    await expect(failing).rejects.toThrow(said);
    await expect(failing).rejects.not.toThrow(/127\.0\.0\.1|wrong-password/);
  };
  await refused(
    (url) => (url.password = 'wrong-password'),
    /^PostgreSQL refuses the password in SERVICE_UPSTREAM_DB\. /,
  );
  await refused((url) => (url.password = ''), /^PostgreSQL asks for a password, and SERVICE_UPSTREAM_DB has none\. /);
  await refused((url) => (url.pathname = 'nowhere'), /^the database in SERVICE_UPSTREAM_DB does not exist\. /);
  await refused((url) => (url.search = '?sslmode=verify-full'), /^SERVICE_UPSTREAM_DB asks for TLS/);
  const name = newSchemaName();
  await withSuperuser(async (client) => {
    await client.query(`create role ${name} login password 'its-password'`);
    await client.query(`create database ${name}`);
    await client.query(`revoke connect on database ${name} from public`);
  });
  await refused((url) => {
    [url.username, url.password, url.pathname] = [name, 'its-password', name];
  }, /^the role in SERVICE_UPSTREAM_DB may not connect to the database\. /);
});

it('says at once that storage requires SERVICE_UPSTREAM_DB', async () => {
  const failing = waitForStorage(readConfig({}), 'test', quiet, { stopping: never });
  await expect(failing).rejects.toThrow(ConfigError);
  await expect(failing).rejects.toThrow('storage requires SERVICE_UPSTREAM_DB');
});

it('stops waiting on the stop signal', async () => {
  const stopping = new AbortController();
  const log = pino({ level: 'warn' }, { write: () => stopping.abort(new Error('told to stop')) });
  const config = readConfig({ SERVICE_UPSTREAM_DB: through(await freePort()) });
  await expect(waitForStorage(config, 'test', log, { stopping: stopping.signal })).rejects.toSatisfy(
    (error) => error instanceof Error && (error.name === 'AbortError' || error.message === 'told to stop'),
  );
});
