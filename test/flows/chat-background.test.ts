import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { AppError } from '../../src/base/errors.ts';
import type { BackgroundRun } from '../../src/threads/answer-thread.ts';
import { type ChatPerson, type ChatServer, type ChatWeb, MODEL, startChatWeb } from '../support/http/chat-web.ts';

let web: ChatWeb;
let runs: ChatServer;
let person: ChatPerson;
const started: BackgroundRun[] = [];
beforeAll(async () => {
  web = await startChatWeb();
  runs = await web.startServer({
    isCapability: (word) => ['github', 'slack'].includes(word.split('.')[0] ?? ''),
    readRuns: async (_reader, ids) =>
      new Map(ids.map((id) => [id, { id, objective: '', status: 'completed', result: 'It was tidied up.' }])),
    async startBackgroundRun(run) {
      const unusable = run.capabilities.find((key) => !key.startsWith('github'));
      if (unusable !== undefined) throw new AppError('capability_unusable', { capability: unusable });
      started.push(run);
      return { id: 'job_1', objective: run.objective, status: 'queued' };
    },
  });
});
afterAll(() => web.close());
beforeEach(async () => {
  started.length = 0;
  web.gateway.upstream.reset();
  person = await web.newPerson();
});

it('is unavailable where there are no runs: nothing starts, and nothing is stored', async () => {
  const response = await person.ask({ mode: 'background', message: { text: 'Tidy up.' } });
  expect([response.status, ((await response.json()) as { error: string }).error]).toEqual([
    503,
    'background_runs_unavailable',
  ]);
  expect((await person.call('GET', `/api/threads?organization=${person.organization.id}`)).body.threads).toEqual([]);
  expect(web.gateway.upstream.requests).toHaveLength(0);
});

it('is started by its mode, or by naming a capability while no mode is given', async () => {
  const response = await person.ask(
    { mode: 'background', message: { text: 'Tidy up with @github.work.' } },
    { server: runs },
  );
  expect(await response.text()).toContain('"type":"data-job"');
  const threadId = response.headers.get('x-service-thread');
  expect(started).toMatchObject([
    {
      userId: person.id,
      organizationId: person.organization.id,
      workspaceId: person.organization.defaultId,
      threadId,
      objective: 'Tidy up with @github.work.',
      model: MODEL,
      capabilities: ['github.work'],
      idempotencyKey: response.headers.get('x-service-message'),
    },
  ]);
  const { body } = await person.call('GET', `/api/threads/${threadId}`);
  expect(body.thread.messages[1]).toMatchObject({
    role: 'assistant',
    parts: [{ type: 'data-job', data: { id: 'job_1', objective: 'Tidy up with @github.work.' } }],
    metadata: { finish: 'stop' },
  });

  await (await person.ask({ message: { text: 'List my issues, @github' } }, { server: runs })).text();
  expect(started).toHaveLength(2);
  expect(web.gateway.upstream.requests).toHaveLength(0);
});

it('is not started without a capability, nor when a direct answer is requested', async () => {
  for (const body of [
    { message: { text: 'Mail ada@github.com about @nobody and nobody@slack' } },
    { mode: 'answer', message: { text: 'What is @github?' } },
  ])
    expect(await (await person.ask(body, { server: runs })).text()).toContain('"type":"finish"');
  expect(started).toHaveLength(0);
});

it('is refused when a capability cannot be used', async () => {
  const response = await person.ask({ message: { text: 'Tell @slack and @github' } }, { server: runs });
  expect([response.status, await response.json()]).toMatchObject([
    409,
    { error: 'capability_unusable', details: { capability: 'slack' } },
  ]);
  expect(started).toHaveLength(0);
  expect((await person.call('GET', `/api/threads?organization=${person.organization.id}`)).body.threads).toEqual([]);
});

it('is refused for a model that the organization does not allow, and with attachments, which it could not read', async () => {
  await person.setPolicy({ disabled_models: [MODEL] });
  const denied = await person.ask({ mode: 'background', message: { text: 'Tidy up.' } }, { server: runs });
  expect([denied.status, await denied.json()]).toMatchObject([403, { error: 'policy_denied:model' }]);
  await person.setPolicy({ disabled_models: [] });
  const { body } = await person.upload('notes.txt', 'Some notes.');
  const attached = await person.ask(
    { mode: 'background', message: { text: 'Read it.', attachments: [body.id] } },
    { server: runs },
  );
  expect([attached.status, await attached.json()]).toMatchObject([
    400,
    { error: 'invalid_request', details: { 'message.attachments': expect.any(String) } },
  ]);
  expect(started).toHaveLength(0);
});

it('is part of what later messages are answered from', async () => {
  const response = await person.ask({ mode: 'background', message: { text: 'Tidy up.' } }, { server: runs });
  await response.text();
  await (
    await person.ask(
      { thread: response.headers.get('x-service-thread'), message: { text: 'What did it do?' } },
      { server: runs },
    )
  ).text();
  expect(JSON.stringify(web.gateway.upstream.requests[0]?.body)).toMatch(
    /Tidy up\..*It was tidied up\..*What did it do\?/,
  );
});
