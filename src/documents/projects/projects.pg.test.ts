// Projects and their files over a real database: who reaches them, their limits, and what a question finds.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestDatabase, quiet } from '../../../test/support/database.ts';
import {
  addOrganization,
  addPerson,
  join,
  joinWorkspace,
  type Person,
  type TestOrganization,
} from '../../../test/support/people.ts';
import { readConfig } from '../../base/config.ts';
import { newId } from '../../base/ids.ts';
import { loadModels } from '../../catalog/load-models.ts';
import { PROJECT_LIMITS } from '../../contract/project-limits.ts';
import type { ProjectSharing } from '../../contract/projects.ts';
import { countStorage } from '../../enforcement/storage.ts';
import type { Database } from '../../store/database.ts';
import { createWorkspace } from '../../tenancy/workspaces/create-workspace.ts';
import { createTurns } from '../../turns/create-turn-deps.ts';
import { changeThread, getThread, insertThread, listThreads } from '../../threads/threads.ts';
import { findTurnContext } from '../../turns/turn-context.ts';
import { findPassages } from './find-passages.ts';
import { addFile, getFile, listFiles, removeFile } from './project-files.ts';
import {
  changeProject,
  createProject,
  findProject,
  findUsableProject,
  getProject,
  listProjects,
  removeProject,
  shareProject,
  takeOverProject,
} from './projects.ts';
import { readWaitingFiles } from './read-files.ts';

let db: Database;
let turns: ReturnType<typeof createTurns>;
let org: TestOrganization;
let lab: string;
let [owner, admin, member, outsider, stranger]: Person[] = [];
const people = (): Record<'owner' | 'admin' | 'member' | 'outsider' | 'stranger', Person> => {
  if (!owner || !admin || !member || !outsider || !stranger) throw new Error('the people are not there yet');
  return { owner, admin, member, outsider, stranger };
};

beforeAll(async () => {
  db = await openTestDatabase({ poolMax: 4 });
  // No key anywhere: nothing can be embedded.
  turns = createTurns({
    config: readConfig({}),
    catalog: loadModels(undefined),
    db,
    log: quiet,
    processId: newId('proc'),
  });
  owner = await addPerson(db, 'Olga');
  org = await addOrganization(db, owner);
  [admin, member, outsider] = [await addPerson(db), await addPerson(db), await addPerson(db)];
  await join(db, org.id, admin, 'admin');
  for (const person of [member, outsider]) await join(db, org.id, person, 'member');
  lab = (await createWorkspace(db, { userId: owner.id, organizationId: org.id }, { name: 'Lab' })).id;
  await joinWorkspace(db, org.id, lab, member, 'member');
  stranger = await addPerson(db);
  await addOrganization(db, stranger);
});
afterAll(async () => {
  await turns.close();
  await db.close();
});

const newProject = (
  fields: {
    userId?: string;
    name?: string;
    workspaceId?: string;
    instructions?: string;
    sharing?: ProjectSharing;
  } = {},
) =>
  createProject(db, {
    userId: people().owner.id,
    organizationId: org.id,
    workspaceId: lab,
    name: 'Plans',
    sharing: 'edit',
    ...fields,
  });
const add = (projectId: string, name: string, text: string | Buffer, user = people().owner) =>
  addFile(db, { user, projectId, name, content: Buffer.from(text), storageBytes: 1e9 });
const read = () => readWaitingFiles({ db, log: quiet, turns: turns.deps }, AbortSignal.timeout(30_000));

async function find(projectId: string, question: string, who = people().member) {
  const caller = { userId: who.id, tokenId: undefined, organizationId: org.id, workspace: lab };
  const context = await findTurnContext(db, { userId: people().owner.id, organizationId: org.id, workspace: lab });
  if (!context) throw new Error('there is no such workspace');
  return findPassages({ db, turns: turns.deps }, { caller, context, projectId, question }, AbortSignal.timeout(30_000));
}

describe('a project', () => {
  it('shared to be changed, is seen by those who see its workspace, and changed by its members', async () => {
    const { id } = await newProject({ instructions: 'Be brief.' });
    for (const who of [people().owner, people().admin, people().member])
      expect((await getProject(db, who.id, id)).instructions).toBe('Be brief.');
    for (const who of [people().outsider, people().stranger]) {
      expect(await findProject(db, who.id, id)).toBeUndefined();
      await expect(changeProject(db, who.id, id, { name: 'x' })).rejects.toMatchObject({ code: 'not_found' });
      await expect(removeProject(db, who.id, id)).rejects.toMatchObject({ code: 'not_found' });
    }
    await expect(changeProject(db, people().admin.id, id, { name: 'x' })).rejects.toMatchObject({
      code: 'workspace_membership_required',
    });
    expect(await findUsableProject(db, people().admin.id, id)).toBeUndefined();
    expect(await changeProject(db, people().member.id, id, { name: 'New', model: 'a/b' })).toMatchObject({
      name: 'New',
      instructions: 'Be brief.',
      model: 'a/b',
    });
    expect(await changeProject(db, people().member.id, id, { model: null })).not.toHaveProperty('model');
  });

  it('is listed page by page, by workspace and by name', async () => {
    const workspaceId = (
      await createWorkspace(db, { userId: people().owner.id, organizationId: org.id }, { name: 'Other' })
    ).id;
    const ids: string[] = [];
    for (const name of ['One', 'Two 100%', 'Three']) ids.push((await newProject({ name, workspaceId })).id);
    const page = { userId: people().owner.id, organizationId: org.id, workspace: workspaceId, after: '', limit: 2 };
    const list = async (some = {}) => (await listProjects(db, { ...page, ...some })).projects;
    const first = await list();
    expect(first.map(({ name }) => name)).toEqual(['Three', 'Two 100%']);
    expect((await list({ after: first[1]?.id ?? '' })).map(({ name }) => name)).toEqual(['One']);
    expect((await list({ search: '0%' })).map(({ id }) => id)).toEqual([ids[1]]);
    expect(await list({ search: '%w' })).toEqual([]);
    for (const who of [people().member, people().stranger]) expect(await list({ userId: who.id })).toEqual([]);
    expect(await list({ userId: people().admin.id })).toHaveLength(2);
  });

  it('is one of a limited number, and only for members of the workspace', async () => {
    const workspaceId = (
      await createWorkspace(db, { userId: people().owner.id, organizationId: org.id }, { name: 'Full' })
    ).id;
    await db.query(
      // Shared ones, as the default of the column has it.
      `insert into :schema.project (id, organization_id, workspace_id, name, created_by)
       select 'prj_full' || n, $1, $2, 'x', $3 from generate_series(2, $4::int) n`,
      [org.id, workspaceId, people().owner.id, PROJECT_LIMITS.projects],
    );
    const made = await Promise.allSettled([newProject({ workspaceId }), newProject({ workspaceId })]);
    expect(made.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    const own = await newProject({ workspaceId, sharing: 'private' });
    await expect(shareProject(db, people().owner.id, own.id, 'use')).rejects.toMatchObject({
      code: 'too_many_projects',
    });
    expect((await getProject(db, people().owner.id, own.id)).sharing).toBe('private');
  });
});

/** What each person may do with a project of the owner, or of the member, who is in Lab without managing it. */
const MAY = {
  // sharing, started by: what the owner, the admin (not in Lab), the member, the outsider and the stranger may do
  'private of the owner': ['private', 'owner', ['use edit manage', '-', '-', '-', '-']],
  'private of the member': ['private', 'member', ['-', '-', 'use edit manage', '-', '-']],
  'for use, of the owner': ['use', 'owner', ['use edit manage', 'manage', 'use', '-', '-']],
  'for use, of the member': ['use', 'member', ['use edit manage', 'manage', 'use edit manage', '-', '-']],
  'to be changed, of the owner': ['edit', 'owner', ['use edit manage', 'manage', 'use edit', '-', '-']],
  'to be changed, of the member': ['edit', 'member', ['use edit manage', 'manage', 'use edit manage', '-', '-']],
} as const satisfies Record<string, readonly [ProjectSharing, 'owner' | 'member', readonly string[]]>;
const CALLERS = ['owner', 'admin', 'member', 'outsider', 'stranger'] as const;

describe('sharing', () => {
  it.each(Object.entries(MAY))('a project %s gives everyone their rights, on every call', async (_name, row) => {
    const [sharing, starter, expected] = row;
    for (const [at, name] of CALLERS.entries()) {
      const { id } = await newProject({ userId: people()[starter].id, sharing, instructions: 'Mine.' });
      const file = await add(id, 'herons.txt', 'The heron nests in Utrecht.', people()[starter]);
      await read();
      const who = people()[name];
      const may = expected[at]?.split(' ') ?? [];
      const shown = await findProject(db, who.id, id);
      expect(shown?.rights.join(' ') ?? '-', name).toBe(expected[at]);
      const page = { userId: who.id, organizationId: org.id, after: '', limit: 200 };
      const { projects } = await listProjects(db, page);
      expect(projects.some((project) => project.id === id)).toBe(shown !== undefined);

      const refusal = shown ? /project_role_required|workspace_membership_required/ : /not_found/;
      const check = async (right: string, act: () => Promise<unknown>): Promise<void> => {
        const outcome = await act().then(
          () => 'done',
          ({ code }: { code: string }) => code,
        );
        expect(outcome, `${name} ${right}`).toMatch(may.includes(right) ? /^done$/ : refusal);
      };
      expect(await find(id, 'heron', who)).toHaveLength(may.includes('use') ? 1 : 0);
      await check('edit', () => changeProject(db, who.id, id, { instructions: 'Theirs.' }));
      await check('edit', () => add(id, 'more.txt', 'More.', who));
      await check('edit', () => removeFile(db, who.id, id, file.id));
      await check('manage', () => shareProject(db, who.id, id, sharing));
      if (may.includes('manage'))
        await expect(takeOverProject(db, who.id, id)).rejects.toMatchObject({ code: 'project_still_managed' });
      else await check('manage', () => takeOverProject(db, who.id, id));
      await check('manage', () => removeProject(db, who.id, id));
    }
  });

  it('ends with the next call, and leaves the chats of others to them', async () => {
    const { member: user } = people();
    const project = await newProject({ sharing: 'use' });
    const place = { organizationId: org.id, workspaceId: lab, workspacePicked: true };
    const thread = newId('thr');
    await insertThread(db, { id: thread, ...place, userId: user.id, title: 'A chat', projectId: project.id });
    expect(await findUsableProject(db, user.id, project.id)).toMatchObject({ name: 'Plans', rights: ['use'] });
    await shareProject(db, people().owner.id, project.id, 'private');
    expect(await findUsableProject(db, user.id, project.id)).toBeUndefined();
    await expect(changeThread(db, user.id, thread, { project: project.id })).rejects.toMatchObject({
      code: 'not_found',
    });
    expect(await changeThread(db, user.id, thread, { project: null })).not.toHaveProperty('project');
  });

  it('follows roles: who stops managing the workspace keeps what a member may do', async () => {
    const lead = await addPerson(db, 'Lea');
    await join(db, org.id, lead, 'member');
    await joinWorkspace(db, org.id, lab, lead, 'admin');
    const { id } = await newProject({ sharing: 'use' });
    expect((await getProject(db, lead.id, id)).rights).toEqual(['use', 'edit', 'manage']);
    await db.query("update :schema.workspace_member set role = 'member' where workspace_id = $1 and user_id = $2", [
      lab,
      lead.id,
    ]);
    expect((await getProject(db, lead.id, id)).rights).toEqual(['use']);
    await expect(changeProject(db, lead.id, id, { name: 'x' })).rejects.toMatchObject({
      code: 'project_role_required',
    });
  });

  it('survives its manager: those who run the workspace see it and one takes it over', async () => {
    const [leaver, lead, plain] = [await addPerson(db, 'Lenka'), await addPerson(db), await addPerson(db)];
    for (const person of [leaver, lead, plain]) await join(db, org.id, person, 'member');
    await joinWorkspace(db, org.id, lab, leaver, 'member');
    await joinWorkspace(db, org.id, lab, lead, 'owner');
    await joinWorkspace(db, org.id, lab, plain, 'member');
    const { id } = await newProject({ userId: leaver.id, sharing: 'private' });
    expect(await findProject(db, lead.id, id)).toBeUndefined();
    await db.query('delete from :schema.workspace_member where workspace_id = $1 and user_id = $2', [lab, leaver.id]);
    expect(await findProject(db, leaver.id, id)).toBeUndefined();
    expect(await findProject(db, plain.id, id)).toBeUndefined();
    expect(await getProject(db, lead.id, id)).toMatchObject({ managedBy: { name: 'Lenka', left: true } });
    await expect(takeOverProject(db, plain.id, id)).rejects.toMatchObject({ code: 'not_found' });
    await expect(takeOverProject(db, people().admin.id, id)).rejects.toMatchObject({
      code: 'workspace_membership_required',
    });
    expect(await takeOverProject(db, lead.id, id)).toMatchObject({
      managedBy: { id: lead.id, left: false },
      rights: ['use', 'edit', 'manage'],
    });
    await joinWorkspace(db, org.id, lab, leaver, 'member');
    expect(await findProject(db, leaver.id, id)).toBeUndefined();
  });
});

describe('a chat', () => {
  const newThread = async (workspaceId = lab): Promise<string> => {
    const id = newId('thr');
    const place = { organizationId: org.id, workspaceId, workspacePicked: true };
    await insertThread(db, { id, ...place, userId: people().member.id, title: 'A chat' });
    return id;
  };

  it('moves into a project of its workspace, to another one and out again', async () => {
    const [first, second, thread] = [await newProject(), await newProject(), await newThread()];
    const user = people().member.id;
    expect(await changeThread(db, user, thread, { project: first.id })).toMatchObject({ project: first.id });
    expect(await changeThread(db, user, thread, { title: 'Named' })).toMatchObject({ project: first.id });
    expect(await changeThread(db, user, thread, { project: second.id })).toMatchObject({ project: second.id });
    const page = { userId: user, organizationId: org.id, show: 'active', limit: 10 } as const;
    expect((await listThreads(db, { ...page, project: second.id })).map(({ id }) => id)).toEqual([thread]);
    expect(await listThreads(db, { ...page, project: first.id })).toEqual([]);
    expect(await listThreads(db, { ...page, userId: people().owner.id, project: second.id })).toEqual([]);
    expect(await changeThread(db, user, thread, { project: null })).not.toHaveProperty('project');
  });

  it('never joins a project of another workspace, or of one that its owner is not in', async () => {
    const elsewhere = await newProject({ workspaceId: org.defaultId });
    const thread = await newThread();
    const user = people().member.id;
    await expect(changeThread(db, user, thread, { project: elsewhere.id })).rejects.toMatchObject({
      code: 'invalid_request',
    });
    const hidden = await createWorkspace(db, { userId: people().owner.id, organizationId: org.id }, { name: 'Hidden' });
    const { id } = await newProject({ workspaceId: hidden.id });
    await expect(changeThread(db, user, thread, { project: id })).rejects.toMatchObject({ code: 'not_found' });
  });

  it('outlives its project', async () => {
    const { id } = await newProject();
    const thread = await newThread();
    await changeThread(db, people().member.id, thread, { project: id });
    await removeProject(db, people().owner.id, id);
    expect(await getThread(db, people().member.id, thread)).not.toHaveProperty('project');
  });
});

describe('a file', () => {
  it('waits, is read, and gives its bytes back when it goes', async () => {
    const { id: project } = await newProject();
    const before = await countStorage(db, org.id);
    const file = await add(project, '../notes.md', '# Refunds\n\nWithin 14 days.', people().member);
    expect(file).toMatchObject({ name: 'notes.md', type: 'text/markdown', state: 'waiting', addedBy: 'person' });
    expect(await countStorage(db, org.id)).toBe(before + file.size);
    await read();
    const page = { userId: people().admin.id, projectId: project, after: '', limit: 10 };
    expect(await listFiles(db, page)).toMatchObject([{ id: file.id, state: 'ready' }]);
    expect((await getFile(db, people().admin.id, project, file.id)).content.toString()).toContain('14 days');
    await expect(removeFile(db, people().admin.id, project, file.id)).rejects.toMatchObject({
      code: 'workspace_membership_required',
    });
    for (const who of [people().outsider, people().stranger]) {
      await expect(listFiles(db, { ...page, userId: who.id })).rejects.toMatchObject({ code: 'not_found' });
      await expect(getFile(db, who.id, project, file.id)).rejects.toMatchObject({ code: 'not_found' });
      await expect(removeFile(db, who.id, project, file.id)).rejects.toMatchObject({ code: 'not_found' });
      await expect(add(project, 'x.txt', 'x', who)).rejects.toMatchObject({ code: 'not_found' });
    }
    const { id: other } = await newProject();
    await expect(getFile(db, people().member.id, other, file.id)).rejects.toMatchObject({ code: 'not_found' });
    await expect(removeFile(db, people().member.id, other, file.id)).rejects.toMatchObject({ code: 'not_found' });
    await removeProject(db, people().owner.id, project);
    expect(await countStorage(db, org.id)).toBe(before);
  });

  it('says why it cannot be read', async () => {
    const { id: project } = await newProject();
    await add(project, 'blank.txt', ' \n ');
    await add(project, 'paper.pdf', '%PDF-1.4\n1 0 obj<<>>endobj\ntrailer<<>>\n%%EOF');
    await read();
    const files = await listFiles(db, { userId: people().owner.id, projectId: project, after: '', limit: 10 });
    for (const { state, reason } of files) expect([state, reason?.startsWith('file_')]).toEqual(['failed', true]);
    await expect(add(project, 'a.png', Buffer.from('89504e470d0a1a0a', 'hex'))).rejects.toMatchObject({
      code: 'file_type_unsupported',
    });
    await expect(add(project, 'a.txt', '')).rejects.toMatchObject({ code: 'invalid_request' });
  });

  it('is given up after a few processes died over it', async () => {
    const { id: project } = await newProject();
    const { id } = await add(project, 'a.txt', 'text');
    await db.query('update :schema.project_file set tries = 3 where id = $1', [id]);
    await read();
    const files = await listFiles(db, { userId: people().owner.id, projectId: project, after: '', limit: 10 });
    expect(files).toMatchObject([{ state: 'failed', reason: 'internal' }]);
  });

  it('is one of a limited number, also of several at once', async () => {
    const { id: project } = await newProject();
    for (let n = 1; n < PROJECT_LIMITS.files; n++) await add(project, `${n}.txt`, 'x');
    const added = await Promise.allSettled([add(project, 'a.txt', 'x'), add(project, 'b.txt', 'x')]);
    expect(added.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect((await getProject(db, people().owner.id, project)).files).toBe(PROJECT_LIMITS.files);
    await removeProject(db, people().owner.id, project);
  });
});

describe('a question, where nothing can be embedded', () => {
  const filler = (topic: string): string =>
    Array.from(
      { length: 20 },
      (_, n) => `${topic} ${n}. ${'The team met and the plan was discussed again. '.repeat(8)}`,
    ).join('\n\n');

  it('finds the passage with its rarest words, in any of their forms', async () => {
    const { id: project } = await newProject();
    await add(project, 'minutes.txt', `${filler('Minutes')}\n\nRefunds of annual plans are paid within 14 days.`);
    await add(project, 'other.txt', filler('Plans'));
    await read();
    const [best] = await find(project, 'How quickly is an annual plan refunded?');
    expect(best).toMatchObject({ name: 'minutes.txt', text: expect.stringContaining('within 14 days') });
    const found = await find(project, 'the plan was discussed');
    expect(found).toHaveLength(8);
    expect(found.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThanOrEqual(14_000);
  });

  it('gets the beginnings of the files, if none of its words occurs', async () => {
    const { id: project } = await newProject();
    await add(project, 'a.txt', filler('Alpha'));
    await add(project, 'b.txt', filler('Beta'));
    await read();
    expect((await find(project, 'Summarize!')).map(({ name, position }) => [name, position])).toEqual([
      ['b.txt', 0],
      ['a.txt', 0],
    ]);
  });

  it('finds nothing of another project, a deleted file, or a workspace that the person is not in', async () => {
    const [mine, other] = [await newProject(), await newProject()];
    const { id: file } = await add(mine.id, 'secret.txt', 'The heron nests in Utrecht.');
    await read();
    expect(await find(mine.id, 'heron')).toHaveLength(1);
    expect(await find(other.id, 'heron')).toEqual([]);
    for (const who of [people().outsider, people().admin, people().stranger])
      expect(await find(mine.id, 'heron', who)).toEqual([]);
    await db.query('delete from :schema.workspace_member where workspace_id = $1 and user_id = $2', [
      lab,
      people().member.id,
    ]);
    expect(await find(mine.id, 'heron')).toEqual([]);
    await joinWorkspace(db, org.id, lab, people().member, 'member');
    await removeFile(db, people().member.id, mine.id, file);
    expect(await find(mine.id, 'heron')).toEqual([]);
  });
});
