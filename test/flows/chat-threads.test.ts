import { DefaultChatTransport, readUIMessageStream, type UIMessage, type UIMessageChunk } from 'ai';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { MessageMetadata } from '../../src/contract/threads.ts';
import { sessionCookieName, signSessionToken } from '../../src/identity/sessions/session-cookie.ts';
import { AUTH_SECRET, PUBLIC_URL } from '../support/http/web-app.ts';
import { pollUntil } from '../support/poll.ts';
import { createWorkspace } from '../../src/tenancy/workspaces/create-workspace.ts';
import { join } from '../support/people.ts';
import { type ChatPerson, type ChatServer, type ChatWeb, MODEL, startChatWeb } from '../support/http/chat-web.ts';

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

type Message = UIMessage<MessageMetadata>;

/** The AI SDK's own client side, on our request body. */
function transport(
  asker: ChatPerson,
  fields: Record<string, unknown> = {},
  server: ChatServer = web.server,
): DefaultChatTransport<Message> {
  return new DefaultChatTransport({
    api: `${server.url}/api/chat`,
    headers: asker.headers,
    prepareSendMessagesRequest: ({ messages }) => ({
      body: {
        organization: asker.organization.id,
        model: MODEL,
        message: { text: textOf(messages.at(-1)) },
        ...fields,
      },
    }),
  });
}

const userMessage = (text: string): Message => ({ id: 'm', role: 'user', parts: [{ type: 'text', text }] });
const textOf = (message: Message | undefined): string =>
  (message?.parts ?? []).map((part) => (part.type === 'text' ? part.text : '')).join('');

function send(
  asker: ChatPerson,
  text: string,
  fields?: Record<string, unknown>,
): Promise<ReadableStream<UIMessageChunk>> {
  return transport(asker, fields).sendMessages({
    trigger: 'submit-message',
    chatId: 'c',
    messageId: undefined,
    messages: [userMessage(text)],
    abortSignal: undefined,
  });
}

async function readMessage(
  stream: ReadableStream<UIMessageChunk>,
): Promise<{ message: Message | undefined; errors: string[] }> {
  const errors: string[] = [];
  let message: Message | undefined;
  for await (const seen of readUIMessageStream<Message>({
    stream,
    onError: (error) => void errors.push((error as Error).message),
  }))
    message = seen;
  return { message, errors };
}

async function resume(
  asker: ChatPerson,
  threadId: string,
  server: ChatServer = web.server,
): Promise<ReadableStream<UIMessageChunk> | null> {
  return transport(asker, {}, server).reconnectToStream({ chatId: threadId });
}

interface ShownThread {
  readonly title: string;
  readonly messages: readonly {
    readonly id: string;
    readonly role: string;
    readonly parts: readonly { type: string; text?: string }[];
    readonly wholeBytes?: number;
    readonly metadata: MessageMetadata;
  }[];
}
async function show(asker: ChatPerson, threadId: string): Promise<ShownThread & { streaming: boolean }> {
  const { body } = await asker.call('GET', `/api/threads/${threadId}`);
  return { ...body.thread, streaming: body.streaming };
}
const said = (thread: ShownThread): string[] =>
  thread.messages.map(({ role, parts }) => `${role}: ${parts.map(({ text }) => text ?? '').join('')}`);

/** An answer of 200 words, a few at a time. */
const SLOW = { text: Array.from({ length: 200 }, (_, index) => `w${index} `), dripMs: 10 };
const WHOLE = SLOW.text.join('');

/** Gives this answer from now on, to its middle; the rest of it once it is told to go on. */
function answerInHalves(script: { text: string | readonly string[]; dripMs?: number }): () => void {
  const { promise: until, resolve } = Promise.withResolvers<void>();
  web.gateway.upstream.respondByDefault({ ...script, until });
  return resolve;
}

/** Asks and comes back once the answer has begun: its thread, and the connection. */
async function begin(
  asker: ChatPerson,
  text: string,
  server: ChatServer = web.server,
  fields: Record<string, unknown> = {},
): Promise<{ threadId: string; leave(): Promise<void>; rest(): Promise<string> }> {
  const controller = new AbortController();
  const response = await asker.ask({ message: { text }, ...fields }, { server, signal: controller.signal });
  expect(response.status).toBe(200);
  const reader = (response.body ?? expect.unreachable()).getReader();
  const decoder = new TextDecoder();
  let seen = '';
  while (!seen.includes('w3 ')) seen += decoder.decode((await reader.read()).value);
  return {
    threadId: response.headers.get('x-service-thread') ?? '',
    leave: async () => {
      controller.abort();
      await reader.cancel().catch(() => {});
    },
    async rest() {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return seen;
        seen += decoder.decode(value);
      }
    },
  };
}

describe('an answer', () => {
  it.each([MODEL, 'anthropic/claude-sonnet-4-5'])(
    'of %s is read by the AI SDK as a message with text and metadata, and stored',
    async (model) => {
      web.gateway.upstream.respondByDefault({ text: 'Forty-two.', usage: { inputTokens: 12, outputTokens: 4 } });
      await person.setPolicy({ tool_switches: { webSearch: true } });
      const response = await person.ask({ message: { text: 'What is six times seven?' }, model });
      expect(Object.fromEntries(response.headers)).toMatchObject({
        'x-vercel-ai-ui-message-stream': 'v1',
        'content-type': 'text/event-stream; charset=utf-8',
        'x-service-credential': 'platform',
        'x-service-provider': model.split('/')[0],
        'x-service-thread': expect.stringMatching(/^thr_/),
      });
      expect(await response.text()).toMatch(/data: \[DONE\]\n\n$/);

      const { message, errors } = await readMessage(await send(person, 'What is six times seven?', { model }));
      expect(errors).toEqual([]);
      expect(textOf(message)).toBe('Forty-two.');
      expect(message?.metadata).toMatchObject({
        model,
        provider: model.split('/')[0],
        credential: 'platform',
        inputTokens: 12,
        outputTokens: 4,
        finish: 'stop',
        toolSwitches: { webSearch: true },
      });
      expect(message?.metadata?.cost).toBeGreaterThan(0);

      const thread = await show(person, response.headers.get('x-service-thread') ?? '');
      expect(said(thread)).toEqual(['user: What is six times seven?', 'assistant: Forty-two.']);
      expect(thread.messages[1]?.metadata).toMatchObject({ model, credential: 'platform', finish: 'stop' });
      expect(thread.messages[0]?.metadata.toolSwitches).toEqual({ webSearch: true });
      expect(thread.streaming).toBe(false);
    },
  );

  it('continues in its thread with the whole conversation, and no tools attached', async () => {
    const first = await person.ask({ message: { text: 'My name is Ada.' } });
    await first.text();
    await web.server.chat.idle();
    const thread = first.headers.get('x-service-thread');
    const before = web.gateway.upstream.requests.length;
    await (await person.ask({ thread, message: { text: 'What is my name?' } })).text();
    expect(web.gateway.upstream.requests[before]?.json).toMatchObject({
      messages: [
        { role: 'user', content: 'My name is Ada.' },
        { role: 'assistant', content: 'Hello from the scripted model.' },
        { role: 'user', content: 'What is my name?' },
      ],
    });
    expect(web.gateway.upstream.requests[before]?.json).not.toHaveProperty('tools');
  });

  it("is paid by the key of the request's workspace, which is the thread's from then on", async () => {
    const lab = await createWorkspace(
      web.gateway.db,
      { userId: person.id, organizationId: person.organization.id },
      { name: 'Lab' },
    );
    await person.saveKey('openai', lab.id, 'sk-lab');
    const first = await person.ask({ workspace: lab.slug, message: { text: 'One.' } });
    await first.text();
    const thread = first.headers.get('x-service-thread');
    const second = await person.ask({ thread, message: { text: 'Two.' } });
    const elsewhere = await person.ask({ message: { text: 'Three.' } });
    expect([first, second, elsewhere].map(({ headers }) => headers.get('x-service-credential'))).toEqual([
      'own-key',
      'own-key',
      'platform',
    ]);
    await Promise.all([second.text(), elsewhere.text()]);
    const { body } = await person.call(
      'GET',
      `/api/threads?organization=${person.organization.id}&workspace=${lab.id}`,
    );
    expect(body.threads).toMatchObject([{ id: thread, workspace: lab.id }]);

    const stranger = await join(web.gateway.db, person.organization.id, await web.newPerson(), 'member');
    expect(
      (
        await (stranger as ChatPerson).ask({
          organization: person.organization.id,
          workspace: lab.id,
          message: { text: 'x' },
        })
      ).status,
    ).toBe(403);
  });

  it('that names Global is paid by the key of the organization scope', async () => {
    await person.saveKey('openai', person.organization.globalId, 'sk-organization');
    for (const workspace of [person.organization.globalId, 'global']) {
      const response = await person.ask({ workspace, message: { text: 'One.' } });
      await response.text();
      expect([response.status, response.headers.get('x-service-credential')]).toEqual([200, 'own-key']);
      expect(await show(person, response.headers.get('x-service-thread') ?? '')).toMatchObject({
        workspacePicked: true,
      });
    }
  });

  it('that carries no workspace reads the organization scope in strict mode, in its thread too', async () => {
    const strict = await web.startServer({ environment: { CHAT_REQUIRE_BYOK: 'true' } });
    await person.saveKey('openai', person.organization.globalId, 'sk-organization');
    const first = await person.ask({ message: { text: 'One.' } }, { server: strict });
    await first.text();
    const second = await person.ask(
      { thread: first.headers.get('x-service-thread'), message: { text: 'Two.' } },
      { server: strict },
    );
    await second.text();
    expect([first, second].map(({ headers }) => headers.get('x-service-credential'))).toEqual(['own-key', 'own-key']);
    // Those who list the models of the thread can tell which scope decides.
    expect(await show(person, first.headers.get('x-service-thread') ?? '')).not.toHaveProperty('workspacePicked');
    const picked = await person.ask({ workspace: 'default', message: { text: 'One.' } }, { server: strict });
    expect([picked.status, await picked.json()]).toMatchObject([
      403,
      { error: 'policy_denied:missing_provider_api_key:openai' },
    ]);
    await strict.close();
  });

  it('replaces a message and everything after it when it is edited', async () => {
    const first = await person.ask({ message: { text: 'One.' } });
    await first.text();
    const thread = first.headers.get('x-service-thread') ?? '';
    await (await person.ask({ thread, message: { text: 'Two.' } })).text();
    const [asked] = (await show(person, thread)).messages;
    web.gateway.upstream.respondByDefault({ text: 'Again.' });
    await (await person.ask({ thread, message: { text: 'Uno.' }, replace: asked?.id })).text();
    expect(said(await show(person, thread))).toEqual(['user: Uno.', 'assistant: Again.']);
    expect((await person.ask({ thread, message: { text: 'x' }, replace: 'msg_none' })).status).toBe(404);
    expect(said(await show(person, thread))).toHaveLength(2);
  });
});

describe('a reload', () => {
  it('does not end the answer: it is replayed from its start and followed to its end', async () => {
    const goOn = answerInHalves(SLOW);
    const { threadId, leave } = await begin(person, 'Count.');
    await leave();
    expect((await show(person, threadId)).streaming).toBe(true);
    const resumed = (await resume(person, threadId)) ?? expect.unreachable();
    goOn();
    const { message, errors } = await readMessage(resumed);
    expect(errors).toEqual([]);
    expect(textOf(message)).toBe(WHOLE);
    expect(message?.metadata).toMatchObject({ model: MODEL, finish: 'stop' });
    expect(said(await show(person, threadId))).toEqual(['user: Count.', `assistant: ${WHOLE}`]);
    expect(await resume(person, threadId)).toBeNull();
  });

  it('can go on from the last event that was read', async () => {
    const goOn = answerInHalves(SLOW);
    const { threadId, rest } = await begin(person, 'Count.');
    const after = await fetch(`${web.server.url}/api/chat/${threadId}/stream?after=2`, { headers: person.headers });
    goOn();
    const followed = await after.text();
    const whole = await rest();
    expect(followed).toBe(whole.slice(whole.indexOf('id: 3\n')));
  });

  it('on another process follows the same answer, and stops it', async () => {
    const other = await web.startServer();
    web.gateway.upstream.respondByDefault({ ...SLOW, text: Array.from({ length: 2_000 }, (_, index) => `w${index} `) });
    const { threadId, rest } = await begin(person, 'Count.');
    const followed = readMessage((await resume(person, threadId, other)) ?? expect.unreachable());
    expect((await person.call('POST', `/api/chat/${threadId}/stop`, {}, other)).body).toEqual({
      ok: true,
      stopped: true,
    });
    const { message } = await followed;
    expect(await rest()).toContain('"type":"abort"');
    expect(textOf(message)).toMatch(/^w0 w1 w2 w3 /);
    expect(said(await show(person, threadId))[1]).toBe(`assistant: ${textOf(message)}`);
    await other.close();
  });
});

describe('a stop', () => {
  it('keeps the partial text, also after a reload, and settles what was used', async () => {
    web.gateway.upstream.respondByDefault({ ...SLOW, text: Array.from({ length: 2_000 }, (_, index) => `w${index} `) });
    const { threadId, leave } = await begin(person, 'Count.');
    await leave();
    const stopped = await person.call('POST', `/api/chat/${threadId}/stop`, {});
    expect([stopped.status, stopped.body]).toEqual([200, { ok: true, stopped: true }]);
    expect(await (await web.gateway.upstream.request(0)).aborted).toBe(true);
    const { messages, streaming } = await show(person, threadId);
    expect(streaming).toBe(false);
    expect(messages[1]).toMatchObject({
      role: 'assistant',
      metadata: { finish: 'stopped', credential: 'platform' },
      parts: [{ type: 'text', text: expect.stringMatching(/^w0 w1 w2 w3 /) }],
    });
    const [row] = await pollUntil(
      () => person.usage(),
      (rows) => rows.length > 0,
    );
    expect(row?.['cost_micros']).toBeGreaterThan(0);
    await pollUntil(
      () => person.budget(),
      ({ reserved }) => reserved === 0,
    );
    expect((await person.call('POST', `/api/chat/${threadId}/stop`, {})).body).toEqual({ ok: true, stopped: false });
  });

  it('before the provider has answered leaves the thread free', async () => {
    web.gateway.upstream.respond({ fault: 'never-answers' });
    const pending = person.ask({ message: { text: 'Hello?' } });
    await web.gateway.upstream.request(0);
    const { body } = await person.call('GET', `/api/threads?organization=${person.organization.id}`);
    const [{ id }] = body.threads;
    expect((await person.call('POST', `/api/chat/${id}/stop`, {})).body.stopped).toBe(true);
    expect(await (await pending).text()).toContain('"type":"abort"');
    expect((await show(person, id)).messages.map(({ metadata }) => metadata.finish)).toEqual([undefined, 'stopped']);
    web.gateway.upstream.respondByDefault({ text: 'Here.' });
    expect((await person.ask({ thread: id, message: { text: 'Again.' } })).status).toBe(200);
  });

  it('is what deleting the thread does to its answer', async () => {
    web.gateway.upstream.respondByDefault({ ...SLOW, text: Array.from({ length: 2_000 }, (_, index) => `w${index} `) });
    const { threadId, rest } = await begin(person, 'Count.');
    expect((await person.call('DELETE', `/api/threads/${threadId}`)).status).toBe(200);
    expect(await (await web.gateway.upstream.request(0)).aborted).toBe(true);
    await rest();
    expect((await person.call('GET', `/api/threads/${threadId}`)).status).toBe(404);
  });
});

describe('an error', () => {
  it.each([
    ['an unknown model', {}, { model: 'nobody/nothing' }, 404, 'model_not_found'],
    ['a disabled model', { disabled_models: [MODEL] }, {}, 403, 'policy_denied:model'],
    ['Study Mode', { enforce_study_mode: true }, {}, 503, 'study_mode_unavailable'],
    ['the Study Mode model by its name', {}, { model: 'service/study' }, 503, 'study_mode_unavailable'],
    ['a model that nothing can route', {}, { model: 'google/gemini-2.5-pro' }, 424, 'model_not_routable'],
    ['a run that cannot be', {}, { mode: 'background' }, 503, 'background_runs_unavailable'],
  ])(
    '%s is refused in JSON and leaves nothing, neither a thread nor a change in one',
    async (_name, policy, fields, status, error) => {
      const first = await person.ask({ message: { text: 'One.' } });
      await first.text();
      await web.server.chat.idle();
      const thread = first.headers.get('x-service-thread') ?? '';
      const before = await show(person, thread);
      const asked = web.gateway.upstream.requests.length;
      await person.setPolicy(policy);
      for (const place of [{}, { thread }, { thread, replace: before.messages[0]?.id }]) {
        const response = await person.ask({ message: { text: 'Hello?' }, ...place, ...fields });
        expect([response.status, await response.json()]).toMatchObject([status, { ok: false, error }]);
        expect(response.headers.get('x-service-thread')).toBeNull();
      }
      expect(await show(person, thread)).toEqual(before);
      expect(
        (await person.call('GET', `/api/threads?organization=${person.organization.id}`)).body.threads,
      ).toHaveLength(1);
      expect(web.gateway.upstream.requests).toHaveLength(asked);
    },
  );

  it('of the limit and of the budget lose nothing that an edit would have replaced', async () => {
    const server = await web.startServer({ environment: { SERVICE_CHAT_REQUESTS_PER_MINUTE: '2' } });
    const first = await person.ask({ message: { text: 'One.' } }, { server });
    await first.text();
    const thread = first.headers.get('x-service-thread') ?? '';
    const before = await show(person, thread);
    const edit = { thread, message: { text: 'Uno.' }, replace: first.headers.get('x-service-message') };
    await person.setCredit(1);
    for (const error of ['quota_exceeded', 'rate_limited']) {
      const refused = await person.ask(edit, { server });
      expect([refused.status, await refused.json()]).toMatchObject([429, { error }]);
      expect((await person.ask({ message: { text: 'Again.' } }, { server })).status).toBe(429);
      expect((await show(person, thread)).messages).toEqual(before.messages);
    }
    expect((await person.call('GET', `/api/threads?organization=${person.organization.id}`)).body.threads).toHaveLength(
      1,
    );
    await server.close();
  });

  it('of the provider keeps the message, and the same message can be tried again', async () => {
    web.gateway.upstream.respond({ status: 500 });
    const failed = await person.ask({ message: { text: 'Hello?' } });
    expect([failed.status, ((await failed.json()) as { error: string }).error]).toEqual([502, 'provider_unavailable']);
    const thread = failed.headers.get('x-service-thread') ?? '';
    expect((await show(person, thread)).messages).toMatchObject([
      { id: failed.headers.get('x-service-message'), metadata: { error: { code: 'provider_unavailable' } } },
    ]);
    await (
      await person.ask({ thread, message: { text: 'Hello?' }, replace: failed.headers.get('x-service-message') })
    ).text();
    expect(said(await show(person, thread))).toEqual(['user: Hello?', 'assistant: Hello from the scripted model.']);
    await pollUntil(
      () => person.budget(),
      ({ reserved }) => reserved === 0,
    );
  });

  it("of the provider's in the middle keeps what was written", async () => {
    web.gateway.upstream.respond({ text: 'One two three four five six.', fault: 'error-midway' });
    const { message, errors } = await readMessage(await send(person, 'Count.'));
    expect(errors).toHaveLength(1);
    expect(textOf(message)).toMatch(/^One /);
    const { body } = await person.call('GET', `/api/threads?organization=${person.organization.id}`);
    const { messages } = await show(person, body.threads[0].id);
    expect(messages[1]).toMatchObject({
      role: 'assistant',
      parts: [{ text: textOf(message) }],
      metadata: { finish: 'error', error: { message: errors[0] } },
    });
  });

  it('an answer without end is cut off', async () => {
    web.gateway.upstream.respond({ text: ['x'.repeat(10_000)], fault: 'endless' });
    const response = await person.ask({ message: { text: 'Go on.' } });
    const text = await response.text();
    expect(text).toContain('"type":"error"');
    expect(text.length).toBeLessThan(20 * 1024 * 1024);
    expect(await (await web.gateway.upstream.request(0)).aborted).toBe(true);
  });

  it('a client that reads nothing holds no one up', async () => {
    web.gateway.upstream.respond({ text: ['x'.repeat(10_000)], fault: 'endless' });
    const unread = await person.ask({ message: { text: 'Go on.' } });
    const threadId = unread.headers.get('x-service-thread') ?? '';
    const { messages } = await pollUntil(
      () => show(person, threadId),
      ({ streaming }) => !streaming,
    );
    expect(messages[1]?.metadata).toMatchObject({ finish: 'error' });
    expect(messages[1]?.wholeBytes).toBeGreaterThan(5 * 1024 * 1024);
    await unread.body?.cancel().catch(() => {});
  });

  it('counts every request against the limit, refusals included', async () => {
    const server = await web.startServer({ environment: { SERVICE_CHAT_REQUESTS_PER_MINUTE: '2' } });
    for (const status of [200, 404, 429]) {
      const response = await person.ask(
        { message: { text: 'Hello?' }, ...(status === 404 ? { model: 'nobody' } : {}) },
        { server },
      );
      expect(response.status).toBe(status);
      if (status === 429) expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
      await response.text();
    }
    await server.close();
  });

  it('names each field of a body that is wrong', async () => {
    for (const [body, field] of [
      [{ message: { text: ' ' } }, 'message.text'],
      [{ message: { text: 'x' }, modell: 'y' }, 'modell'],
      [{ message: { text: 'a\0b' } }, 'message.text'],
      [{ message: { text: 'x', attachments: ['att_none'] } }, 'message.attachments'],
    ] as const) {
      const response = await person.ask(body);
      expect([response.status, await response.json()]).toMatchObject([
        400,
        { error: 'invalid_request', details: { [field]: expect.any(String) } },
      ]);
    }
    expect((await person.call('GET', `/api/threads?organization=${person.organization.id}`)).body.threads).toEqual([]);
  });
});

describe('a thread', () => {
  it('takes one question at a time', async () => {
    const goOn = answerInHalves(SLOW);
    const { threadId, rest } = await begin(person, 'Count.');
    const second = await person.ask({ thread: threadId, message: { text: 'And?' } });
    goOn();
    expect([second.status, ((await second.json()) as { error: string }).error]).toEqual([409, 'thread_busy']);
    await rest();
    expect(said(await show(person, threadId))).toHaveLength(2);
    const finish = answerInHalves({ text: 'Here.' });
    const racing = await Promise.all(
      ['a', 'b', 'c', 'd'].map((text) => person.ask({ thread: threadId, message: { text } })),
    );
    finish();
    expect(racing.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409]);
    await Promise.all(racing.map((response) => response.text()));
  });

  it('of another person does not exist, whatever the request', async () => {
    web.gateway.upstream.respondByDefault(SLOW);
    const { threadId, rest } = await begin(person, 'Secret.');
    const stranger = await web.newPerson();
    expect((await stranger.ask({ thread: threadId, message: { text: 'x' } })).status).toBe(404);
    expect(
      (await person.ask({ thread: threadId, organization: stranger.organization.id, message: { text: 'x' } })).status,
    ).not.toBe(200);
    expect((await fetch(`${web.server.url}/api/chat/${threadId}/stream`, { headers: stranger.headers })).status).toBe(
      404,
    );
    for (const [method, path, body] of [
      ['POST', `/api/chat/${threadId}/stop`, {}],
      ['GET', `/api/threads/${threadId}`, undefined],
      ['PATCH', `/api/threads/${threadId}`, { title: 'Mine' }],
      ['DELETE', `/api/threads/${threadId}`, undefined],
    ] as const)
      expect((await stranger.call(method, path, body)).status).toBe(404);
    expect(await rest()).toContain('"type":"finish"');
    expect((await stranger.ask({ organization: person.organization.id, message: { text: 'x' } })).status).toBe(403);
  });

  it('needs a session, and one from our own origin', async () => {
    const url = `${web.server.url}/api/chat`;
    expect((await fetch(url, { method: 'POST', body: '{}' })).status).toBe(401);
    expect((await fetch(`${url}/thr_x/stream`)).status).toBe(401);
    const cookie = `${sessionCookieName({ publicUrl: PUBLIC_URL })}=${encodeURIComponent(signSessionToken(person.headers['authorization']?.slice('Bearer '.length) ?? '', AUTH_SECRET))}`;
    const body = JSON.stringify({ organization: person.organization.id, model: MODEL, message: { text: 'Hello.' } });
    const foreign = await fetch(url, {
      method: 'POST',
      headers: { cookie, origin: 'https://elsewhere.example' },
      body,
    });
    expect([foreign.status, await foreign.json()]).toMatchObject([403, { error: 'cross_origin' }]);
    const own = await fetch(url, { method: 'POST', headers: { cookie, origin: PUBLIC_URL }, body });
    expect(own.status).toBe(200);
    expect(own.headers.get('x-content-type-options')).toBe('nosniff');
    await own.text();
  });

  it('whose process died is closed as an error by the next process that finds it, with what was written', async () => {
    const { db } = web.gateway;
    const died = async (): Promise<string> => {
      const first = await person.ask({ message: { text: 'One.' } });
      await first.text();
      const threadId = first.headers.get('x-service-thread') ?? '';
      await db.query('delete from :schema.chat_stream where thread_id = $1', [threadId]);
      await db.query(
        "insert into :schema.chat_stream (thread_id, id, message_id, state, alive_at) values ($1, $2, $3, 'open', now() - interval '31 seconds')",
        [threadId, `str_${threadId}`, `msg_${threadId}`],
      );
      const chunks = [
        { type: 'start', messageId: `msg_${threadId}`, messageMetadata: { model: MODEL } },
        { type: 'text-start', id: '1' },
        { type: 'text-delta', id: '1', delta: 'Half an ans' },
      ];
      await db.query('insert into :schema.chat_stream_chunk (stream_id, seq, data) values ($1, 0, $2)', [
        `str_${threadId}`,
        chunks.map((chunk) => JSON.stringify(chunk)).join('\n'),
      ]);
      return threadId;
    };
    const closed = {
      role: 'assistant',
      parts: [{ type: 'text', text: 'Half an ans' }],
      metadata: { model: MODEL, finish: 'error', error: { code: 'unavailable' } },
    };

    const resumed = await died();
    expect((await show(person, resumed)).streaming).toBe(false);
    expect(await resume(person, resumed)).toBeNull();
    expect((await show(person, resumed)).messages[2]).toMatchObject(closed);

    const stopped = await died();
    expect((await person.call('POST', `/api/chat/${stopped}/stop`, {})).body.stopped).toBe(true);
    expect((await show(person, stopped)).messages[2]).toMatchObject(closed);

    const asked = await died();
    expect((await person.ask({ thread: asked, message: { text: 'Two.' } })).status).toBe(200);
    expect((await show(person, asked)).messages.slice(2, 4)).toMatchObject([closed, { role: 'user' }]);
  });

  it('whose process shuts down keeps what was written, and is marked', async () => {
    const server = await web.startServer();
    web.gateway.upstream.respondByDefault({ ...SLOW, text: Array.from({ length: 2_000 }, (_, index) => `w${index} `) });
    const { threadId, leave } = await begin(person, 'Count.', server);
    await server.close();
    await leave();
    expect((await show(person, threadId)).messages[1]).toMatchObject({
      parts: [{ text: expect.stringMatching(/^w0 w1 /) }],
      metadata: { finish: 'error', error: { code: 'unavailable' } },
    });
  });
});

describe('threads', () => {
  it('are listed with the latest first, searched, renamed, deleted', async () => {
    // No answer, no title from a model: the first message names the thread.
    web.gateway.upstream.respondByDefault({ status: 500 });
    const ids: string[] = [];
    for (const text of ['Apples and pears', 'Bread', 'Apple pie']) {
      const response = await person.ask({ message: { text } });
      await response.text();
      ids.push(response.headers.get('x-service-thread') ?? '');
    }
    const list = async (
      query = '',
    ): Promise<{ threads: { id: string; title: string; workspace: string }[]; cursor?: string }> =>
      (await person.call('GET', `/api/threads?organization=${person.organization.slug}${query}`)).body;
    expect((await list()).threads.map(({ title }) => title)).toEqual(['Apple pie', 'Bread', 'Apples and pears']);
    expect((await list()).threads[0]?.workspace).toBe(person.organization.defaultId);
    const page = await list('&limit=2');
    expect((await list(`&limit=2&cursor=${page.cursor}`)).threads.map(({ id }) => id)).toEqual([ids[0]]);
    expect((await list('&search=appl')).threads.map(({ title }) => title)).toEqual(['Apple pie', 'Apples and pears']);
    expect((await list('&search=%25')).threads).toEqual([]);
    expect((await list('&workspace=default')).threads).toHaveLength(3);
    expect((await person.call('PATCH', `/api/threads/${ids[1]}`, { title: ' Sourdough ' })).body.thread.title).toBe(
      'Sourdough',
    );
    expect((await person.call('DELETE', `/api/threads/${ids[0]}`)).body).toEqual({ ok: true });
    expect((await list()).threads.map(({ title }) => title)).toEqual(['Apple pie', 'Sourdough']);
    expect(
      (await person.call('GET', `/api/threads?organization=${person.organization.id}&cursor=nonsense`)).status,
    ).toBe(400);
    expect((await person.call('GET', '/api/threads?organization=org_none')).status).toBe(404);
  });

  it('page back through their messages', async () => {
    const first = await person.ask({ message: { text: 'm0' } });
    await first.text();
    const thread = first.headers.get('x-service-thread') ?? '';
    for (const text of ['m1', 'm2']) await (await person.ask({ thread, message: { text } })).text();
    const latest = (await person.call('GET', `/api/threads/${thread}?limit=4`)).body;
    expect(latest.thread.messages).toHaveLength(4);
    const earlier = (await person.call('GET', `/api/threads/${thread}?limit=4&before=${latest.before}`)).body;
    expect(earlier.thread.messages.map((message: { parts: { text: string }[] }) => message.parts[0]?.text)).toEqual([
      'm0',
      'Hello from the scripted model.',
    ]);
    expect(earlier).not.toHaveProperty('before');
  });
});
