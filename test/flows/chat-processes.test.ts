// Two real web processes on one database: one is killed, or told to stop, in the middle of an answer.
import { afterAll, beforeAll, beforeEach, expect, inject, it } from 'vitest';
import { openTestDatabase } from '../support/database.ts';
import { freePort } from '../support/free-port.ts';
import { type ModelUpstream, startModelUpstream } from '../support/models/model-upstream.ts';
import { addOrganization, addPerson, addSession } from '../support/people.ts';
import { type RuntimeProcess, startRuntime } from '../support/runs/runtime-process.ts';
import type { Database } from '../../src/store/database.ts';

const TEXT = Array.from({ length: 5_000 }, (_, index) => `w${index} `);
/** An answer that never finishes is always interrupted before its end. */
const NEVER = new Promise<never>(() => {});

let db: Database;
let upstream: ModelUpstream;
let headers: Record<string, string>;
let organization: string;
let survivor: Web;

interface Web {
  readonly url: string;
  readonly process: RuntimeProcess;
}

async function startWeb(): Promise<Web> {
  const port = await freePort();
  const web = startRuntime(
    {
      SERVICE_UPSTREAM_DB: inject('postgresUrl'),
      SERVICE_DB_SCHEMA: db.schema,
      SERVICE_WEB_PORT: String(port),
      AUTH_SECRET: 'the-auth-secret-of-the-flow-test',
      SERVICE_DRAIN_SECONDS: '1',
      OPENAI_API_URL: upstream.url,
      OPENAI_API_KEY: 'sk-platform-openai',
    },
    'web',
  );
  await web.said('web server is listening');
  return { url: `http://127.0.0.1:${port}`, process: web };
}

beforeAll(async () => {
  db = await openTestDatabase({ poolMax: 2 });
  upstream = await startModelUpstream();
  survivor = await startWeb();
});
afterAll(async () => {
  await survivor.process.stop('SIGTERM');
  await upstream.stop();
  await db.close();
});
beforeEach(async () => {
  upstream.reset();
  upstream.respondByDefault({ text: TEXT, dripMs: 5, until: NEVER });
  const person = await addPerson(db);
  organization = (await addOrganization(db, person)).id;
  headers = { authorization: `Bearer ${await addSession(db, person)}`, 'content-type': 'application/json' };
});

/** Asks, and comes back once a good deal of the answer is there for others to read. */
async function beginAnswer(web: Web): Promise<string> {
  const response = await fetch(`${web.url}/api/chat`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ organization, model: 'openai/gpt-5-mini', message: { text: 'Count.' } }),
  });
  expect(response.status).toBe(200);
  void response.text().catch(() => {});
  const threadId = response.headers.get('x-service-thread') ?? '';
  const followed = await fetch(`${survivor.url}/api/chat/${threadId}/stream`, { headers });
  const reader = (followed.body ?? expect.unreachable()).getReader();
  for (let seen = ''; !seen.includes('w20 ');) seen += new TextDecoder().decode((await reader.read()).value);
  await reader.cancel();
  return threadId;
}

async function answerOf(
  threadId: string,
): Promise<{ streaming: boolean; text: string; metadata: Record<string, unknown> }> {
  const { thread, streaming } = (await (
    await fetch(`${survivor.url}/api/threads/${threadId}`, { headers })
  ).json()) as {
    thread: { messages: { parts: { text: string }[]; metadata: Record<string, unknown> }[] };
    streaming: boolean;
  };
  return { streaming, text: thread.messages[1]?.parts[0]?.text ?? '', metadata: thread.messages[1]?.metadata ?? {} };
}

async function books(): Promise<Record<'held' | 'reserved' | 'spent' | 'charged' | 'requests', number>> {
  const { rows } = await db.query<Record<'held' | 'reserved' | 'spent' | 'charged' | 'requests', number>>(
    `select (select count(*) from :schema.chat_hold where organization_id = $1)::int as held,
            coalesce((select sum(credit_reserved + seat_reserved) from :schema.org_budget where organization_id = $1), 0)::int as reserved,
            coalesce((select sum(credit_spent + seat_spent) from :schema.org_budget where organization_id = $1), 0)::int as spent,
            coalesce((select sum(cost_micros) from :schema.usage_day where organization_id = $1), 0)::int as charged,
            coalesce((select sum(requests) from :schema.usage_day where organization_id = $1), 0)::int as requests`,
    [organization],
  );
  return rows[0] ?? expect.unreachable();
}

/** Answers of which something is noted, and what all of them come to at least. */
async function noted(): Promise<{ holds: number; least: number }> {
  const { rows } = await db.query<{ holds: number; least: number }>(
    'select count(*) filter (where output_tokens > 0)::int as holds, coalesce(sum(least_micros), 0)::int as least from :schema.chat_hold where organization_id = $1',
    [organization],
  );
  return rows[0] ?? expect.unreachable();
}

it('an answer whose process was killed is closed by the first read of its thread, with what it had written, and can be tried again', async () => {
  const victim = await startWeb();
  const threadId = await beginAnswer(victim);
  await victim.process.stop('SIGKILL');
  expect((await answerOf(threadId)).streaming).toBe(true);
  // Thirty seconds later, as far as the database knows.
  await db.query("update :schema.chat_stream set alive_at = alive_at - interval '31 seconds' where thread_id = $1", [
    threadId,
  ]);
  const { streaming, text, metadata } = await answerOf(threadId);
  expect((await fetch(`${survivor.url}/api/chat/${threadId}/stream`, { headers })).status).toBe(204);
  expect(streaming).toBe(false);
  expect(TEXT.join('').startsWith(text)).toBe(true);
  expect(text).toContain('w20 ');
  expect(metadata).toMatchObject({ model: 'openai/gpt-5-mini', finish: 'error', error: { code: 'unavailable' } });
  upstream.respondByDefault({ text: 'Whole.' });
  const { thread } = (await (await fetch(`${survivor.url}/api/threads/${threadId}`, { headers })).json()) as {
    thread: { messages: { id: string }[] };
  };
  const again = await fetch(`${survivor.url}/api/chat`, {
    method: 'POST',
    headers,
    body: JSON.stringify({
      organization,
      thread: threadId,
      model: 'openai/gpt-5-mini',
      message: { text: 'Count.' },
      replace: thread.messages[0]?.id,
    }),
  });
  await again.text();
  expect((await answerOf(threadId)).text).toBe('Whole.');
});

it('everyone who watches an answer whose process was killed sees it end, without asking again', async () => {
  const victim = await startWeb();
  const threadId = await beginAnswer(victim);
  await victim.process.stop('SIGKILL');
  const watched = await fetch(`${survivor.url}/api/chat/${threadId}/stream`, { headers });
  await db.query("update :schema.chat_stream set alive_at = alive_at - interval '31 seconds' where thread_id = $1", [
    threadId,
  ]);
  const seen = await watched.text();
  expect(seen).toContain('w20 ');
  expect(seen).toMatch(/"code":"unavailable".*"type":"error".*\[DONE\]/s);
  expect(await answerOf(threadId)).toMatchObject({ streaming: false, metadata: { finish: 'error' } });
});

it('what a killed process had not settled is charged at its input and what was seen of its answer; the rest comes back', async () => {
  const victim = await startWeb();
  upstream.respondByDefault({ text: TEXT.slice(0, 20), dripMs: 5 });
  const ask = (web: Web): Promise<unknown> =>
    fetch(`${web.url}/api/chat`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ organization, model: 'openai/gpt-5-mini', message: { text: 'Count.' } }),
    }).then((response) => response.text());
  // An answer, and the title of its thread.
  await ask(victim);
  await expect.poll(books, { timeout: 20_000 }).toMatchObject({ held: 0, requests: 2 });
  upstream.respondByDefault({ text: TEXT, dripMs: 5, until: NEVER });
  const left = Array.from({ length: 6 }, () => ask(victim).catch(() => {}));
  await upstream.request(7);
  // From time to time a process notes how far its answers have come.
  await expect.poll(noted, { timeout: 60_000 }).toMatchObject({ holds: 6 });
  await victim.process.stop('SIGKILL');
  const { least } = await noted();
  await Promise.all(left);

  const killed = await books();
  expect(killed).toMatchObject({ held: 6, requests: 2 });
  expect(killed.reserved).toBeGreaterThan(0);
  // Within a minute of being lost, which takes 15 seconds, by the other process.
  await expect.poll(books, { timeout: 75_000 }).toMatchObject({ held: 0 });
  const settled = await books();
  expect(settled).toMatchObject({ held: 0, reserved: 0, requests: 8 });
  expect(settled.spent).toBe(killed.spent + least);
  expect(settled.spent).toBe(settled.charged);
  upstream.respondByDefault({ text: TEXT.slice(0, 20) });
  await ask(survivor);
  await expect.poll(books, { timeout: 20_000 }).toMatchObject({ held: 0, reserved: 0, requests: 10 });
});

it('an answer whose process is asked to stop is stored by it, and settled', async () => {
  const leaving = await startWeb();
  const threadId = await beginAnswer(leaving);
  expect(await leaving.process.stop()).toMatchObject({ code: 0 });
  const { streaming, text, metadata } = await answerOf(threadId);
  expect(streaming).toBe(false);
  expect(TEXT.join('').startsWith(text)).toBe(true);
  expect(metadata).toMatchObject({ finish: 'error', error: { code: 'unavailable' } });
  const { rows } = await db.query<{ held: number; used: number }>(
    'select (select count(*) from :schema.chat_hold where organization_id = $1)::int as held, (select count(*) from :schema.usage_day where organization_id = $1)::int as used',
    [organization],
  );
  expect(rows[0]).toEqual({ held: 0, used: 1 });
});

it('an answer of one process is stopped through another', async () => {
  const writer = await startWeb();
  const threadId = await beginAnswer(writer);
  const stopped = await fetch(`${survivor.url}/api/chat/${threadId}/stop`, { method: 'POST', headers, body: '{}' });
  expect([stopped.status, await stopped.json()]).toEqual([200, { ok: true, stopped: true }]);
  expect(await (await upstream.request(0)).aborted).toBe(true);
  expect(await answerOf(threadId)).toMatchObject({
    streaming: false,
    metadata: { finish: 'stopped' },
    text: expect.stringContaining('w20 '),
  });
  await writer.process.stop('SIGTERM');
});
