// Ratings over HTTP: what is refused, and the files that owners export.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Client, openTestWeb, type TestWeb } from '../../../test/support/http/web-app.ts';
import { addOrganization, join, type TestOrganization } from '../../../test/support/people.ts';
import { newId } from '../../base/ids.ts';
import { FEEDBACK_LIMITS } from '../../contract/feedback/feedback-limits.ts';
import { appendMessage } from '../../threads/messages.ts';
import { insertThread } from '../../threads/threads.ts';

let web: TestWeb;
let owner: Client;
let member: Client;
let org: TestOrganization;
beforeAll(async () => {
  web = await openTestWeb();
  owner = await web.signIn('Olga');
  org = await addOrganization(web.db, owner);
  member = await web.signIn('Kai');
  await join(web.db, org.id, member, 'member');
});
afterAll(() => web.close());

async function newAnswer(): Promise<{ thread: string; path: string }> {
  const [thread, message] = [newId('thr'), newId('msg')];
  const place = { organizationId: org.id, workspaceId: org.defaultId, workspacePicked: false };
  await insertThread(web.db, { id: thread, ...place, userId: member.id, title: 'A chat' });
  await appendMessage(web.db, thread, {
    id: message,
    role: 'assistant',
    parts: [{ type: 'text', text: 'Secret words.' }],
    metadata: { model: 'a/b' },
  });
  return { thread, path: `/api/threads/${thread}/messages/${message}/feedback` };
}

it('refuses a rating that there is not, a reason with NUL and one that is too long, and stores nothing', async () => {
  const { thread, path } = await newAnswer();
  for (const body of [
    { rating: 'great' },
    {},
    { rating: 'up', reason: 'a\0b' },
    { rating: 'up', reason: 'x'.repeat(FEEDBACK_LIMITS.reason + 1) },
    { rating: 'up', include: 'yes' },
    { rating: 'up', text: 'x' },
  ]) {
    const { status, body: refusal } = await member.call('PUT', path, body);
    expect([status, refusal['error']], JSON.stringify(body)).toEqual([400, 'invalid_request']);
  }
  expect((await member.call('DELETE', path)).status).toBe(404);
  const { body: shown } = await member.call('GET', `/api/threads/${thread}`);
  expect(JSON.stringify(shown)).not.toContain('feedback');
  expect((await member.call('PUT', path, { rating: 'down', reason: ' Too long. ' })).body).toEqual({
    feedback: { rating: 'down', reason: 'Too long.', include: false },
  });
  expect(JSON.stringify((await member.call('GET', `/api/threads/${thread}`)).body)).toContain(
    '"feedback":{"rating":"down","reason":"Too long.","include":false}',
  );
});

it('is listed for owners as JSON in pages and as CSV, where nothing is a formula', async () => {
  for (const reason of ['=1+1', 'two, three']) {
    const { path } = await newAnswer();
    await member.call('PUT', path, { rating: 'up', reason, include: reason !== '=1+1' });
  }
  const at = `/api/organizations/${org.id}/feedback`;
  expect((await member.call('GET', at)).status).toBe(403);
  const first = await owner.call('GET', `${at}?rating=up&limit=1`);
  expect(first.body).toMatchObject({
    feedback: [{ reason: 'two, three', member: member.id, answer: 'Secret words.' }],
    total: { up: 2, down: 0 },
  });
  const rest = await owner.call('GET', `${at}?rating=up&limit=1&cursor=${String(first.body['cursor'])}`);
  expect(rest.body).toMatchObject({ feedback: [{ reason: '=1+1' }] });
  expect(rest.text).not.toContain('Secret words.');
  const csv = await owner.call('GET', `${at}?rating=up`, undefined, { accept: 'text/csv' });
  expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  const [columns, ...lines] = csv.text.trimEnd().split('\r\n');
  expect(columns).toBe(
    'id,createdAt,rating,reason,model,served,project,workspace,thread,message,member,question,answer',
  );
  expect(lines[0]).toContain(',up,"two, three",a/b,,,');
  expect(lines[1]).toContain(",up,'=1+1,a/b,,,");
  expect((await member.call('GET', at, undefined, { accept: 'text/csv' })).status).toBe(403);
  for (const query of ['rating=great', 'from=yesterday', 'cursor=prj_1', 'from=2026-02-02&to=2026-02-01'])
    expect((await owner.call('GET', `${at}?${query}`)).status, query).toBe(400);
});

it('refuses a role of a project that there is not, and a project of nowhere like one of others', async () => {
  const { body } = await member.call('POST', '/api/projects', { organization: org.id, name: 'Mine' });
  const { id } = (body as unknown as { project: { id: string } }).project;
  const share = (who: Client, project: string, sharing: string) =>
    who.call('PUT', `/api/projects/${project}/sharing`, { sharing });
  expect((await share(member, id, 'own')).status).toBe(400);
  const [private_, unknown, strange] = [
    await share(owner, id, 'edit'),
    await share(owner, 'prj_unknown', 'edit'),
    await share(await web.signIn(), id, 'edit'),
  ];
  expect(private_.status).toBe(404);
  expect([unknown.text, strange.text]).toEqual([private_.text, private_.text]);
  expect((await member.call('GET', `/api/projects/${id}`)).body).toMatchObject({ project: { sharing: 'private' } });
});
