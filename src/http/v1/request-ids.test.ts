import { Writable } from 'node:stream';
import { pino } from 'pino';
import { Hono } from 'hono';
import { expect, it } from 'vitest';
import { createAdmission } from '../shell/admission/admission.ts';
import { serve } from '../shell/serve.ts';
import { appListener } from '../shell/app-listener.ts';
import { v1Route, type V1Deps } from './v1-route.ts';

it('logs the request id of an error on /v1 and of an unexpected one', async () => {
  const lines: { requestId?: string; msg: string }[] = [];
  const log = pino(
    { level: 'debug' },
    new Writable({
      write: (line: Buffer, _encoding, done) => (
        lines.push(JSON.parse(line.toString()) as (typeof lines)[number]),
        done()
      ),
    }),
  );
  const verify = (token: string): Promise<undefined> =>
    token === 'broken' ? Promise.reject(new Error('a fault')) : Promise.resolve(undefined);
  const v1 = v1Route({
    log,
    admission: createAdmission(),
    verifier: { verify },
  } as unknown as V1Deps);
  const serving = await serve(appListener(new Hono(), [v1], { log }), { port: 0 });
  const ask = async (token: string, headers: Record<string, string> = {}): Promise<string | null> => {
    const response = await fetch(`http://127.0.0.1:${serving.port}/v1/models`, {
      headers: { authorization: `Bearer ${token}`, connection: 'close', ...headers },
    });
    await response.text();
    return response.headers.get('request-id');
  };
  const ids = [await ask('unknown'), await ask('broken'), await ask('broken', { 'x-request-id': 'given/by:a+client' })];
  await serving.close();
  expect(ids[2]).toBe('given/by:a+client');
  expect(lines.filter(({ msg }) => msg.startsWith('request')).map(({ requestId, msg }) => [requestId, msg])).toEqual([
    [ids[0], 'request'],
    [ids[1], 'request failed'],
    [ids[1], 'request answered with a server error'],
    [ids[2], 'request failed'],
    [ids[2], 'request answered with a server error'],
  ]);
});
