// Web server and gateway are told to stop while models answer: what ends in time is whole, and what does not ends with an
// error that the client of its surface understands, charged and logged as what it was.
import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { afterAll, beforeAll, beforeEach, expect, inject, it } from 'vitest';
import type { Database } from '../../src/store/database.ts';
import { openTestDatabase } from '../support/database.ts';
import { freePort } from '../support/free-port.ts';
import { type ModelUpstream, startModelUpstream } from '../support/models/model-upstream.ts';
import { addOrganization, addPerson, addSession } from '../support/people.ts';
import { isUp, poll } from '../support/poll.ts';
import { type RuntimeProcess, startRuntime } from '../support/runs/runtime-process.ts';

const MODEL = 'openai/gpt-5-mini';
const ANTHROPIC_MODEL = 'anthropic/claude-sonnet-5';
const QUESTION = [{ role: 'user' as const, content: 'Count.' }];
/** Half of it is sent, then nothing until the test says so. */
const TEXT = Array.from({ length: 40 }, (_, index) => `w${index} `);

let db: Database;
let upstream: ModelUpstream;
beforeAll(async () => {
  db = await openTestDatabase({ poolMax: 2 });
  upstream = await startModelUpstream();
});
afterAll(async () => {
  await upstream.stop();
  await db.close();
});
beforeEach(() => upstream.reset());

interface Front {
  readonly url: string;
  readonly organization: string;
  readonly session: string;
  readonly token: string;
  /** Tells both to stop at once; resolves to their exit codes. */
  stop(): Promise<(number | null)[]>;
  statuses(): Promise<number[]>;
}

async function startFront(drainSeconds: number): Promise<Front> {
  const [webPort, port] = [await freePort(), await freePort()];
  const shared = { SERVICE_DRAIN_SECONDS: String(drainSeconds) };
  const web: RuntimeProcess = startRuntime(
    {
      ...shared,
      SERVICE_UPSTREAM_DB: inject('postgresUrl'),
      SERVICE_DB_SCHEMA: db.schema,
      SERVICE_WEB_PORT: String(webPort),
      AUTH_SECRET: 'the-auth-secret-of-the-flow-test',
      OPENAI_API_URL: upstream.url,
      OPENAI_API_KEY: 'sk-platform-openai',
      ANTHROPIC_API_URL: upstream.url,
      ANTHROPIC_API_KEY: 'sk-ant-platform',
    },
    'web',
  );
  const gateway: RuntimeProcess = startRuntime(
    {
      ...shared,
      SERVICE_GATEWAY_PORT: String(port),
      SERVICE_GATEWAY_HOST: '127.0.0.1',
      SERVICE_WEB_URL: `http://127.0.0.1:${webPort}`,
    },
    'gateway',
  );
  await Promise.all([web.said('web server is listening'), gateway.said('listening')]);
  const url = `http://127.0.0.1:${port}`;
  const person = await addPerson(db);
  const { id: organization } = await addOrganization(db, person);
  const session = await addSession(db, person);
  const minted = await fetch(`${url}/api/tokens`, {
    method: 'POST',
    headers: { authorization: `Bearer ${session}`, 'content-type': 'application/json' },
    body: JSON.stringify({ organization, scopes: ['chat'] }),
  });
  const { token } = (await minted.json()) as { token: string };
  return {
    url,
    organization,
    session,
    token,
    stop: async () => (await Promise.all([web.stop(), gateway.stop()])).map(({ code }) => code),
    async statuses() {
      const { rows } = await db.query<{ status: number }>(
        'select status from :schema.request_log where organization_id = $1 order by status',
        [organization],
      );
      return rows.map(({ status }) => status);
    },
  };
}

const openai = ({ url, token }: Front): OpenAI => new OpenAI({ baseURL: `${url}/v1`, apiKey: token, maxRetries: 0 });

/** Streams, each of which has begun; `rest` is how it goes on. */
const STREAMS: Readonly<Record<string, (front: Front) => Promise<{ rest: Promise<string> }>>> = {
  async 'chat completions'(front) {
    const stream = await openai(front).chat.completions.create({ model: MODEL, messages: QUESTION, stream: true });
    return { rest: textOf(stream, (chunk) => chunk.choices[0]?.delta.content ?? '') };
  },
  async 'chat completions of the other provider'(front) {
    const asked = { model: ANTHROPIC_MODEL, messages: QUESTION, stream: true } as const;
    const stream = await openai(front).chat.completions.create(asked);
    return { rest: textOf(stream, (chunk) => chunk.choices[0]?.delta.content ?? '') };
  },
  async responses(front) {
    const stream = await openai(front).responses.create({ model: MODEL, input: 'Count.', stream: true });
    return { rest: textOf(stream, (event) => (event.type === 'response.output_text.delta' ? event.delta : '')) };
  },
  async messages({ url, token }) {
    const client = new Anthropic({ baseURL: url, apiKey: token, maxRetries: 0 });
    const asked = { model: ANTHROPIC_MODEL, max_tokens: 1_000, messages: QUESTION, stream: true } as const;
    return {
      rest: textOf(await client.messages.create(asked), (event) =>
        event.type === 'content_block_delta' && event.delta.type === 'text_delta' ? event.delta.text : '',
      ),
    };
  },
  async 'the chat of the web app'({ url, session, organization }) {
    const response = await fetch(`${url}/api/chat`, {
      method: 'POST',
      headers: { authorization: `Bearer ${session}`, 'content-type': 'application/json' },
      body: JSON.stringify({ organization, model: MODEL, message: { text: 'Count.' } }),
    });
    const read = async (): Promise<string> => {
      const text = await response.text();
      const [, error] = /"type":"error","errorText":"([^"]+)"/.exec(text) ?? [];
      if (error !== undefined) throw new Error(error);
      return [...text.matchAll(/"delta":"([^"]*)"/g)].map(([, delta]) => delta).join('');
    };
    return { rest: read() };
  },
};

async function textOf<T>(stream: AsyncIterable<T>, read: (chunk: T) => string): Promise<string> {
  let text = '';
  for await (const chunk of stream) text += read(chunk);
  return text;
}

it('what ends within the time that is granted is whole, however silent it was', { timeout: 120_000 }, async () => {
  const { promise: silence, resolve: speak } = Promise.withResolvers<void>();
  upstream.respondByDefault({ text: TEXT, until: silence });
  const front = await startFront(90);
  const streams = await Promise.all(Object.values(STREAMS).map((begin) => begin(front)));
  const stopped = front.stop();
  // The gateway takes no more connections from the moment at which it stops.
  await poll(async () => !(await isUp(front.url)));
  // Longer than the silence after which it ends streams that do not end on their own.
  setTimeout(speak, 2_500);
  expect(await Promise.all(streams.map(({ rest }) => rest))).toEqual(streams.map(() => TEXT.join('')));
  expect(await stopped).toEqual([0, 0]);
  expect(new Set(await front.statuses())).toEqual(new Set([200]));
});

it('what does not is cut off with an error of its surface, and logged as 503', { timeout: 120_000 }, async () => {
  upstream.respondByDefault({ text: TEXT, until: new Promise(() => {}) });
  const front = await startFront(1);
  const streams = await Promise.all(Object.values(STREAMS).map((begin) => begin(front)));
  const whole = openai(front).chat.completions.create({ model: MODEL, messages: QUESTION });
  const vectors = openai(front).embeddings.create({ model: 'openai/text-embedding-3-small', input: 'Count.' });
  const refused = Promise.allSettled([whole, vectors]);
  await upstream.request(streams.length + 1);
  const stopped = front.stop();
  const ends = await Promise.allSettled(streams.map(({ rest }) => rest));
  for (const [index, end] of ends.entries()) {
    const message = end.status === 'rejected' ? String(end.reason) : end.value;
    expect(message, Object.keys(STREAMS)[index]).toContain('The answer was cut off because the service restarted.');
  }
  for (const one of await refused)
    expect(one).toMatchObject({ status: 'rejected', reason: { status: 503, code: 'unavailable' } });
  expect(await stopped).toEqual([0, 0]);
  expect(await front.statuses()).toEqual([...streams, 'whole', 'embeddings'].map(() => 503));
  const { rows } = await db.query<{ held: number; charged: number }>(
    `select (select count(*) from :schema.chat_hold where organization_id = $1)::int as held,
            (select count(*) from :schema.request_log where organization_id = $1 and cost_micros > 0)::int as charged`,
    [front.organization],
  );
  expect(rows[0]).toEqual({ held: 0, charged: streams.length + 2 });
});
