// Chat that starts background runs, over a real web server, a real runtime and a real broker.
import { createServer, request as httpRequest, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createWorkspace } from '../../src/tenancy/workspaces/create-workspace.ts';
import type { Body } from '../support/http-client.ts';
import { type RuntimeStand, openRuntimeStand } from '../support/runs/runtime-stand.ts';
import { addPerson, addSession, join, joinWorkspace, type Person } from '../support/people.ts';

let stand: RuntimeStand;
let session: string;
let proxy: Server;
/** How many of the next answers of the runtime are lost on their way to the web server. */
let lose = 0;

beforeAll(async () => {
  stand = await openRuntimeStand();
  session = await addSession(stand.db, stand.owner);
  proxy = createServer((incoming, outgoing) => {
    const onward = httpRequest(
      `${stand.url}${incoming.url}`,
      { method: incoming.method, headers: incoming.headers },
      (answer) => {
        if (lose > 0) {
          lose -= 1;
          answer.resume().once('end', () => incoming.socket.destroy());
        } else answer.pipe(outgoing.writeHead(answer.statusCode ?? 500, answer.headers));
      },
    );
    onward.once('error', () => incoming.socket.destroy());
    incoming.pipe(onward);
  });
  await new Promise<void>((resolve) => void proxy.listen(0, '127.0.0.1', resolve));
  for (const part of ['broker', 'api', 'driver', 'worker-chat'] as const) await stand.start(part);
  await stand.start('web', {
    environment: { SERVICE_RUNTIME_URL: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}` },
  });
});
afterAll(async () => {
  proxy?.close();
  proxy?.closeAllConnections();
  await stand?.close();
});

interface Asked {
  readonly status: number;
  readonly thread: string;
  readonly message: string;
  readonly refusal: Body;
  readonly chunks: Body[];
}

async function ask(body: Record<string, unknown>, as = session): Promise<Asked> {
  const response = await fetch(`${stand.webUrl}/api/chat`, {
    method: 'POST',
    headers: { authorization: `Bearer ${as}`, 'content-type': 'application/json' },
    body: JSON.stringify({ organization: stand.organization.id, model: 'openai/gpt-5-mini', ...body }),
  });
  const text = await response.text();
  return {
    status: response.status,
    thread: response.headers.get('x-service-thread') ?? '',
    message: response.headers.get('x-service-message') ?? '',
    refusal: response.ok ? undefined : JSON.parse(text),
    chunks: [...text.matchAll(/^data: (\{.*)$/gm)].map(([, json = '']) => JSON.parse(json)),
  };
}

async function show(thread: string, as = session): Promise<Body> {
  const response = await fetch(`${stand.webUrl}/api/threads/${thread}`, { headers: { authorization: `Bearer ${as}` } });
  return ((await response.json()) as Body).thread;
}

const startedBy = ({ chunks }: Asked): Body => chunks.find(({ type }) => type === 'data-job')?.data;
const countJobs = async (): Promise<number> =>
  Number(
    (
      await stand.db.query<{ count: string }>('select count(*) from :schema.job where organization_id = $1', [
        stand.organization.id,
      ])
    ).rows[0]?.count,
  );

async function connect(provider: string, status: 'valid' | 'expired', name = 'default'): Promise<void> {
  await stand.db.query(
    `insert into :schema.org_connection_secret (id, organization_id, workspace_id, provider, name, kind, status, ciphertext, iv, auth_tag, key_version)
     values ($1, $2, $3, $4, $5, 'code-host-token', $6, ''::bytea, decode(repeat('00', 12), 'hex'), decode(repeat('00', 16), 'hex'), 1)`,
    [`con_${provider}_${name}`, stand.organization.id, stand.organization.defaultId, provider, name, status],
  );
}

it('starts a run, follows it to its end in the thread, and pays from the organization scope', async () => {
  const asked = await ask({ mode: 'background', message: { text: 'tidy the house' } });
  expect(asked.status).toBe(200);
  expect(startedBy(asked)).toMatchObject({ objective: 'tidy the house', status: 'queued' });
  expect(asked.chunks.at(-1)).toMatchObject({ type: 'finish', finishReason: 'stop' });
  const { id } = startedBy(asked);
  const job = await stand.until(id, 'completed');
  expect(job).toMatchObject({
    kind: 'chat',
    createdBy: stand.owner.id,
    workspace: stand.organization.defaultId,
    model: 'openai/gpt-5-mini',
    capabilities: [],
    startedWith: 'session',
    scopes: ['connect:read', 'connect:write', 'jobs:write'],
  });
  expect(job.fundingWorkspace).toBeUndefined();
  const [question, answer] = (await show(asked.thread)).messages;
  expect(question).toMatchObject({ id: asked.message, role: 'user' });
  expect(answer.parts).toEqual([
    {
      type: 'data-job',
      data: {
        id,
        objective: 'tidy the house',
        status: 'completed',
        result: expect.stringContaining('Done: tidy the house'),
        endedAt: job.endedAt,
      },
    },
  ]);
});

it('gives a run of a project its instructions, in a new chat and in one that is moved there', async () => {
  const call = async (method: string, path: string, body: Body): Promise<Body> =>
    (
      await fetch(`${stand.webUrl}${path}`, {
        method,
        headers: { authorization: `Bearer ${session}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
    ).json();
  const { project } = await call('POST', '/api/projects', {
    organization: stand.organization.id,
    name: 'Atlas',
    instructions: 'Write everything in rhymes.',
  });
  const told = 'tidy the garden\n\nInstructions of the project "Atlas":\n\nWrite everything in rhymes.';
  const inProject = await ask({ mode: 'background', project: project.id, message: { text: 'tidy the garden' } });
  expect(startedBy(inProject)).toMatchObject({ objective: told });
  expect(await stand.until(startedBy(inProject).id, 'completed')).toMatchObject({
    objective: told,
    project: project.id,
  });
  const { rows } = await stand.db.query<{ body: string }>(
    'select body from :schema.receipt where stream = $1 and idx = 0',
    [`jobs/${startedBy(inProject).id}`],
  );
  expect(JSON.parse(rows[0]?.body ?? '{}')).toMatchObject({ kind: 'job.queued', body: { project: project.id } });

  const { thread } = await ask({ mode: 'background', message: { text: 'tidy the garden' } });
  await call('PATCH', `/api/threads/${thread}`, { project: project.id });
  const moved = await ask({ mode: 'background', thread, message: { text: 'tidy the garden' } });
  expect(startedBy(moved)).toMatchObject({ objective: told });
  await call('PATCH', `/api/threads/${thread}`, { project: null });
  const out = await ask({ mode: 'background', thread, message: { text: 'tidy the garden' } });
  expect(startedBy(out)).toMatchObject({ objective: 'tidy the garden' });
  // The message itself is as it was written.
  const [question] = (await show(inProject.thread)).messages;
  expect(question.parts).toEqual([{ type: 'text', text: 'tidy the garden' }]);
});

it('shows a failure with its reason', async () => {
  const asked = await ask({ mode: 'background', message: { text: 'fail please' } });
  await stand.until(startedBy(asked).id, 'failed');
  const [, answer] = (await show(asked.thread)).messages;
  expect(answer.parts[0].data).toMatchObject({
    status: 'failed',
    error: expect.stringContaining('It was told to fail.'),
  });
});

it('starts by naming a usable capability, and refuses one that is expired or missing, starting nothing', async () => {
  await connect('github', 'valid');
  await connect('gitlab', 'expired');
  const usable = await ask({ message: { text: 'list my issues with @github, please' } });
  const { body } = await stand.request('GET', `/jobs/${startedBy(usable).id}`);
  expect(body.job.capabilities).toEqual(['github']);

  const before = await countJobs();
  for (const [text, capability] of [
    ['ask @gitlab', 'gitlab'],
    ['ask @github and @slack', 'slack'],
    ['use @github.work', 'github.work'],
  ]) {
    const refused = await ask({ message: { text } });
    expect([refused.status, refused.refusal]).toMatchObject([
      409,
      { error: 'capability_unusable', details: { capability } },
    ]);
    expect(refused.thread).toBe('');
  }
  const named = await ask({ mode: 'background', capabilities: ['nothing-like-it'], message: { text: 'do it' } });
  expect([named.status, named.refusal]).toMatchObject([409, { details: { capability: 'nothing-like-it' } }]);
  expect(await countJobs()).toBe(before);
});

it('treats a word after an @ that is not a connector as plain text', async () => {
  const asked = await ask({ mode: 'background', message: { text: 'write to @nobody' } });
  const { body } = await stand.request('GET', `/jobs/${startedBy(asked).id}`);
  expect(body.job.capabilities).toEqual([]);
});

it('passes the refusals of the runtime on under their own code', async () => {
  const model = await ask({ mode: 'background', model: 'anthropic/claude-sonnet-5', message: { text: 'do it' } });
  expect([model.status, model.refusal.error]).toEqual([400, 'model_not_supported_for_runs']);
  const long = await ask({ mode: 'background', message: { text: 'x'.repeat(100_001) } });
  expect([long.status, long.refusal]).toMatchObject([
    400,
    { error: 'invalid_request', details: { objective: expect.any(String) } },
  ]);
});

it('starts nothing twice for one message, although the first answer was lost', async () => {
  const before = await countJobs();
  lose = 1;
  const asked = await ask({ mode: 'background', message: { text: 'only once' } });
  expect(asked.status).toBe(200);
  expect(await countJobs()).toBe(before + 1);
  const { rows } = await stand.db.query<{ idempotency_key: string }>(
    'select idempotency_key from :schema.job where id = $1',
    [startedBy(asked).id],
  );
  expect(rows[0]?.idempotency_key).toBe(asked.message);
});

it('keeps the message when the runtime cannot be reached', async () => {
  lose = 2;
  const asked = await ask({ mode: 'background', message: { text: 'later' } });
  expect([asked.status, asked.refusal.error]).toEqual([503, 'runtime_unreachable']);
  expect((await show(asked.thread)).messages).toMatchObject([
    { role: 'user', parts: [{ text: 'later' }], metadata: { error: { code: 'runtime_unreachable' } } },
  ]);
});

it('shows nothing more of a run to a person who has left its workspace', async () => {
  const { id: workspace } = await createWorkspace(
    stand.db,
    { userId: stand.owner.id, organizationId: stand.organization.id },
    { name: 'Lab' },
  );
  const member: Person = await join(stand.db, stand.organization.id, await addPerson(stand.db, 'member'), 'member');
  await joinWorkspace(stand.db, stand.organization.id, workspace, member, 'member');
  const own = await addSession(stand.db, member);
  const asked = await ask({ workspace, mode: 'background', message: { text: 'in the lab' } }, own);
  const { id } = startedBy(asked);
  expect((await show(asked.thread, own)).messages[1].parts[0].data.status).toEqual(expect.any(String));
  await stand.db.query('delete from :schema.workspace_member where workspace_id = $1 and user_id = $2', [
    workspace,
    member.id,
  ]);
  expect((await show(asked.thread, own)).messages[1].parts).toEqual([
    { type: 'data-job', data: { id, objective: 'in the lab' } },
  ]);
});

it('hides a thread from a person who has left its organization', async () => {
  const member = await join(stand.db, stand.organization.id, await addPerson(stand.db, 'leaver'), 'member');
  const own = await addSession(stand.db, member);
  const { thread } = await ask({ mode: 'background', message: { text: 'before I go' } }, own);
  // Deleting the member would take the thread along: here only the membership goes, as it would in a half-restored database.
  await stand.db.transaction(async (tx) => {
    await tx.query('set local session_replication_role = replica');
    await tx.query('delete from :schema.organization_member where organization_id = $1 and user_id = $2', [
      stand.organization.id,
      member.id,
    ]);
  });
  const status = async (method: string, path: string, body?: unknown): Promise<number> =>
    (
      await fetch(`${stand.webUrl}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${own}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
    ).status;
  expect([
    await status('GET', `/api/threads/${thread}`),
    await status('PATCH', `/api/threads/${thread}`, { title: 'Mine' }),
    await status('GET', `/api/chat/${thread}/stream`),
    await status('POST', `/api/chat/${thread}/stop`),
    await status('DELETE', `/api/threads/${thread}`),
  ]).toEqual([404, 404, 404, 404, 404]);
  const { rows } = await stand.db.query<{ title: string }>('select title from :schema.chat_thread where id = $1', [
    thread,
  ]);
  expect(rows).toMatchObject([{ title: expect.stringContaining('before I go') }]);
});
