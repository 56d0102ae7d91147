// Versions of a conversation over HTTP: edits, retries, switches, deletions and copies, alone and at the same time.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Message } from '../../src/contract/threads.ts';
import { type ChatPerson, type ChatWeb, MODEL, startChatWeb } from '../support/http/chat-web.ts';

let web: ChatWeb;
let person: ChatPerson;
beforeAll(async () => {
  web = await startChatWeb();
});
afterAll(() => web.close());
beforeEach(async () => {
  await web.server.chat.idle();
  web.gateway.upstream.reset();
  person = await web.newPerson();
});

interface Shown {
  readonly messages: readonly Message[];
  readonly streaming: boolean;
}

async function show(thread: string): Promise<Shown> {
  const { body } = await person.call('GET', `/api/threads/${thread}`);
  return { messages: body.thread.messages, streaming: body.streaming };
}

const textOf = ({ parts }: Message): string => parts.map((part) => ('text' in part ? part.text : '')).join('');

/** What the thread shows; a message with versions as `text 2/3`. */
async function said(thread: string): Promise<string[]> {
  return (await show(thread)).messages.map((message) =>
    message.versions ? `${textOf(message)} ${message.versions.index + 1}/${message.versions.count}` : textOf(message),
  );
}

interface Told {
  readonly thread: string;
  readonly question: string;
  readonly status: number;
}

/** Asks and reads the answer, which says this. */
async function tell(text: string, answer: string, fields: Record<string, unknown> = {}): Promise<Told> {
  web.gateway.upstream.respondByDefault({ text: answer });
  const response = await person.ask({ message: { text }, ...fields });
  await response.text();
  await web.server.chat.idle();
  return {
    thread: response.headers.get('x-service-thread') ?? '',
    question: response.headers.get('x-service-message') ?? '',
    status: response.status,
  };
}

const choose = (thread: string, message: string | undefined) =>
  person.call('POST', `/api/threads/${thread}/switch`, { message });
const drop = (thread: string, message: string | undefined) =>
  person.call('DELETE', `/api/threads/${thread}/messages/${message}`);

const LONG = Array.from({ length: 2_000 }, (_, index) => `w${index} `);

/** Asks and comes back in the middle of the answer. */
async function begin(
  text: string,
  fields: Record<string, unknown> = {},
): Promise<{ thread: string; writing: string; rest(): Promise<string> }> {
  web.gateway.upstream.respondByDefault({ text: LONG, dripMs: 10 });
  const response = await person.ask({ message: { text }, ...fields });
  expect(response.status).toBe(200);
  const reader = (response.body ?? expect.unreachable()).getReader();
  const decoder = new TextDecoder();
  let seen = '';
  while (!seen.includes('w3 ')) seen += decoder.decode((await reader.read()).value);
  return {
    thread: response.headers.get('x-service-thread') ?? '',
    writing: /"messageId":"(\w+)"/.exec(seen)?.[1] ?? '',
    async rest() {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return seen;
        seen += decoder.decode(value);
      }
    },
  };
}

describe('an edit', () => {
  it('is a version of the question; both go on from where they were left, and the model gets the one that is shown', async () => {
    const { thread, question } = await tell('One.', 'First.');
    const next = await tell('Two.', 'Second.', { thread });
    const edited = await tell('Uno.', 'Primo.', { thread, replace: question });
    expect(edited.question).not.toBe(question);
    expect(await said(thread)).toEqual(['Uno. 2/2', 'Primo.']);
    const [shown] = (await show(thread)).messages;
    expect(shown?.versions).toEqual({ ids: [question, edited.question], index: 1, count: 2 });

    expect((await choose(thread, question)).body).toEqual({ ok: true });
    expect(await said(thread)).toEqual(['One. 1/2', 'First.', 'Two.', 'Second.']);
    const before = web.gateway.upstream.requests.length;
    await tell('Three.', 'Third.', { thread });
    expect(web.gateway.upstream.requests[before]?.json).toMatchObject({
      messages: ['One.', 'First.', 'Two.', 'Second.', 'Three.'].map((content) => ({ content })),
    });
    await choose(thread, edited.question);
    expect(await said(thread)).toEqual(['Uno. 2/2', 'Primo.']);
    // A message that the thread no longer shows cannot be edited from a page that still does.
    const stale = await person.ask({ thread, message: { text: 'x' }, replace: next.question });
    expect([stale.status, await stale.json()]).toMatchObject([409, { error: 'thread_changed' }]);
    expect((await choose(thread, 'msg_none')).status).toBe(404);
  });

  it('that is refused changes nothing, and one that fails keeps the question before it in reach', async () => {
    const { thread, question } = await tell('One.', 'First.');
    const before = await show(thread);
    expect((await tell('Uno.', 'x', { thread, replace: question, model: 'nobody/nothing' })).status).toBe(404);
    expect(await show(thread)).toEqual(before);
    web.gateway.upstream.respond({ status: 500 });
    expect((await tell('Uno.', 'x', { thread, replace: question })).status).toBe(502);
    expect(await said(thread)).toEqual(['Uno. 2/2']);
    await choose(thread, question);
    expect(await said(thread)).toEqual(['One. 1/2', 'First.']);
  });
});

describe('a retry', () => {
  it('is a version of the answer to the same question', async () => {
    const { thread, question } = await tell('One.', 'First.');
    const again = await tell('One.', 'Again.', { thread, replace: question });
    expect(again.question).toBe(question);
    expect(await said(thread)).toEqual(['One.', 'Again. 2/2']);
    const ids = (await show(thread)).messages[1]?.versions?.ids;
    await choose(thread, ids?.[0]);
    expect(await said(thread)).toEqual(['One.', 'First. 1/2']);
    await tell('Two.', 'Second.', { thread });
    await choose(thread, ids?.[1]);
    expect(await said(thread)).toEqual(['One.', 'Again. 2/2']);
    expect((await drop(thread, ids?.[0])).status).toBe(200);
    expect(await said(thread)).toEqual(['One.', 'Again.']);
  });

  it('that fails is a version too, so that the answers before it stay in reach', async () => {
    const { thread, question } = await tell('One.', 'First.');
    web.gateway.upstream.respond({ status: 500 });
    expect((await tell('One.', 'x', { thread, replace: question })).status).toBe(502);
    const [asked, failed] = (await show(thread)).messages;
    expect(asked?.metadata.error).toBeUndefined();
    expect(failed).toMatchObject({
      role: 'assistant',
      parts: [],
      metadata: { finish: 'error', error: { code: 'provider_unavailable', at: expect.stringMatching(/^\d{4}-/) } },
      versions: { index: 1, count: 2 },
    });
    await tell('One.', 'Third.', { thread, replace: question });
    expect(await said(thread)).toEqual(['One.', 'Third. 3/3']);
  });

  it('racing retries: one is answered, the others are refused, and nothing is lost', async () => {
    const { thread, question } = await tell('One.', 'First.');
    const { promise: until, resolve: finish } = Promise.withResolvers<void>();
    web.gateway.upstream.respondByDefault({ text: 'Again.', until });
    const racing = await Promise.all(
      Array.from({ length: 4 }, () => person.ask({ thread, message: { text: 'One.' }, replace: question })),
    );
    finish();
    const bodies = await Promise.all(racing.map((response) => response.text()));
    expect(racing.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409]);
    expect(bodies.filter((body) => body.includes('thread_busy'))).toHaveLength(3);
    expect(await said(thread)).toEqual(['One.', 'Again. 2/2']);
  });

  it('is refused once there are too many versions', async () => {
    const { thread, question } = await tell('One.', 'First.');
    await web.gateway.db.query(
      `insert into :schema.chat_message_version (thread_id, id, parent_id, role, parts, created_at)
       select $1, $1 || n, $2, 'assistant', '[]', now() from generate_series(1, 99) n`,
      [thread, question],
    );
    const refused = await person.ask({ thread, message: { text: 'One.' }, replace: question });
    expect([refused.status, await refused.json()]).toMatchObject([409, { error: 'too_many_versions' }]);
    expect(await said(thread)).toEqual(['One.', 'First. 1/100']);
  });
});

describe('a turn that failed', () => {
  it('stays with its reason and its time after the conversation has gone on, and can be tried again there', async () => {
    web.gateway.upstream.respond({ status: 500 });
    const failed = await tell('Lost?', 'x');
    expect(failed.status).toBe(502);
    const { thread, question } = failed;
    await tell('Two.', 'Second.', { thread });
    const kept = {
      id: question,
      metadata: { error: { code: 'provider_unavailable', message: expect.any(String), at: expect.any(String) } },
    };
    expect((await show(thread)).messages[0]).toMatchObject(kept);

    await tell('Lost?', 'Found.', { thread, replace: question });
    const { messages } = await show(thread);
    expect(messages.map(textOf)).toEqual(['Lost?', 'Found.']);
    expect(messages[0]?.metadata.error).toBeUndefined();
    // What had followed the failure is the other version.
    await choose(thread, messages[1]?.versions?.ids[0]);
    expect(await said(thread)).toEqual(['Lost?', 'Two. 1/2', 'Second.']);
  });
});

describe('while an answer is being written', () => {
  it('another version cannot be shown or deleted, and the answer is not disturbed', async () => {
    const { thread, question } = await tell('One.', 'First.');
    const [, first] = (await show(thread)).messages;
    const { rest } = await begin('One.', { thread, replace: question });
    expect(await choose(thread, first?.id)).toMatchObject({ status: 409, body: { error: 'thread_busy' } });
    expect(await drop(thread, first?.id)).toMatchObject({ status: 409, body: { error: 'thread_busy' } });
    await person.call('POST', `/api/chat/${thread}/stop`, {});
    expect(await rest()).toContain('"type":"abort"');
    expect(await said(thread)).toEqual(['One.', expect.stringMatching(/^w0 w1 .* 2\/2$/)]);
  });

  it('deleting it stops it, charges what was used, and shows the version before', async () => {
    const { thread, question } = await tell('One.', 'First.');
    const { writing, rest } = await begin('One.', { thread, replace: question });
    expect((await drop(thread, writing)).status).toBe(200);
    expect(await rest()).toContain('"type":"abort"');
    expect(await said(thread)).toEqual(['One.', 'First.']);
    expect((await show(thread)).streaming).toBe(false);
    expect((await tell('Two.', 'Second.', { thread })).status).toBe(200);
  });

  it('deleting the only answer leaves its question', async () => {
    const { thread, writing, rest } = await begin('One.');
    expect((await drop(thread, writing)).status).toBe(200);
    await rest();
    expect(await said(thread)).toEqual(['One.']);
  });
});

describe('two tabs', () => {
  it('a message from a page that has not seen the latest is refused, and stores nothing', async () => {
    const { thread } = await tell('One.', 'First.');
    const [, first] = (await show(thread)).messages;
    await tell('Two.', 'Second.', { thread, after: first?.id });
    const stale = await person.ask({ thread, message: { text: 'Also two.' }, after: first?.id });
    expect([stale.status, await stale.json()]).toMatchObject([409, { error: 'thread_changed' }]);
    expect(await said(thread)).toEqual(['One.', 'First.', 'Two.', 'Second.']);
  });
});

describe('a copy', () => {
  it('has the messages up to one, with files of its own, and both go their own way', async () => {
    const { id: file } = (await person.upload('notes.md', 'Remember the milk.')).body;
    const { thread } = await tell('Read this.', 'Read.', {
      message: { text: 'Read this.', attachments: [file] },
    });
    await tell('Two.', 'Second.', { thread });
    const { messages } = await show(thread);
    const made = await person.call('POST', `/api/threads/${thread}/copy`, { message: messages[1]?.id });
    expect(made.status).toBe(201);
    const copy: string = made.body.thread.id;
    expect(await said(copy)).toEqual(['Read this.', 'Read.']);
    expect((await show(copy)).messages.map(({ id }) => id)).not.toContain(messages[0]?.id);

    expect((await person.call('DELETE', `/api/threads/${thread}`)).status).toBe(200);
    const [part] = (await show(copy)).messages[0]?.parts ?? [];
    const kept = part?.type === 'data-attachment' ? part.data.id : expect.unreachable();
    expect(kept).not.toBe(file);
    const content = await fetch(`${web.server.url}/api/attachments/${kept}`, { headers: person.headers });
    expect(await content.text()).toBe('Remember the milk.');
    const before = web.gateway.upstream.requests.length;
    await tell('Three.', 'Third.', { thread: copy });
    expect(JSON.stringify(web.gateway.upstream.requests[before]?.json)).toContain('Remember the milk.');
    expect((await person.call('POST', `/api/threads/${copy}/copy`, { message: messages[0]?.id })).status).toBe(404);
  });
});

it('a thread of another person has no versions', async () => {
  const { thread, question } = await tell('One.', 'First.', { model: MODEL });
  const stranger = await web.newPerson();
  for (const [method, path, body] of [
    ['POST', `/api/threads/${thread}/switch`, { message: question }],
    ['DELETE', `/api/threads/${thread}/messages/${question}`, undefined],
    ['POST', `/api/threads/${thread}/copy`, { message: question }],
  ] as const)
    expect((await stranger.call(method, path, body)).status).toBe(404);
  expect(await said(thread)).toEqual(['One.', 'First.']);
});
