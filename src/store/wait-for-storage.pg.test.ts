import { connect, createServer, type Server } from 'node:net';
import { pino } from 'pino';
import { expect, inject, it } from 'vitest';
import { newSchemaName, quiet } from '../../test/support/database.ts';
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

it('does not wait for what waiting cannot fix', async () => {
  const wrongPassword = new URL(inject('postgresUrl'));
  wrongPassword.password = 'wrong';
  await expect(
    waitForStorage(readConfig({ SERVICE_UPSTREAM_DB: wrongPassword.href }), 'test', quiet, { stopping: never }),
  ).rejects.toMatchObject({ code: '28P01' });
  const noDatabase = new URL(inject('postgresUrl'));
  noDatabase.pathname = '/nowhere';
  await expect(
    waitForStorage(readConfig({ SERVICE_UPSTREAM_DB: noDatabase.href }), 'test', quiet, { stopping: never }),
  ).rejects.toMatchObject({ code: '3D000' });
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
