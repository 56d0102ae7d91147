// Who sees a saved prompt, and who may change it.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openTestDatabase } from '../../../test/support/database.ts';
import {
  addOrganization,
  addPerson,
  join,
  joinWorkspace,
  outcome,
  type Person,
  type TestOrganization,
} from '../../../test/support/people.ts';
import type { Database } from '../../store/database.ts';
import { createWorkspace } from '../../tenancy/workspaces/create-workspace.ts';
import { findInstructions, readSystem, saveInstructions } from './custom-instructions.ts';
import { changePrompt, createPrompt, listPrompts, type PromptPage, removePrompt } from './prompts.ts';

let db: Database;
let owner: Person;
let maker: Person;
let colleague: Person;
let outsider: Person;
let organization: TestOrganization;
let lab: { readonly id: string; readonly slug: string };
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(() => db.close());
beforeEach(async () => {
  owner = await addPerson(db, 'Olga');
  organization = await addOrganization(db, owner);
  const named = async (name: string): Promise<Person> => join(db, organization.id, await addPerson(db, name), 'member');
  [maker, colleague, outsider] = [await named('Mia'), await named('Kai'), await named('Otto')];
  lab = await createWorkspace(db, { userId: owner.id, organizationId: organization.id }, { name: 'Lab' });
  for (const person of [maker, colleague]) await joinWorkspace(db, organization.id, lab.id, person, 'member');
});

const save = (person: Person, name: string, workspaceId?: string, text = `The text of ${name}`) =>
  createPrompt(db, person, { organizationId: organization.id, workspaceId, name, text });
const list = async (person: Person, some: Partial<PromptPage> = {}) => (await page(person, some)).prompts;
const page = (person: Person, some: Partial<PromptPage> = {}) =>
  listPrompts(db, {
    userId: person.id,
    organizationId: organization.id,
    workspace: undefined,
    search: undefined,
    after: undefined,
    limit: 50,
    ...some,
  });
const names = async (person: Person, some?: Partial<PromptPage>): Promise<string[]> =>
  (await list(person, some)).map(({ name }) => name);

describe('prompts', () => {
  it('are listed by name: the own ones, and those of workspaces that the person sees', async () => {
    await save(maker, 'own');
    await save(maker, 'everyone', organization.globalId);
    await save(maker, 'in-lab', lab.id);
    await save(colleague, 'private');
    expect(await names(maker)).toEqual(['everyone', 'in-lab', 'own']);
    expect(await names(colleague)).toEqual(['everyone', 'in-lab', 'private']);
    expect(await names(outsider)).toEqual(['everyone']);
    expect(await names(owner)).toEqual(['everyone', 'in-lab']);
    expect(await names(maker, { workspace: lab.slug })).toEqual(['in-lab']);
    expect(
      (await list(colleague)).map(({ workspace, createdBy, editable }) => [workspace?.name, createdBy.name, editable]),
    ).toEqual([
      ['Global', 'Mia', false],
      ['Lab', 'Mia', false],
      [undefined, 'Kai', true],
    ]);
  });

  it('are found by name and text, page by page', async () => {
    for (const name of ['c', 'a', 'b']) await save(maker, name, undefined, `100% ${name}_x`);
    expect(await names(maker, { search: 'B_X' })).toEqual(['b']);
    expect(await names(maker, { search: '%' })).toEqual(['a', 'b', 'c']);
    expect(await names(maker, { search: '_' })).toEqual(['a', 'b', 'c']);
    const [first] = await list(maker, { limit: 1 });
    expect(await names(maker, { after: first && { name: first.name, id: first.id } })).toEqual(['b', 'c']);
  });

  it('have one name each per person and per workspace', async () => {
    const first = await save(maker, 'same');
    await save(colleague, 'same');
    await save(maker, 'same', lab.id);
    expect(await outcome(save(maker, 'same'))).toBe('prompt_name_taken');
    expect(await outcome(save(colleague, 'same', lab.id))).toBe('prompt_name_taken');
    const other = await save(maker, 'other');
    expect(await outcome(changePrompt(db, maker.id, other.id, { name: 'same' }))).toBe('prompt_name_taken');
    expect(await changePrompt(db, maker.id, first.id, { text: 'new' })).toMatchObject({ name: 'same', text: 'new' });
    expect(await changePrompt(db, maker.id, first.id, { name: 'renamed' })).toMatchObject({ text: 'new' });
  });

  it('are changed by who made them and by owners and admins; to people who cannot use them they do not exist', async () => {
    const own = await save(maker, 'own');
    const shared = await save(maker, 'shared', lab.id);
    for (const person of [colleague, owner])
      expect(await outcome(changePrompt(db, person.id, own.id, { text: 'x' }))).toBe('not_found');
    expect(await outcome(changePrompt(db, outsider.id, shared.id, { text: 'x' }))).toBe('not_found');
    expect(await outcome(changePrompt(db, colleague.id, shared.id, { text: 'x' }))).toBe('prompt_authority_required');
    expect(await outcome(removePrompt(db, colleague.id, shared.id))).toBe('prompt_authority_required');
    expect(await changePrompt(db, maker.id, shared.id, { text: 'by maker' })).toMatchObject({ text: 'by maker' });
    expect(await changePrompt(db, owner.id, shared.id, { text: 'by owner' })).toMatchObject({
      createdBy: { name: 'Mia' },
    });
    await removePrompt(db, owner.id, shared.id);
    expect(await names(colleague)).toEqual([]);
  });

  it('that are shared outlive the membership of who made them; the own ones do not', async () => {
    await save(maker, 'own');
    const shared = await save(maker, 'shared', lab.id);
    await db.query('delete from :schema.workspace_member where workspace_id = $1 and user_id = $2', [lab.id, maker.id]);
    expect(await names(maker)).toEqual(['own']);
    expect(await outcome(changePrompt(db, maker.id, shared.id, { text: 'x' }))).toBe('not_found');
    await db.query('delete from :schema.organization_member where user_id = $1', [maker.id]);
    expect(await names(colleague)).toEqual(['shared']);
    expect(await names(maker)).toEqual([]);
    await db.query('delete from :schema.workspace where id = $1', [lab.id]);
    expect(await names(owner)).toEqual([]);
  });

  it('are at most 500 per person', async () => {
    await db.query(
      `insert into :schema.prompt (id, organization_id, user_id, name, text, created_by, created_by_name)
         select 'prm_' || $2 || n, $1, $2, 'p' || n, 'x', $2, 'Mia' from generate_series(1, 500) n`,
      [organization.id, maker.id],
    );
    expect(await outcome(save(maker, 'one-more'))).toBe('too_many_prompts');
    expect(await outcome(save(maker, 'elsewhere', lab.id))).toBe('ok');
  });
});

describe('custom instructions', () => {
  it('are one text per person and organization, and apply while they are on', async () => {
    const place = { userId: maker.id, organizationId: organization.id };
    expect(await findInstructions(db, place)).toEqual({ text: '', enabled: false });
    expect(await readSystem(db, place)).toEqual([]);
    await saveInstructions(db, place, { text: 'Answer in verse.', enabled: true });
    expect(await readSystem(db, place)).toEqual([expect.stringMatching(/\n\nAnswer in verse\.$/)]);
    expect(await readSystem(db, { ...place, userId: colleague.id })).toEqual([]);
    await saveInstructions(db, place, { text: 'Answer in verse.', enabled: false });
    expect(await findInstructions(db, place)).toEqual({ text: 'Answer in verse.', enabled: false });
    expect(await readSystem(db, place)).toEqual([]);
    await saveInstructions(db, place, { text: '  ', enabled: true });
    expect(await readSystem(db, place)).toEqual([]);
  });
});

it('ends a page by the size of its texts, and goes on from there', async () => {
  const text = 'ä'.repeat(20_000);
  for (let n = 0; n < 30; n++) await save(owner, `long-${String(n).padStart(2, '0')}`, undefined, text);
  const first = await page(owner);
  expect([first.prompts.length, first.found]).toEqual([26, 30]);
  const last = first.prompts.at(-1);
  expect(await page(owner, { after: { name: last?.name ?? '', id: last?.id ?? '' } })).toMatchObject({
    prompts: Array.from({ length: 4 }, () => ({ text })),
    found: 4,
  });
});
