// A model that is silent for long, as the processes that operators run answer it: web server and gateway, and in front of
// them the official clients as they come. Every question says what its model does, so that all of them wait at once.
import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { Database } from '../../src/store/database.ts';
import { openTestDatabase } from '../support/database.ts';
import { freePort } from '../support/free-port.ts';
import { type ModelUpstream, startModelUpstream } from '../support/models/model-upstream.ts';
import type { Script } from '../support/models/model-scripts.ts';
import { addOrganization, addPerson, addSession } from '../support/people.ts';
import { pollUntil } from '../support/poll.ts';
import { type RuntimeProcess, startRuntime } from '../support/runs/runtime-process.ts';

/** What operators may set; the signs of life come after 15 s, whatever it is. */
const SILENCE_SECONDS = 20;
const SCRIPTS = {
  'answer late': { delayMs: 17_000, text: 'At last.' },
  'refuse late': { delayMs: 17_000, status: 429, message: 'Slow down.' },
  'never answer': { delayMs: 120_000 },
  'fall silent': { text: ['One ', 'two ', 'three ', 'four.'], until: new Promise(() => {}) },
} as const satisfies Record<string, Script>;
type Question = keyof typeof SCRIPTS;

const OPENAI_MODEL = 'openai/gpt-5-mini';
const ANTHROPIC_MODEL = 'anthropic/claude-sonnet-5';
const PATIENT = { timeout: 120_000 };

/** Begun before the first test, so that all wait at once; each test looks at the result of its own. */
const tasks: (() => void)[] = [];
function inAdvance<T>(task: (caller: Caller) => Promise<T>): () => Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  promise.catch(() => {});
  tasks.push(() => void newCaller().then(task).then(resolve, reject));
  return () => promise;
}

let db: Database;
let upstream: ModelUpstream;
let web: RuntimeProcess;
let gateway: RuntimeProcess;
let url: string;

beforeAll(async () => {
  db = await openTestDatabase({ poolMax: 2 });
  upstream = await startModelUpstream();
  upstream.respondByDefault(({ json }) => {
    const asked = JSON.stringify(json);
    return SCRIPTS[(Object.keys(SCRIPTS) as Question[]).find((question) => asked.includes(question)) ?? 'answer late'];
  });
  const [webPort, port] = [await freePort(), await freePort()];
  const shared = { SERVICE_MODEL_SILENCE_SECONDS: String(SILENCE_SECONDS), SERVICE_DRAIN_SECONDS: '1' };
  web = startRuntime(
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
  gateway = startRuntime(
    {
      ...shared,
      SERVICE_GATEWAY_PORT: String(port),
      SERVICE_GATEWAY_HOST: '127.0.0.1',
      SERVICE_WEB_URL: `http://127.0.0.1:${webPort}`,
    },
    'gateway',
  );
  await Promise.all([web.said('web server is listening'), gateway.said('listening')]);
  url = `http://127.0.0.1:${port}`;
  for (const begin of tasks) begin();
});
afterAll(async () => {
  await Promise.all([gateway?.stop(), web?.stop()]);
  await upstream?.stop();
  await db?.close();
});

interface Caller {
  readonly organization: string;
  readonly session: string;
  readonly token: string;
  readonly openai: OpenAI;
  readonly anthropic: Anthropic;
  /** What the log of requests says once there is something in it. */
  logged(): Promise<LoggedRow[]>;
}

interface LoggedRow extends Record<string, unknown> {
  status: number;
  output: number;
  cost: number;
}

async function newCaller(): Promise<Caller> {
  const person = await addPerson(db);
  const { id: organization } = await addOrganization(db, person);
  const session = await addSession(db, person);
  const response = await fetch(`${url}/api/tokens`, {
    method: 'POST',
    headers: { authorization: `Bearer ${session}`, 'content-type': 'application/json' },
    body: JSON.stringify({ organization, scopes: ['chat'] }),
  });
  const { token } = (await response.json()) as { token: string };
  return {
    organization,
    session,
    token,
    openai: new OpenAI({ baseURL: `${url}/v1`, apiKey: token }),
    anthropic: new Anthropic({ baseURL: url, apiKey: token }),
    logged: () =>
      pollUntil(
        async () => {
          const { rows } = await db.query<LoggedRow>(
            'select status, output_tokens::int as output, cost_micros::int as cost from :schema.request_log where organization_id = $1',
            [organization],
          );
          return rows;
        },
        (rows) => rows.length > 0,
      ),
  };
}

const messages = (question: Question): { role: 'user'; content: string }[] => [{ role: 'user', content: question }];

/** How each surface is asked with an official client, for the text of its answer. */
const SURFACES: Readonly<Record<string, (caller: Caller, question: Question) => Promise<string>>> = {
  async 'chat completions, streamed'({ openai }, question) {
    let text = '';
    const stream = await openai.chat.completions.create({
      model: OPENAI_MODEL,
      messages: messages(question),
      stream: true,
    });
    for await (const { choices } of stream) text += choices[0]?.delta.content ?? '';
    return text;
  },
  async 'chat completions of the other provider, streamed'({ openai }, question) {
    let text = '';
    const stream = await openai.chat.completions.create({
      model: ANTHROPIC_MODEL,
      messages: messages(question),
      stream: true,
    });
    for await (const { choices } of stream) text += choices[0]?.delta.content ?? '';
    return text;
  },
  async 'responses, streamed'({ openai }, question) {
    let text = '';
    const stream = await openai.responses.create({ model: OPENAI_MODEL, input: question, stream: true });
    for await (const event of stream) if (event.type === 'response.output_text.delta') text += event.delta;
    return text;
  },
  async 'messages, streamed'({ anthropic }, question) {
    const stream = anthropic.messages.stream({
      model: ANTHROPIC_MODEL,
      max_tokens: 100,
      messages: messages(question),
    });
    return textOf(await stream.finalMessage());
  },
  async 'messages of the other provider, streamed'({ anthropic }, question) {
    const stream = anthropic.messages.stream({ model: OPENAI_MODEL, max_tokens: 100, messages: messages(question) });
    return textOf(await stream.finalMessage());
  },
  async 'chat completions, whole'({ openai }, question) {
    const answer = await openai.chat.completions.create({ model: OPENAI_MODEL, messages: messages(question) });
    return answer.choices[0]?.message.content ?? '';
  },
  async 'messages, whole'({ anthropic }, question) {
    return textOf(
      await anthropic.messages.create({ model: ANTHROPIC_MODEL, max_tokens: 100, messages: messages(question) }),
    );
  },
};
const STREAMED = Object.entries(SURFACES).filter(([name]) => name.includes('streamed'));

function textOf({ content }: Anthropic.Message): string {
  return content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('');
}

/** The stream as it is on the wire. */
async function wire(path: string, { token }: Caller, body: object): Promise<{ status: number; text: string }> {
  const response = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ...body, stream: true }),
  });
  return { status: response.status, text: await response.text() };
}

async function askThread(
  { organization, session }: Caller,
  question: Question,
): Promise<{ status: number; thread: string | null; text: string }> {
  const response = await fetch(`${url}/api/chat`, {
    method: 'POST',
    headers: { authorization: `Bearer ${session}`, 'content-type': 'application/json' },
    body: JSON.stringify({ organization, model: OPENAI_MODEL, message: { text: question } }),
  });
  return {
    status: response.status,
    thread: response.headers.get('x-service-thread'),
    text: await response.text(),
  };
}

describe('an answer after a long silence', () => {
  for (const [name, ask] of Object.entries(SURFACES)) {
    const text = inAdvance((caller) => ask(caller, 'answer late'));
    it(`arrives: ${name}`, PATIENT, async () => expect(await text()).toBe('At last.'));
  }

  const vectors = inAdvance(({ openai }) =>
    openai.embeddings.create({ model: 'openai/text-embedding-3-small', input: 'answer late' }),
  );
  it('arrives: embeddings', PATIENT, async () => expect((await vectors()).data).toHaveLength(1));

  const SIGNS = {
    '/v1/chat/completions': [
      { model: OPENAI_MODEL, messages: messages('answer late') },
      /^: \n\ndata: \{.*\[DONE\]\n\n$/s,
    ],
    '/v1/responses': [
      { model: OPENAI_MODEL, input: 'answer late' },
      /^: \n\nevent: response\.created.*response\.completed/s,
    ],
    '/v1/messages': [
      { model: ANTHROPIC_MODEL, max_tokens: 100, messages: messages('answer late') },
      /^event: ping\ndata: \{"type": "ping"\}\n\nevent: message_start.*message_stop/s,
    ],
  } as const;
  for (const [path, [body, expected]] of Object.entries(SIGNS)) {
    const seen = inAdvance((caller) => wire(path, caller, body));
    it(`shows on the wire of ${path} that it is alive`, PATIENT, async () =>
      expect(await seen()).toEqual({ status: 200, text: expect.stringMatching(expected) }),
    );
  }

  const chat = inAdvance((caller) => askThread(caller, 'answer late'));
  it('shows in the chat of the web app that it is alive', PATIENT, async () => {
    const { thread, text } = await chat();
    expect(thread).toMatch(/./);
    expect(text).toMatch(/^: \n\n.*"type":"start".*"delta":"At".*\[DONE\]/s);
  });
});

describe('a refusal after a long silence', () => {
  for (const [name, ask] of STREAMED) {
    const refused = inAdvance((caller) => ask(caller, 'refuse late'));
    it(`is raised by the client: ${name}`, PATIENT, () => expect(refused()).rejects.toThrow(/rate limit/));
  }

  const chat = inAdvance((caller) => askThread(caller, 'refuse late'));
  it('is the error part of the chat of the web app', PATIENT, async () =>
    expect(await chat()).toMatchObject({
      status: 200,
      text: expect.stringMatching(/^: \n\nid: 0\ndata: \{"type":"error","errorText":"[^"]+"\}\n\ndata: \[DONE\]/),
    }),
  );

  const whole = inAdvance(({ openai }) =>
    openai.chat.completions.create({ model: OPENAI_MODEL, messages: messages('refuse late') }, { maxRetries: 0 }),
  );
  it('keeps its status where the answer is whole', PATIENT, () =>
    expect(whole()).rejects.toMatchObject({ status: 429, code: 'provider_rate_limited' }),
  );
});

describe('a silence that is too long', () => {
  for (const [name, ask] of Object.entries(SURFACES)) {
    const failed = inAdvance(async (caller) => {
      const error: unknown = await ask(caller, 'never answer').catch((thrown: unknown) => thrown);
      return { error, logged: await caller.logged() };
    });
    it(`is provider_timeout in the shape of the surface, and charged once: ${name}`, PATIENT, async () => {
      const { error, logged } = await failed();
      // A failed response has a vocabulary of its own.
      if (name.startsWith('responses'))
        expect(error).toMatchObject({ message: expect.stringContaining('did not answer in time') });
      else if (error instanceof OpenAI.APIError) expect(error).toMatchObject({ code: 'provider_timeout' });
      else expect(error).toMatchObject({ error: { error: { type: 'provider_timeout' } } });
      if (name.includes('whole')) expect(error).toMatchObject({ status: 504 });
      expect(logged).toEqual([{ status: 504, output: expect.any(Number), cost: expect.any(Number) }]);
      // 60 tokens per second of thinking, for nearly all of the time.
      if (!name.startsWith('messages, ') && !name.includes('other'))
        expect(logged[0]?.output).toBeGreaterThanOrEqual(60 * (SILENCE_SECONDS - 1));
    });
  }

  const halfway = inAdvance(async (caller) => ({
    ...(await wire('/v1/chat/completions', caller, { model: OPENAI_MODEL, messages: messages('fall silent') })),
    logged: await caller.logged(),
  }));
  it('in the middle of a stream is an error event', PATIENT, async () => {
    const { text, logged } = await halfway();
    expect(text).toMatch(/^data: .*\n\n: \n\ndata: \{"error":\{[^\n]*"code":"provider_timeout"\}\}\n\n$/s);
    expect(logged).toMatchObject([{ status: 504 }]);
  });

  const chat = inAdvance(async (caller) => ({
    ...(await askThread(caller, 'never answer')),
    logged: await caller.logged(),
  }));
  it('is the error part of the chat of the web app', PATIENT, async () => {
    const { text, logged } = await chat();
    expect(text).toMatch(/^: \n\nid: 0\ndata: \{"type":"error","errorText":"The provider did not/);
    expect(logged).toMatchObject([{ status: 504 }]);
  });
});
