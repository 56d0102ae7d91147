import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestDatabase, withSuperuser } from '../../test/support/database.ts';
import {
  addOrganization,
  addPerson,
  join,
  joinWorkspace,
  outcome,
  type Person,
  type TestOrganization,
} from '../../test/support/people.ts';
import { appendReceipts, findHead } from '../receipts/append-receipts.ts';
import { linkReceipt, receiptText } from '../receipts/receipt.ts';
import { appendRunReceipt } from '../runs/record/move-run.ts';
import { insertRun } from '../runs/record/insert-run.ts';
import type { Database } from '../store/database.ts';
import { createWorkspace } from '../tenancy/workspaces/create-workspace.ts';
import { findMembership } from '../tenancy/members/find-membership.ts';
import { type ReceiptSearch, searchReceipts } from './search-receipts.ts';

let db: Database;
let ada: Person;
let bea: Person;
let organization: TestOrganization;
let lab: string;
let runId: string;

const at = (minute: number): Date => new Date(Date.UTC(2026, 0, 1, 12, minute));
const IN_GITHUB = { provider: 'github', name: 'default', tool: 'list-repositories' };

async function append(stream: string, kind: string, actor: string, body: object, minute: number): Promise<void> {
  const text = receiptText({ kind, actor, body: body as Record<string, never> }, at(minute));
  expect(await appendReceipts(db, [linkReceipt(stream, await findHead(db, stream), text)])).toEqual(new Set([stream]));
}

beforeAll(async () => {
  db = await openTestDatabase();
  ada = await addPerson(db, 'ada');
  bea = await addPerson(db, 'bea');
  organization = await addOrganization(db, ada);
  await join(db, organization.id, bea, 'member');
  const membership = await findMembership(db, { userId: ada.id, organizationId: organization.id });
  if (!membership) throw new Error('the owner is a member');
  lab = (await createWorkspace(db, membership, { name: 'Lab' })).id;

  await append(`connect/${organization.defaultId}`, 'tool.called', `user:${ada.id}`, IN_GITHUB, 0);
  await append(
    `connect/${organization.defaultId}`,
    'tool.observed',
    `user:${ada.id}`,
    { ...IN_GITHUB, status: 200 },
    1,
  );
  await append(`connect/${lab}`, 'tool.failed', `user:${ada.id}`, { ...IN_GITHUB, provider: 'slack', error: 'x' }, 2);
  const { run } = await insertRun(
    db,
    {
      organizationId: organization.id,
      workspaceId: organization.defaultId,
      createdBy: bea.id,
      actor: `user:${bea.id}`,
      kind: 'chat',
      objective: 'Count the "tool":"secret" stars',
    },
    at(3),
  );
  runId = run.id;
  const begun = await appendRunReceipt(db, run, {
    kind: 'job.started',
    actor: 'system:worker-chat',
    body: { attempt: 1 },
  });
  await appendRunReceipt(db, begun ?? expect.unreachable(), {
    kind: 'job.progress',
    actor: 'system:worker-chat',
    body: { attempt: 1, progress: { type: 'tool.ended', tool: 'github--work__list-issues', ok: true, ms: 3 } },
  });
});
afterAll(() => db?.close());

const reader = (person: Person) => ({ userId: person.id, organizationId: organization.id });
async function find(person: Person, search: Partial<ReceiptSearch> = {}, more: object = {}): Promise<string[]> {
  const { found } = await searchReceipts(db, { ...reader(person), ...more }, { limit: 50, ...search });
  return found.map(({ receipt, app, tool }) =>
    [/"kind":"([^"]*)"}$/.exec(receipt.text)?.[1], app, tool].filter((word) => word !== undefined).join(' '),
  );
}

const RUN = ['job.progress github list-issues', 'job.started', 'job.queued'];
const CALLS = ['tool.observed github list-repositories', 'tool.called github list-repositories'];
const IN_LAB = 'tool.failed slack list-repositories';

describe('searching receipts', () => {
  it('finds those of every stream that the caller may read, newest first', async () => {
    expect(await find(ada)).toEqual([...RUN, IN_LAB, ...CALLS]);
  });

  it('hides the streams of workspaces that the caller is not in, until they are', async () => {
    expect(await find(bea)).toEqual([...RUN, ...CALLS]);
    expect(await find(bea, { workspaceId: lab })).toEqual([]);
    await joinWorkspace(db, organization.id, lab, bea, 'member');
    expect(await find(bea, { workspaceId: lab })).toEqual([IN_LAB]);
    await db.query('delete from :schema.workspace_member where workspace_id = $1 and user_id = $2', [lab, bea.id]);
  });

  it('finds nothing for strangers, other organizations and tokens of other workspaces', async () => {
    const stranger = await addPerson(db, 'stranger');
    const elsewhere = await addOrganization(db, stranger);
    expect(await find(stranger)).toEqual([]);
    expect(await find(stranger, {}, { organizationId: elsewhere.id })).toEqual([]);
    expect(await find(ada, {}, { organizationId: elsewhere.id })).toEqual([]);
    expect(await find(ada, {}, { organizationId: undefined })).toEqual([]);
    expect(await find(ada, {}, { workspaceId: lab })).toEqual([IN_LAB]);
    expect(await find(ada, { workspaceId: organization.defaultId }, { workspaceId: lab })).toEqual([]);
  });

  it('filters by person, app, tool, kind and time, and by all of them together', async () => {
    expect(await find(ada, { person: bea.id })).toEqual(RUN);
    expect(await find(ada, { person: ada.id })).toEqual([IN_LAB, ...CALLS]);
    expect(await find(ada, { app: 'github' })).toEqual([RUN[0], ...CALLS]);
    expect(await find(ada, { tool: 'list-repositories' })).toEqual([IN_LAB, ...CALLS]);
    expect(await find(ada, { tool: 'secret' })).toEqual([]);
    expect(await find(ada, { kinds: ['tool.failed', 'job.queued', 'tool.failed'] })).toEqual(['job.queued', IN_LAB]);
    expect(await find(ada, { since: at(1), until: at(3) })).toEqual([IN_LAB, CALLS[0]]);
    expect(
      await find(ada, { person: ada.id, app: 'github', kinds: ['tool.observed'], since: at(0), until: at(2) }),
    ).toEqual([CALLS[0]]);
  });

  it('says which run a receipt belongs to, and gives the receipt as it is stored', async () => {
    const { found } = await searchReceipts(db, reader(ada), { limit: 1, kinds: ['job.queued'] });
    expect(found).toMatchObject([
      {
        workspaceId: organization.defaultId,
        person: bea.id,
        run: { id: runId, objective: 'Count the "tool":"secret" stars', status: 'running' },
      },
    ]);
    expect(found[0]?.receipt.text).toContain(`"actor":"user:${bea.id}"`);
  });

  it('pages without a gap or a repetition, also among receipts of the same moment', async () => {
    for (let n = 0; n < 7; n++) await append(`connect/${lab}`, 'tool.called', `user:${ada.id}`, { tool: `t${n}` }, 9);
    const all = await find(ada, { workspaceId: lab });
    const paged: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await searchReceipts(db, reader(ada), { limit: 3, workspaceId: lab, cursor });
      paged.push(...page.found.map(({ receipt: { index } }) => String(index)));
      cursor = page.cursor;
    } while (cursor !== undefined);
    expect(all).toHaveLength(8);
    expect(paged).toEqual(['7', '6', '5', '4', '3', '2', '1', '0']);
  });

  it('refuses a cursor that it did not give', async () => {
    expect(await outcome(find(ada, { cursor: 'nonsense' }))).toBe('invalid_request');
  });

  it('takes any text as a receipt, and leaves out one that is gone', async () => {
    const odd = `connect/${lab}`;
    const texts = [
      'not json',
      `{"actor":"user:${'x'.repeat(5000)}","tool":"${'y'.repeat(5000)}","kind":"tool.called"}`,
    ];
    for (const text of texts) await appendReceipts(db, [linkReceipt(odd, await findHead(db, odd), text)]);
    expect(await find(ada, { workspaceId: lab, until: at(0) })).toHaveLength(2);
    await withSuperuser(async (client) => {
      await client.query('set session_replication_role = replica');
      await client.query(`delete from "${db.schema}".receipt where stream = $1 and body = $2`, [odd, texts[0]]);
    });
    expect(await find(ada, { workspaceId: lab, until: at(0) })).toHaveLength(1);
  });
});
