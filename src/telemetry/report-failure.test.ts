import { Writable } from 'node:stream';
import { setImmediate as immediate } from 'node:timers/promises';
import { pino } from 'pino';
import { beforeEach, expect, it } from 'vitest';
import { AppError } from '../base/errors.ts';
import { reportFailure } from './report-failure.ts';
import { noteRequest, type RequestScope, serveInScope } from './request-scope.ts';

const lines: Record<string, unknown>[] = [];
const log = pino(
  {},
  new Writable({
    write: (line: Buffer, _encoding, done) => (
      lines.push(JSON.parse(line.toString()) as Record<string, unknown>),
      done()
    ),
  }),
);
beforeEach(() => void lines.splice(0));

async function fail(error: unknown): Promise<RequestScope> {
  const scope: RequestScope = { requestId: 'req_1', method: 'GET' };
  await serveInScope(scope, async () => {
    noteRequest({ route: '/things/:thing', organization: 'org_1' });
    await immediate();
    reportFailure(log, error);
    reportFailure(log, error);
  });
  return scope;
}

it('logs one line about a fault, with what is known about its request', async () => {
  expect(await fail(new Error('broken'))).toMatchObject({ code: 'internal' });
  expect(lines).toMatchObject([
    {
      requestId: 'req_1',
      method: 'GET',
      route: '/things/:thing',
      organization: 'org_1',
      err: { message: 'broken' },
      msg: 'request failed',
    },
  ]);
});

it('logs nothing about a refusal, but records its code', async () => {
  expect(await fail(new AppError('quota_exceeded'))).toMatchObject({ code: 'quota_exceeded' });
  expect(lines).toEqual([]);
});

it('logs a server-side AppError that another error caused', async () => {
  expect(await fail(new AppError('runtime_unreachable', {}, { cause: new Error('ended') }))).toMatchObject({
    code: 'runtime_unreachable',
  });
  await fail(new AppError('invalid_request', {}, { cause: new Error('not JSON') }));
  expect(lines).toMatchObject([{ err: { message: 'runtime_unreachable: ended' } }]);
});

it('logs every request that failed with the same error', async () => {
  const shared = new Error('one look-up for several requests');
  await Promise.all([fail(shared), fail(shared)]);
  expect(lines).toHaveLength(2);
});
