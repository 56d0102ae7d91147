// Who sees a recipe, who may change it, and what it is called.
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
import { RECIPE_LIMITS } from '../../contract/recipes/fill-recipe.ts';
import { recipeFile } from '../../contract/recipes/recipe-file.ts';
import type { Database } from '../../store/database.ts';
import { findMembership } from '../../tenancy/members/find-membership.ts';
import { createWorkspace } from '../../tenancy/workspaces/create-workspace.ts';
import type { RunReader } from '../record/find-runs.ts';
import type { PlannedRun } from '../standing/planned-run.ts';
import { changeRecipe, createRecipe, removeRecipe } from './change-recipe.ts';
import { fillObjective } from './fill-objective.ts';
import { getRecipe, listRecipes, type RecipeQuery } from './find-recipes.ts';
import { presentRecipe, type Recipe, toRecipeFile } from './recipe.ts';

let db: Database;
let owner: Person;
let maker: Person;
let colleague: Person;
let outsider: Person;
let organization: TestOrganization;
let lab: string;
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(() => db.close());
beforeEach(async () => {
  owner = await addPerson(db, 'Olga');
  organization = await addOrganization(db, owner);
  const named = async (name: string): Promise<Person> => join(db, organization.id, await addPerson(db, name), 'member');
  [maker, colleague, outsider] = [await named('Mia'), await named('Kai'), await named('Otto')];
  lab = (await createWorkspace(db, { userId: owner.id, organizationId: organization.id }, { name: 'Lab' })).id;
  for (const person of [maker, colleague]) await joinWorkspace(db, organization.id, lab, person, 'member');
});

const RUN: PlannedRun = {
  objective: 'Summarize {{topic}} for {{reader:everyone}}',
  kind: 'chat',
  model: undefined,
  capabilities: [],
  fundingWorkspaceId: undefined,
  environment: undefined,
  deliver: undefined,
};
const as = (person: Person, workspaceId?: string): RunReader => ({
  userId: person.id,
  organizationId: organization.id,
  workspaceId,
});
async function save(
  person: Person,
  name: string,
  { workspace = lab, run = RUN, description = '' } = {},
): Promise<Recipe> {
  const place = { userId: person.id, organizationId: organization.id, workspaceId: workspace };
  const membership = await findMembership(db, place);
  if (!membership) throw new Error('no such place');
  return createRecipe(db, membership, { name, description, run });
}
const names = async (reader: RunReader, query: RecipeQuery = {}): Promise<string[]> =>
  (await listRecipes(db, reader, query)).recipes.map(({ name }) => name);

describe('recipes', () => {
  it('are seen by the members of their workspace and by who manages the organization, by name', async () => {
    await save(maker, 'weekly');
    await save(maker, 'Audit');
    await save(maker, 'elsewhere', { workspace: organization.globalId });
    expect(await names(as(colleague), { workspaceId: lab })).toEqual(['Audit', 'weekly']);
    expect(await names(as(colleague))).toEqual(['Audit', 'elsewhere', 'weekly']);
    expect(await names(as(owner))).toEqual(['Audit', 'elsewhere', 'weekly']);
    expect(await names(as(outsider))).toEqual(['elsewhere']);
    // A token that is bound to a workspace sees only its own.
    expect(await names(as(maker, organization.globalId))).toEqual(['elsewhere']);
    expect(await names({ userId: maker.id, organizationId: undefined })).toEqual([]);
    expect(await names(as(colleague), { name: 'AUDIT' })).toEqual(['Audit']);
    expect(await names(as(colleague), { search: 'eek' })).toEqual(['weekly']);
    expect(await names(as(colleague), { search: '%' })).toEqual([]);
  });

  it('are listed page by page, by number and by size', async () => {
    const run = { ...RUN, objective: 'ä'.repeat(50_000) };
    for (let n = 0; n < 14; n++) await save(maker, `R${String(n).padStart(2, '0')}`, { run });
    const seen: string[] = [];
    let cursor: string | undefined;
    let pages = 0;
    do {
      const page = await listRecipes(db, as(maker), { limit: 200, cursor });
      seen.push(...page.recipes.map(({ name }) => name));
      cursor = page.cursor;
      pages++;
    } while (cursor !== undefined);
    expect(pages).toBe(2);
    expect(seen).toEqual(Array.from({ length: 14 }, (_, n) => `R${String(n).padStart(2, '0')}`));
    expect((await listRecipes(db, as(maker), { limit: 3 })).recipes).toHaveLength(3);
    expect(await outcome(listRecipes(db, as(maker), { cursor: 'nonsense' }))).toBe('invalid_request');
  });

  it('have names of their own in a workspace, in upper or lower case', async () => {
    const first = await save(maker, 'Weekly');
    await save(maker, 'weekly', { workspace: organization.globalId });
    expect(await outcome(save(colleague, 'WEEKLY'))).toBe('recipe_name_taken');
    const other = await save(colleague, 'other');
    expect(await outcome(changeRecipe(db, as(colleague), other.id, { name: 'weekly' }))).toBe('recipe_name_taken');
    expect(await changeRecipe(db, as(maker), first.id, { name: 'WEEKLY' })).toMatchObject({ name: 'WEEKLY', run: RUN });
  });

  it('are changed and deleted by who made them and who manages the workspace or organization', async () => {
    const { id } = await save(maker, 'weekly', { description: 'Each Monday' });
    for (const reader of [as(outsider), as(maker, organization.globalId)]) {
      expect(await outcome(getRecipe(db, reader, id))).toBe('not_found');
      expect(await outcome(changeRecipe(db, reader, id, { name: 'x' }))).toBe('not_found');
      expect(await outcome(removeRecipe(db, reader, id))).toBe('not_found');
    }
    expect(await outcome(changeRecipe(db, as(colleague), id, { name: 'x' }))).toBe('recipe_authority_required');
    expect(await outcome(removeRecipe(db, as(colleague), id))).toBe('recipe_authority_required');
    expect(await getRecipe(db, as(colleague), id)).toMatchObject({ editable: false, createdBy: { name: 'Mia' } });
    const run: PlannedRun = {
      ...RUN,
      objective: 'Other',
      kind: 'codex',
      model: 'openai/gpt-5-mini',
      capabilities: ['a'],
    };
    expect(await changeRecipe(db, as(maker), id, { run })).toMatchObject({ run, description: 'Each Monday' });
    expect(await changeRecipe(db, as(owner), id, { description: '' })).toMatchObject({ run, description: '' });
    // The run is replaced as a whole: what the new one leaves out is gone.
    expect((await changeRecipe(db, as(maker), id, { run: RUN })).run).toEqual(RUN);
    await removeRecipe(db, as(owner), id);
    expect(await outcome(removeRecipe(db, as(owner), id))).toBe('not_found');
  });

  it('stay in the workspace when who made them leaves it, and go with it', async () => {
    const { id } = await save(maker, 'weekly');
    await db.query('delete from :schema.workspace_member where workspace_id = $1 and user_id = $2', [lab, maker.id]);
    expect(await outcome(changeRecipe(db, as(maker), id, { name: 'x' }))).toBe('not_found');
    expect(await outcome(save(maker, 'another'))).toBe('workspace_membership_required');
    expect(await names(as(colleague))).toEqual(['weekly']);
    await db.query('delete from :schema.workspace where id = $1', [lab]);
    expect(await names(as(owner))).toEqual([]);
  });

  it('are bounded per workspace', async () => {
    await db.query(
      `insert into :schema.recipe (id, organization_id, workspace_id, name, objective, run_kind, created_by)
         select 'rcp_' || $1 || n, $1, $2, 'r' || n, 'x', 'chat', $3 from generate_series(1, $4::int) n`,
      [organization.id, lab, maker.id, RECIPE_LIMITS.recipes],
    );
    expect(await outcome(save(maker, 'one-more'))).toBe('too_many_recipes');
    expect(await outcome(save(maker, 'elsewhere', { workspace: organization.globalId }))).toBe('ok');
  });

  it('name their fields, and become a file without ids of this deployment', async () => {
    const run = { ...RUN, model: 'openai/gpt-5-mini', capabilities: ['github'], fundingWorkspaceId: lab };
    const recipe = await save(maker, 'weekly', { run, description: 'Each Monday' });
    expect(presentRecipe(recipe).fields).toEqual([{ name: 'topic' }, { name: 'reader', default: 'everyone' }]);
    const file = toRecipeFile(recipe);
    expect(recipeFile.parse(file)).toEqual(file);
    const written = JSON.stringify(file);
    for (const id of [recipe.id, lab, organization.id, maker.id]) expect(written).not.toContain(id);
    expect(() => recipeFile.parse({ ...file, owner: 'x' })).toThrow('owner');
    expect(() => recipeFile.parse({ ...file, version: 2 })).toThrow('version');
  });
});

describe('the objective of a run from a recipe', () => {
  it('is filled by what the person gave', () => {
    expect(fillObjective(RUN.objective, { topic: 'the news' })).toBe('Summarize the news for everyone');
  });

  it('is refused by the name of the field', async () => {
    const refused = async (objective: string, values: Record<string, string>): Promise<unknown> =>
      Promise.resolve()
        .then(() => fillObjective(objective, values))
        .catch(({ code, details }: { code: string; details: unknown }) => [code, details]);
    expect(await refused(RUN.objective, { reader: 'me', subject: 'x' })).toEqual([
      'invalid_request',
      { 'fields.subject': 'is not a field of this recipe', 'fields.topic': 'is required' },
    ]);
    const longest = 'x'.repeat(RECIPE_LIMITS.value);
    expect(await refused('{{a}}'.repeat(11), { a: longest })).toEqual([
      'invalid_request',
      { fields: expect.stringContaining('100000') },
    ]);
    expect(await refused('{{a:}}', {})).toMatchObject(['invalid_request', { fields: 'leave the objective empty' }]);
  });
});
