import { globSync, readFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import pg from 'pg';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { errorBody } from '../base/errors.ts';
import { findStorageFault, mayHaveTakenEffect, reasonOf, SQLSTATES, SYSTEM_CODES } from './database-fault.ts';
import { createFaultLogger } from '../store/log-fault.ts';

function refused(code: string): pg.DatabaseError {
  const error = new pg.DatabaseError('as the server says it', 0, 'error');
  error.code = code;
  return error;
}
const system = (code: string, syscall = 'read'): Error => Object.assign(new Error(code), { code, syscall, errno: -1 });

it('a statement may have taken effect unless it was refused or never sent', () => {
  const said = (severity: string): pg.DatabaseError => Object.assign(refused('57P01'), { severity });
  expect(mayHaveTakenEffect(said('ERROR'))).toBe(false);
  expect(mayHaveTakenEffect(said('FATAL'))).toBe(true);
  expect(mayHaveTakenEffect(system('ECONNRESET'))).toBe(true);
  expect(mayHaveTakenEffect(new Error('Query read timeout'))).toBe(true);
  expect(mayHaveTakenEffect(system('ECONNREFUSED', 'connect'))).toBe(false);
  expect(mayHaveTakenEffect(new AggregateError([system('ECONNREFUSED', 'connect')]))).toBe(false);
});

describe('which errors mean that storage is unavailable', () => {
  it.each(Object.entries(SQLSTATES))('SQLSTATE %s means %s', (code, fault) => {
    expect(findStorageFault(refused(code.padEnd(5, '0')))).toBe(fault);
  });

  it.each(Object.entries(SYSTEM_CODES))('the system error %s means %s', (code, fault) => {
    expect(findStorageFault(system(code))).toBe(fault);
    expect(reasonOf(system(code))).toBe(code);
  });

  it('a code counts by its origin, whatever it looks like', () => {
    expect(findStorageFault(refused('EPIPE'))).toBeUndefined();
    expect(findStorageFault(system('57P01'))).toBeUndefined();
  });

  it.each(['22P02', '23505', '28P01', '3D000', '40001', '42P01', '53400', '57P04', 'XX000'])(
    'SQLSTATE %s is an answer',
    (code) => {
      expect(findStorageFault(refused(code))).toBeUndefined();
    },
  );

  it.each([new TypeError('x is not a function'), system('EACCES'), system('ENOENT', 'open'), 'ECONNRESET', undefined])(
    '%s is none of storage',
    (error) => {
      expect(findStorageFault(error)).toBeUndefined();
    },
  );

  it('a host with two addresses, a missing socket and driver errors without a code mean away', () => {
    expect(findStorageFault(new AggregateError([system('ECONNREFUSED'), system('ECONNREFUSED')]))).toBe('away');
    expect(findStorageFault(system('ENOENT', 'connect'))).toBe('away');
    for (const message of [
      'Connection terminated unexpectedly',
      'timeout expired',
      'timeout exceeded when trying to connect',
      'Query read timeout',
      'Client has encountered a connection error and is not queryable',
    ]) {
      expect(findStorageFault(new Error(message))).toBe('away');
    }
  });

  it('a write to a socket whose other end is gone means away', async () => {
    const server = createServer((socket) => socket.resetAndDestroy());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    const error = await new Promise((resolve) => {
      const socket = connect(port, '127.0.0.1').on('error', resolve);
      const timer = setInterval(() => socket.write('x'), 1);
      socket.once('close', () => clearInterval(timer));
    });
    server.close();
    expect(findStorageFault(error)).toBe('away');
  });
});

it('is logged once, however many statements fail, and again once it is over; callers are told to try again', async () => {
  const lines: string[] = [];
  const over = Promise.withResolvers<void>();
  const log = pino(
    {},
    {
      write: (line: string) => {
        lines.push(line);
        if (line.includes('restored')) over.resolve();
      },
    },
  );
  const tell = createFaultLogger(log, 30);
  const [full, conflict] = [refused('53100'), refused('23505')];
  for (let at = 0; at < 5; at++) tell(full);
  tell(conflict);
  expect([errorBody(full).status, errorBody(full).body.error]).toEqual([503, 'unavailable']);
  expect(errorBody(conflict).status).toBe(500);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(/"fault":"full","reason":"53100".*no space left on its disk/);
  await over.promise;
  tell(refused('53100'));
  expect(lines).toHaveLength(3);
});

/** Files that name a code of the tables for another reason than to decide about storage. */
const NAMED_ELSEWHERE: Readonly<Record<string, string>> = {
  'src/entry/admin/doctor/storage-checks.ts': 'words for an operator, by the reason that is given here',
  'src/entry/admin/doctor/provider-checks.ts': 'the key-value store',
  'src/entry/admin/support/scrub-log.ts': 'a code is a known word that may be shown',
  'src/gateway/proxy-request.ts': 'a part behind the gateway',
  'src/model-providers/call-upstream.ts': 'a model provider',
  'src/sandbox/workspace-files.ts': 'the disk of a sandbox',
  'src/entry/admin/doctor/call-part.ts': 'a part of the stack',
  'src/stack/disk-space.ts': 'the disk of the machine',
  'src/store/primary-client.ts': 'a host that is a standby counts as one that is away',
  'src/store/lock-tables.ts': 'a migration that lets others pass',
  'src/subscriptions/send-message.ts': 'the address of a person',
  'src/tools/provider-faults.ts': 'an app that a tool calls',
};

it('no other file decides which error means that the database went away', () => {
  const root = join(import.meta.dirname, '..', '..');
  const codes = [...Object.keys(SQLSTATES).filter((code) => code.length === 5), ...Object.keys(SYSTEM_CODES)].join('|');
  const named = new RegExp(String.raw`\b(?:${codes}|08\d{3})\b|Connection terminated|\[0-9A-Z\]\{5\}`);
  const files = globSync('src/**/*.ts', { cwd: root }).filter(
    (file) => !file.endsWith('.test.ts') && file !== 'src/timing/database-fault.ts',
  );
  const naming = files.filter((file) => named.test(readFileSync(join(root, file), 'utf8')));
  expect(naming.filter((file) => !(file in NAMED_ELSEWHERE))).toEqual([]);
  expect(Object.keys(NAMED_ELSEWHERE).filter((file) => !naming.includes(file))).toEqual([]);
});
