// Who can make and open the link of a shared thread.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openTestDatabase } from '../../test/support/database.ts';
import {
  addOrganization,
  addPerson,
  join,
  joinWorkspace,
  outcome,
  type Person,
  type TestOrganization,
} from '../../test/support/people.ts';
import { newId } from '../base/ids.ts';
import type { Database } from '../store/database.ts';
import { createWorkspace } from '../tenancy/workspaces/create-workspace.ts';
import { appendMessage } from './messages.ts';
import { findShare, openShare, removeShare, saveShare } from './shares.ts';
import { insertThread, removeThread } from './threads.ts';
import { setAside } from './versions.ts';

let db: Database;
let owner: Person;
let colleague: Person;
let admin: Person;
let organization: TestOrganization;
let lab: { readonly id: string };
let thread: string;
beforeAll(async () => {
  db = await openTestDatabase();
  owner = await addPerson(db, 'Olga');
  organization = await addOrganization(db, owner);
  colleague = await join(db, organization.id, await addPerson(db, 'Kai'), 'member');
  admin = await join(db, organization.id, await addPerson(db, 'Ada'), 'admin');
  lab = await createWorkspace(db, { userId: owner.id, organizationId: organization.id }, { name: 'Lab' });
  await joinWorkspace(db, organization.id, lab.id, colleague, 'member');
});
afterAll(() => db.close());
beforeEach(async () => {
  thread = newId('thr');
  await insertThread(db, {
    id: thread,
    organizationId: organization.id,
    workspaceId: lab.id,
    workspacePicked: true,
    userId: owner.id,
    title: 'Plans',
  });
  await say('What is the plan?');
});

async function say(text: string, role: 'user' | 'assistant' = 'user'): Promise<string> {
  const id = newId('msg');
  await appendMessage(db, thread, {
    id,
    role,
    parts: [
      { type: 'reasoning', text: 'private thoughts' },
      { type: 'text', text },
    ],
    metadata: role === 'user' ? {} : { model: 'a/b', cost: 0.5, credential: 'platform' },
  });
  return id;
}

const open = (person: Person, shareId: string) => openShare(db, person.id, { shareId, before: undefined, limit: 50 });
const textsOf = async (person: Person, shareId: string): Promise<string[]> =>
  (await open(person, shareId)).messages.flatMap(({ parts }) =>
    parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])),
  );
const setPolicy = (disabled: boolean): Promise<unknown> =>
  db.query(
    'insert into :schema.org_policy (organization_id, disable_sharing) values ($1, $2) on conflict (organization_id) do update set disable_sharing = $2',
    [organization.id, disabled],
  );

describe('the copy', () => {
  it('has what was said when it was made, until it is brought up to date', async () => {
    await say('Ship it.', 'assistant');
    const share = await saveShare(db, owner, thread);
    expect(share).toMatchObject({ messages: 2 });
    await say('And then?');
    expect(await textsOf(colleague, share.id)).toEqual(['What is the plan?', 'Ship it.']);

    const again = await saveShare(db, owner, thread);
    expect(again).toMatchObject({ id: share.id, createdAt: share.createdAt, messages: 3 });
    expect(await textsOf(colleague, share.id)).toEqual(['What is the plan?', 'Ship it.', 'And then?']);
    // An edit in the thread does not reach it.
    await db.transaction((tx) => setAside(tx, thread, 2));
    expect(await textsOf(colleague, share.id)).toHaveLength(3);
  });

  it('has neither thoughts nor costs', async () => {
    await say('Ship it.', 'assistant');
    const { id } = await saveShare(db, owner, thread);
    const shared = await open(colleague, id);
    expect(shared).toMatchObject({ title: 'Plans', sharedBy: 'Olga', workspace: lab.id });
    expect(shared.messages[1]).toMatchObject({ metadata: { model: 'a/b' }, parts: [{ type: 'text' }] });
    expect(JSON.stringify(shared)).not.toMatch(/thoughts|cost|platform/);
  });

  it('names who answered and the sources of an answer, without their text and their file', async () => {
    await appendMessage(db, thread, {
      id: newId('msg'),
      role: 'assistant',
      parts: [{ type: 'text', text: 'At noon [1].' }],
      metadata: {
        model: 'a/b',
        served: 'a/c',
        sources: [{ number: 1, file: newId('pfl'), name: 'handbook.md', position: 3, excerpt: 'Fed at noon.' }],
      },
    });
    const { id } = await saveShare(db, owner, thread);
    const [question, answer] = (await open(colleague, id)).messages;
    expect(question).not.toHaveProperty('sources');
    expect(answer).toMatchObject({ metadata: { model: 'a/b', served: 'a/c' } });
    expect(answer?.sources).toEqual([{ number: 1, name: 'handbook.md' }]);
  });

  it('is read in pages', async () => {
    for (let i = 0; i < 120; i++) await say(String(i));
    const { id } = await saveShare(db, owner, thread);
    const last = await openShare(db, colleague.id, { shareId: id, before: undefined, limit: 100 });
    expect(last.messages).toHaveLength(100);
    expect(last.messages.at(-1)).toMatchObject({ position: 120 });
    const first = await openShare(db, colleague.id, { shareId: id, before: last.messages[0]?.position, limit: 100 });
    expect(first.messages.map(({ position }) => position)).toEqual(Array.from({ length: 21 }, (_, i) => i));
  });
});

describe('the link', () => {
  it('opens for members of the workspace, and for nobody else', async () => {
    const stranger = await addPerson(db, 'Sam');
    await addOrganization(db, stranger);
    const outsider = await join(db, organization.id, await addPerson(db, 'Otto'), 'member');
    const { id } = await saveShare(db, owner, thread);
    const tried = async (person: Person): Promise<string> => outcome(open(person, id));
    expect(await Promise.all([owner, colleague].map(tried))).toEqual(['ok', 'ok']);
    // Admins of the organization manage the workspace without being in it.
    expect(await Promise.all([admin, outsider, stranger].map(tried))).toEqual(Array(3).fill('not_found'));
    expect(await outcome(open(colleague, newId('shr')))).toBe('not_found');
    expect(await outcome(open(colleague, thread))).toBe('not_found');
  });

  it('does not open once its reader has left the workspace', async () => {
    const leaver = await join(db, organization.id, await addPerson(db, 'Lea'), 'member');
    await joinWorkspace(db, organization.id, lab.id, leaver, 'member');
    const { id } = await saveShare(db, owner, thread);
    expect(await outcome(open(leaver, id))).toBe('ok');
    await db.query('delete from :schema.workspace_member where workspace_id = $1 and user_id = $2', [
      lab.id,
      leaver.id,
    ]);
    expect(await outcome(open(leaver, id))).toBe('not_found');
  });

  it('is gone once it is taken back, and sharing again makes another one', async () => {
    const { id } = await saveShare(db, owner, thread);
    await removeShare(db, owner.id, thread);
    expect(await outcome(open(colleague, id))).toBe('not_found');
    expect(await outcome(removeShare(db, owner.id, thread))).toBe('not_found');
    expect((await saveShare(db, owner, thread)).id).not.toBe(id);
    expect(await outcome(open(colleague, id))).toBe('not_found');
  });

  it('goes with its thread', async () => {
    const { id } = await saveShare(db, owner, thread);
    await removeThread(db, owner.id, thread);
    expect(await outcome(open(owner, id))).toBe('not_found');
    expect((await db.query('select 1 from :schema.chat_share_message where share_id = $1', [id])).rowCount).toBe(0);
  });

  it('is made, shown and taken back by the owner of the thread alone', async () => {
    await saveShare(db, owner, thread);
    for (const person of [colleague, admin]) {
      expect(await outcome(saveShare(db, person, thread))).toBe('not_found');
      expect(await outcome(findShare(db, person.id, thread))).toBe('not_found');
      expect(await outcome(removeShare(db, person.id, thread))).toBe('not_found');
    }
    expect((await findShare(db, owner.id, thread)).share).toBeDefined();
  });

  it('is not made by someone who has left the workspace', async () => {
    await db.query('delete from :schema.workspace_member where workspace_id = $1 and user_id = $2', [lab.id, owner.id]);
    expect(await outcome(saveShare(db, owner, thread))).toBe('workspace_membership_required');
    expect(await findShare(db, owner.id, thread)).toEqual({
      share: undefined,
      blocked: 'workspace_membership_required',
    });
    await joinWorkspace(db, organization.id, lab.id, owner, 'owner');
  });
});

it('sharing ends while the organization does not allow it', async () => {
  const { id } = await saveShare(db, owner, thread);
  await setPolicy(true);
  expect(await outcome(open(colleague, id))).toBe('not_found');
  expect(await outcome(open(owner, id))).toBe('not_found');
  expect(await outcome(saveShare(db, owner, thread))).toBe('sharing_disabled');
  expect(await findShare(db, owner.id, thread)).toMatchObject({ share: { id }, blocked: 'sharing_disabled' });
  await setPolicy(false);
  expect(await outcome(open(colleague, id))).toBe('ok');
});
