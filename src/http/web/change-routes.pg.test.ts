import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { openTestDatabase, quiet, withSuperuser } from '../../../test/support/database.ts';
import {
  addOrganization,
  addPerson,
  addSession,
  join,
  joinWorkspace,
  type Person,
  type TestOrganization,
} from '../../../test/support/people.ts';
import { AUTH_SECRET, PUBLIC_URL } from '../../../test/support/http/web-app.ts';
import { notifyChange } from '../../connections/notify-change.ts';
import { CHANGED, type ChangeOnWire } from '../../contract/changes.ts';
import { insertRun } from '../../runs/record/insert-run.ts';
import { createAnnouncer } from '../../receipts/announce-appends.ts';
import type { Database } from '../../store/database.ts';
import { type Listener, openListener } from '../../store/listen.ts';
import { changeMemberRole, removeMember } from '../../tenancy/members/change-member.ts';
import { createWorkspace } from '../../tenancy/workspaces/create-workspace.ts';
import { type Serving, serve } from '../shell/serve.ts';
import { createOpenStreams, type OpenStreams } from '../shell/streams/open-streams.ts';
import { STREAM_KINDS } from '../shell/streams/stream-kinds.ts';
import { type ChangeRoutes, changeRoutes } from './change-routes.ts';

let db: Database;
let listener: Listener;
let routes: ChangeRoutes;
let streams: OpenStreams;
let serving: Serving;
let owner: Person;
let organization: TestOrganization;
beforeAll(async () => {
  db = await openTestDatabase({ poolMax: 4 });
  listener = openListener(db, quiet);
  streams = createOpenStreams({ db, log: quiet });
  routes = changeRoutes({
    db,
    log: quiet,
    listener,
    streams,
    settings: { publicUrl: PUBLIC_URL, authSecret: AUTH_SECRET, allowPrivateUrls: false },
  });
  serving = await serve((request, response) => routes.handle(request, response), { port: 0 });
});
afterAll(async () => {
  routes.close();
  streams.close();
  await serving.close();
  await listener.close();
  await db.close();
});
beforeEach(async () => {
  owner = await addPerson(db, 'owner');
  organization = await addOrganization(db, owner);
});

interface Stream {
  /** The changes heard up to and with the first of this table. */
  until(table: string): Promise<ChangeOnWire[]>;
  /** What was still heard before the stream ended. */
  rest(): Promise<ChangeOnWire[]>;
  leave(): Promise<void>;
}

const open = (token: string, asked: string): Promise<Response> =>
  fetch(`http://127.0.0.1:${serving.port}/api/changes?organization=${asked}`, {
    headers: { authorization: `Bearer ${token}` },
  });

/** Once it has answered, nothing that happens is missed. */
async function listen(person: Person, asked = organization.id): Promise<Stream> {
  const response = await open(await addSession(db, person), asked);
  expect(response.status).toBe(200);
  const reader = (response.body ?? expect.unreachable()).getReader();
  const decoder = new TextDecoder();
  const changes: ChangeOnWire[] = [];
  let text = '';
  async function more(): Promise<boolean> {
    const { done, value } = await reader.read();
    if (done) return false;
    const blocks = (text + decoder.decode(value)).split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks)
      if (block.startsWith('data: '))
        changes.push(...(JSON.parse(block.slice(6)) as { changes: ChangeOnWire[] }).changes);
    return true;
  }
  return {
    async until(table) {
      for (;;) {
        const at = changes.findIndex((change) => change.table === table);
        if (at >= 0) return changes.splice(0, at + 1);
        if (!(await more())) throw new Error(`the stream ended without ${table}: ${JSON.stringify(changes)}`);
      }
    },
    async rest() {
      while (await more());
      return changes;
    },
    leave: () => reader.cancel(),
  };
}

const touchPolicy = (organizationId: string): Promise<unknown> =>
  db.query(
    'insert into :schema.org_policy (organization_id) values ($1) on conflict (organization_id) do update set updated_at = now()',
    [organizationId],
  );

it('has a trigger on every table that it reports, and on no other', async () => {
  const { rows } = await db.query<{ name: string }>(
    "select c.relname as name from pg_trigger t join pg_class c on c.oid = t.tgrelid join pg_namespace n on n.oid = c.relnamespace where t.tgname = 'change_notice' and n.nspname = $1",
    [db.schema],
  );
  expect([...rows.map(({ name }) => name), 'connection', 'job', 'receipt'].sort()).toEqual([...CHANGED].sort());
});

it('is for members with a session, and does not reveal to others whether the organization exists', async () => {
  const stranger = await addSession(db, await addPerson(db, 'stranger'));
  expect((await open('none', organization.id)).status).toBe(401);
  expect((await open('none', '')).status).toBe(401);
  expect((await open(stranger, organization.id)).status).toBe(404);
  expect((await open(stranger, 'org_missing')).status).toBe(404);
  expect((await open(await addSession(db, owner), '')).status).toBe(400);
});

it('tells a member where another one changed something, never what', async () => {
  const member = await join(db, organization.id, await addPerson(db, 'member'), 'member');
  const { id } = await createWorkspace(db, { userId: owner.id, organizationId: organization.id }, { name: 'Plans' });
  await joinWorkspace(db, organization.id, id, member, 'member');
  const stream = await listen(member, organization.slug);
  await db.query('update :schema.workspace set name = $2 where id = $1', [id, 'Secret plans']);
  const heard = await stream.until('workspace');
  expect(heard).toEqual([{ table: 'workspace', workspace: id, id }]);
  expect(JSON.stringify(heard)).not.toMatch(/Secret|org_/);
  await stream.leave();
});

it('sends nothing about other organizations, other people, and workspaces that the viewer is not in', async () => {
  const other = await addPerson(db, 'other');
  const elsewhere = await addOrganization(db, other);
  const member = await join(db, organization.id, await addPerson(db, 'member'), 'member');
  const { id } = await createWorkspace(db, { userId: owner.id, organizationId: organization.id }, { name: 'Closed' });
  const stream = await listen(member);
  await touchPolicy(elsewhere.id);
  await db.query(
    "insert into :schema.chat_thread (id, organization_id, workspace_id, user_id, title) values ('thr_' || $1, $1, $2, $3, 'Private')",
    [organization.id, organization.defaultId, owner.id],
  );
  await db.query('update :schema.workspace set name = $2 where id = $1', [id, 'Still closed']);
  await touchPolicy(organization.id);
  const heard = await stream.until('org_policy');
  expect(heard.filter(({ table }) => table !== 'workspace')).toEqual([{ table: 'org_policy', id: organization.id }]);
  expect(heard.filter(({ workspace }) => workspace === id)).toEqual([]);
  await stream.leave();
});

it('reports runs, receipts and connections of the workspaces that the viewer is in', async () => {
  const { id } = await createWorkspace(db, { userId: owner.id, organizationId: organization.id }, { name: 'Runs' });
  const admin = await join(db, organization.id, await addPerson(db, 'admin'), 'admin');
  const [inside, outside] = [await listen(owner), await listen(admin)];
  const announcer = createAnnouncer(db, quiet);
  const { run } = await insertRun(db, {
    organizationId: organization.id,
    workspaceId: id,
    createdBy: owner.id,
    actor: 'user:x',
    kind: 'chat',
    objective: 'Do it',
  });
  announcer.announce([{ stream: `jobs/${run.id}` }, { stream: `connect/${id}` }]);
  await announcer.flush();
  await notifyChange(db, db, id);
  expect(await inside.until('job')).toContainEqual({ table: 'job', workspace: id, id: run.id });
  expect(await inside.until('receipt')).toContainEqual({ table: 'receipt', workspace: id });
  expect(await inside.until('connection')).toContainEqual({ table: 'connection', workspace: id });
  await touchPolicy(organization.id);
  expect(
    (await outside.until('org_policy'))
      .map(({ table }) => table)
      .filter((table) => ['job', 'receipt', 'connection'].includes(table)),
  ).toEqual([]);
  await inside.leave();
  await outside.leave();
});

it('reports a change in what the viewer may see', async () => {
  const member = await join(db, organization.id, await addPerson(db, 'member'), 'member');
  const { id } = await createWorkspace(
    db,
    { userId: owner.id, organizationId: organization.id },
    { name: 'Gone soon' },
  );
  await joinWorkspace(db, organization.id, id, member, 'member');
  const stream = await listen(member);
  await db.query('delete from :schema.workspace where id = $1', [id]);
  expect(await stream.until('workspace')).toContainEqual({ table: 'workspace' });
  await changeMemberRole(db, { userId: owner.id, organizationId: organization.id }, member.id, 'admin');
  expect(await stream.until('workspace')).toContainEqual({ table: 'workspace' });
  await stream.leave();
});

it('ends when the person is no longer a member, and sends nothing after that', async () => {
  const member = await join(db, organization.id, await addPerson(db, 'member'), 'member');
  const stream = await listen(member);
  await removeMember(db, { userId: owner.id, organizationId: organization.id }, member.id);
  await touchPolicy(organization.id);
  expect((await stream.rest()).map(({ table }) => table)).not.toContain('org_policy');
});

it('asks everyone to read again when notifications may have been lost', async () => {
  const stream = await listen(owner);
  await withSuperuser((client) =>
    client.query('select pg_terminate_backend(pid) from pg_stat_activity where query = $1', [`listen "${db.schema}"`]),
  );
  expect(await stream.until('*')).toContainEqual({ table: '*' });
  await stream.leave();
});

it('refuses one more than a person may have, and keeps those that are open', async () => {
  const token = await addSession(db, owner);
  const { maxPerPerson } = STREAM_KINDS.changes;
  const first = await listen(owner);
  const more = await Promise.all(Array.from({ length: maxPerPerson - 1 }, () => open(token, organization.id)));
  expect(more.map(({ status }) => status)).toEqual(more.map(() => 200));
  const refused = await open(token, organization.id);
  expect([refused.status, refused.headers.get('retry-after'), await refused.json()]).toEqual([
    429,
    '30',
    expect.objectContaining({ error: 'too_many_streams' }),
  ]);
  await touchPolicy(organization.id);
  await first.until('org_policy');
  await Promise.all(more.map(({ body }) => body?.cancel()));
});
