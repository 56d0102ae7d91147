import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { AppError } from '../../src/base/errors.ts';
import type { BackgroundRun } from '../../src/chat/answer-thread.ts';
import { type ChatPerson, type ChatServer, type ChatWeb, MODEL, startChatWeb } from '../support/chat-web.ts';

let web: ChatWeb;
let runs: ChatServer;
let person: ChatPerson;
const started: BackgroundRun[] = [];
beforeAll(async () => {
  web = await startChatWeb();
  runs = await web.startServer({
    listCapabilityKeys: async () => new Set(['github', 'github.work', 'slack']),
    async startBackgroundRun(run) {
      if (run.capabilities.includes('slack')) throw new AppError('capability_unusable', { capability: 'slack' });
      started.push(run);
      return { id: 'job_1' };
    },
  });
});
afterAll(() => web.close());
beforeEach(async () => {
  started.length = 0;
  web.gateway.upstream.reset();
  person = await web.newPerson();
});

it('is unavailable where there are no runs: nothing starts, and the message stays', async () => {
  const response = await person.ask({ mode: 'background', message: { text: 'Tidy up.' } });
  expect([response.status, ((await response.json()) as { error: string }).error]).toEqual([503, 'background_runs_unavailable']);
  const { body } = await person.call('GET', `/api/threads/${response.headers.get('x-service-thread')}`);
  expect(body.thread.messages).toMatchObject([{ role: 'user', parts: [{ text: 'Tidy up.' }] }]);
  expect(web.gateway.upstream.requests).toHaveLength(0);
});

it('is started by its mode, or by naming a capability while no mode is given', async () => {
  const response = await person.ask({ mode: 'background', message: { text: 'Tidy up with @github.work.' } }, { server: runs });
  expect(await response.text()).toContain('"type":"data-job"');
  const threadId = response.headers.get('x-service-thread');
  expect(started).toMatchObject([{ userId: person.id, organizationId: person.organization.id, workspaceId: person.organization.defaultId, threadId, objective: 'Tidy up with @github.work.', model: MODEL, capabilities: ['github.work'], idempotencyKey: response.headers.get('x-service-message') }]);
  const { body } = await person.call('GET', `/api/threads/${threadId}`);
  expect(body.thread.messages[1]).toMatchObject({ role: 'assistant', parts: [{ type: 'data-job', data: { id: 'job_1', objective: 'Tidy up with @github.work.' } }], metadata: { finish: 'stop' } });

  await (await person.ask({ message: { text: 'List my issues, @github' } }, { server: runs })).text();
  expect(started).toHaveLength(2);
  expect(web.gateway.upstream.requests).toHaveLength(0);
});

it('is not started by what names no capability, nor where a direct answer is asked for', async () => {
  for (const body of [{ message: { text: 'Mail ada@github.com about @nobody and @github.other' } }, { mode: 'answer', message: { text: 'What is @github?' } }]) expect(await (await person.ask(body, { server: runs })).text()).toContain('"type":"finish"');
  expect(started).toHaveLength(0);
});

it('is refused when a capability cannot be used', async () => {
  const response = await person.ask({ message: { text: 'Tell @slack and @github' } }, { server: runs });
  expect([response.status, ((await response.json()) as { error: string }).error]).toEqual([409, 'capability_unusable']);
  expect(started).toHaveLength(0);
});
