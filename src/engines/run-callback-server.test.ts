import { afterEach, beforeEach, expect, it } from 'vitest';
import { createRunCallbackServer, type RunCallbackServer } from './run-callback-server.ts';

let callbacks: RunCallbackServer;
beforeEach(() => {
  callbacks = createRunCallbackServer();
});
afterEach(() => callbacks.close());

const says = (text: string) => async (_request: unknown, response: { end(text: string): unknown }) =>
  void response.end(text);

it('answers each run by the token of its own, and nobody without one', async () => {
  const [one, other] = [await callbacks.open(says('one'), 60_000), await callbacks.open(says('other'), 60_000)];
  expect(one.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect(one.headers.authorization).not.toBe(other.headers.authorization);
  const ask = async (headers: Record<string, string>): Promise<string> => (await fetch(one.url, { headers })).text();
  expect(await ask({ ...one.headers })).toBe('one');
  expect(await ask({ ...other.headers })).toBe('other');
  for (const headers of [{}, { authorization: 'Bearer ' }, { authorization: one.headers.authorization.toLowerCase() }])
    expect((await fetch(one.url, { headers: headers as Record<string, string> })).status).toBe(401);
});

it('closes for a run that is over, and after its time', async () => {
  const [over, late, stays] = [
    await callbacks.open(says('over'), 60_000),
    await callbacks.open(says('late'), 1),
    await callbacks.open(says('stays'), 60_000),
  ];
  over.close();
  await expect.poll(async () => (await fetch(late.url, { headers: { ...late.headers } })).status).toBe(401);
  expect((await fetch(over.url, { headers: { ...over.headers } })).status).toBe(401);
  expect((await fetch(stays.url, { headers: { ...stays.headers } })).status).toBe(200);
});

it('tells nothing of what went wrong inside', async () => {
  const open = await callbacks.open(async () => Promise.reject(new Error('secret words')), 60_000);
  const answer = await fetch(open.url, { headers: { ...open.headers } });
  expect([answer.status, await answer.text()]).toEqual([500, expect.not.stringContaining('secret words')]);
});
