// Recipes as a person uses them: saved from a run, started from the page and from a chat, taken elsewhere as a file.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { appendRunReceipt } from '../../src/runs/record/move-run.ts';
import { insertRun } from '../../src/runs/record/insert-run.ts';
import { type Database, openDatabase } from '../../src/store/database.ts';
import { faultsOf, findFaults } from '../support/browser/axe.ts';
import {
  describeInBrowser,
  failUntilPressed,
  heading,
  openAsOwner,
  type OwnersApp,
} from '../support/browser/browser.ts';
import { field } from '../support/browser/chat-page.ts';
import { NARROW, PHONE, showOn, WIDE, widthOf } from '../support/browser/screen.ts';
import { quiet } from '../support/database.ts';

describeInBrowser('recipes', () => {
  let { app, owner, organization, page } = {} as OwnersApp;
  let db: Database;
  let folder: string;
  openAsOwner('Rita Recipe', 'Recipients', (at) => ({ app, owner, organization, page } = at));
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'recipes-'));
    const { url, schema } = app.database;
    db = await openDatabase({ url, schema, poolMax: 2, applicationName: 'test', log: quiet });
  });
  afterAll(async () => {
    await db?.close();
    await rm(folder, { recursive: true, force: true });
  });

  const list = () => page.getByRole('list', { name: 'Recipes' });
  const row = (name: string) => list().getByRole('listitem').filter({ hasText: name });
  const dialog = (name: string) => page.getByRole('dialog', { name });
  const button = (name: string) => page.getByRole('button', { name, exact: true });

  /** A run that has worked. */
  async function finishedRun(objective: string): Promise<string> {
    const { user } = await owner.call<{ user: { id: string } }>('GET', '/api/me');
    const { workspaces } = await owner.call<{ workspaces: { id: string; kind: string }[] }>(
      'GET',
      `/api/organizations/${organization.id}/workspaces`,
    );
    let { run } = await insertRun(db, {
      organizationId: organization.id,
      workspaceId: workspaces.find(({ kind }) => kind === 'default')?.id ?? '',
      createdBy: user.id,
      actor: `user:${user.id}`,
      kind: 'chat',
      objective,
      waitingReason: 'sandbox_engine_unavailable',
    });
    for (const draft of [
      { kind: 'job.started', body: { attempt: 1 } },
      { kind: 'job.completed', body: { attempt: 1 }, result: { text: 'It went well.' } },
    ] as const)
      run = (await appendRunReceipt(db, run, { actor: 'system:worker-chat', ...draft })) ?? expect.unreachable();
    return run.id;
  }

  it('are saved from a run that worked, with the fields that are proposed', async () => {
    await page.goto('/recipes');
    await heading(page, 'Recipes');
    await page.getByText('No recipes yet').waitFor();
    await page.goto(`/runs/${await finishedRun('Compare acme/site with acme/docs since 2026-01-31')}`);
    await button('Save as recipe').focus();
    await page.keyboard.press('Enter');
    const form = dialog('Save as recipe');
    await form.getByRole('button', { name: 'Make it a field: acme/site' }).click();
    await form.getByRole('button', { name: 'Make it a field: acme/docs' }).click();
    const objective = 'Compare {{repository:acme/site}} with {{repository 2:acme/docs}} since 2026-01-31';
    await expect.poll(() => form.getByLabel('Objective').inputValue()).toBe(objective);
    await form.getByText('Asks for: repository, repository 2').waitFor();
    expect(await findFaults(page, 'a run as a recipe', '[role="dialog"]')).toEqual([]);
    await form.getByLabel('Name').fill('no name');
    await form.getByRole('button', { name: 'Save recipe' }).click();
    await form.getByText('Use letters, digits and inner hyphens').waitFor();
    await form.getByLabel('Name').fill('Compare');
    await form.getByLabel('Name').press('Enter');
    await page.getByText('Saved. Type /run Compare in a chat to start it.').waitFor();
  });

  it('are started from the page, with their fields filled in', async () => {
    await page.goto('/recipes');
    await button('Start Compare').click();
    const form = dialog('Start Compare');
    await form.getByLabel('repository', { exact: true }).fill('acme/app');
    await form.getByText('Compare acme/app with acme/docs since 2026-01-31').waitFor();
    await form.getByRole('button', { name: 'Start run' }).click();
    await heading(page, 'Compare acme/app with acme/docs since 2026-01-31');
    await page.getByRole('link', { name: 'Compare', exact: true }).click();
    await heading(page, 'Recipes');
    await page.goto('/runs');
    await page.getByText('from the recipe Compare').waitFor();
  });

  it('fill in the forms of a schedule and a trigger', async () => {
    await page.goto('/runs/schedules?create=1');
    let form = dialog('New schedule');
    await form.getByLabel('From a recipe').selectOption('Compare');
    await form.getByLabel('repository', { exact: true }).fill('');
    await form.getByLabel('repository 2', { exact: true }).fill('acme/new');
    await form.getByRole('button', { name: 'Fill in' }).click();
    const objective = form.getByRole('textbox', { name: 'Objective', exact: true });
    await expect.poll(() => objective.inputValue()).toBe('Compare acme/site with acme/new since 2026-01-31');
    await expect.poll(() => form.getByRole('textbox', { name: 'Name', exact: true }).inputValue()).toBe('Compare');
    expect(await findFaults(page, 'a schedule from a recipe', '[role="dialog"]')).toEqual([]);
    await form.getByRole('button', { name: 'Create schedule' }).click();
    await heading(page, 'Compare');
    await page.getByText('Compare acme/site with acme/new since 2026-01-31').waitFor();

    await page.goto('/runs/triggers?create=1');
    form = dialog('New trigger');
    await form.getByRole('textbox', { name: 'Name', exact: true }).fill('Mine');
    await form.getByLabel('From a recipe').selectOption('Compare');
    await form.getByLabel('repository', { exact: true }).fill('{{repository.name}}');
    await form.getByRole('button', { name: 'Fill in' }).click();
    await expect
      .poll(() => form.getByRole('textbox', { name: 'Objective', exact: true }).inputValue())
      .toBe('Compare {{repository.name}} with acme/docs since 2026-01-31');
    await expect.poll(() => form.getByRole('textbox', { name: 'Name', exact: true }).inputValue()).toBe('Mine');
  });

  it('are one of the pages about runs, which a line of links joins, by keyboard and on a phone', async () => {
    const line = page.getByRole('navigation', { name: 'Runs and what starts them' });
    await page.goto('/runs');
    for (const name of ['Recipes', 'Schedules', 'Triggers', 'Subscriptions', 'Runs']) {
      await line.getByRole('link', { name, exact: true }).focus();
      await page.keyboard.press('Enter');
      await heading(page, name);
      await expect.poll(() => line.locator('[aria-current="page"]').allInnerTexts()).toEqual([name]);
    }
    await showOn(page, NARROW);
    await page.goto('/runs/triggers');
    await heading(page, 'Triggers');
    const current = line.locator('[aria-current="page"]');
    const { x = -1, width = 0 } = (await current.boundingBox()) ?? {};
    expect(x).toBeGreaterThanOrEqual(0);
    expect(x + width).toBeLessThanOrEqual(NARROW.width);
    await expect.poll(() => widthOf(page)).toBeLessThanOrEqual(NARROW.width);
    await showOn(page, WIDE);
  });

  it('are written, changed and deleted, and what is refused says why', async () => {
    await page.goto('/recipes');
    await button('New recipe').click();
    await dialog('New recipe').getByLabel('Name').fill('COMPARE');
    await dialog('New recipe').getByLabel('Objective').fill('Greet {{who}}');
    await dialog('New recipe').getByRole('button', { name: 'Save recipe' }).click();
    await page.getByRole('alert').filter({ hasText: 'already has a recipe with this name' }).waitFor();
    await dialog('New recipe').getByLabel('Name').fill('greet');
    await dialog('New recipe').getByRole('button', { name: 'Save recipe' }).click();
    await row('greet').getByText('Asks for: who').waitFor();
    await button('Start greet').click();
    await dialog('Start greet').getByRole('button', { name: 'Start run' }).click();
    await dialog('Start greet').getByText('Fill in who.').waitFor();
    await page.keyboard.press('Escape');
    await button('Edit greet').click();
    await dialog('Edit greet').getByLabel('What it is for').fill('For new colleagues');
    await dialog('Edit greet').getByRole('button', { name: 'Save changes' }).click();
    await row('greet').getByText('For new colleagues').waitFor();
    await page.getByRole('searchbox', { name: 'Search recipes' }).fill('colleagues');
    await expect.poll(() => list().getByRole('listitem').count()).toBe(1);
    await page.getByRole('searchbox', { name: 'Search recipes' }).fill('nothing');
    await page.getByText('No recipes match').waitFor();
  });

  it('are exported as a file and imported, with what is unknown here', async () => {
    await page.goto('/recipes');
    const downloading = page.waitForEvent('download');
    await button('Export greet').click();
    const download = await downloading;
    expect(download.suggestedFilename()).toBe('greet.json');
    const written = JSON.parse(await readFile(await download.path(), 'utf8')) as { run: object };
    expect(written).toMatchObject({ format: 'service-recipe', version: 1, name: 'greet' });
    const give = async (content: string): Promise<void> => {
      const file = join(folder, 'given.json');
      await writeFile(file, content);
      await dialog('Import a recipe').locator('input[type="file"]').setInputFiles(file);
      await dialog('Import a recipe').getByText('Chosen: given.json').waitFor();
      await dialog('Import a recipe').getByRole('button', { name: 'Import recipe' }).click();
    };
    await button('Import').click();
    await dialog('Import a recipe').getByRole('button', { name: 'Import recipe' }).click();
    await dialog('Import a recipe').getByText('Choose a file.', { exact: true }).waitFor();
    await give('{"format": "something else"}');
    await page.getByRole('alert').filter({ hasText: 'not a recipe that can be read here: ' }).waitFor();
    await give(JSON.stringify(written));
    await page.getByRole('alert').filter({ hasText: 'already has a recipe with this name' }).waitFor();
    await dialog('Import a recipe').getByLabel('Name').fill('greet-2');
    await give(JSON.stringify({ ...written, run: { ...written.run, capabilities: ['github'] } }));
    await dialog('Import a recipe').getByText('@github is not connected').waitFor();
    expect(await findFaults(page, 'what is unknown here', '[role="dialog"]')).toEqual([]);
    await dialog('Import a recipe').getByRole('button', { name: 'Close', exact: true }).last().click();
    await row('greet-2').waitFor();
    await button('Delete greet-2').click();
    await dialog('Delete greet-2?').getByRole('button', { name: 'Delete', exact: true }).click();
    await expect.poll(() => row('greet-2').count()).toBe(0);
  });

  it('are started in a chat with /run, by keyboard', async () => {
    await page.goto('/chat');
    await heading(page, 'New chat');
    await field(page).focus();
    await page.keyboard.type('/ru');
    await page.getByRole('option', { name: '/run' }).waitFor();
    await page.keyboard.press('Enter');
    await expect.poll(() => field(page).inputValue()).toBe('/run ');
    const names = page.getByRole('listbox', { name: 'Recipes' });
    await expect
      .poll(() => names.getByRole('option').locator('.mention-key').allInnerTexts())
      .toEqual(['Compare', 'greet', 'Manage recipes']);
    expect(await findFaults(page, 'the list of recipes')).toEqual([]);
    await page.keyboard.type('gre');
    await expect.poll(() => names.getByRole('option').count()).toBe(1);
    await page.keyboard.press('Enter');
    const fields = page.getByRole('group', { name: 'Start greet' });
    await fields.waitFor();
    await page.keyboard.press('Enter');
    await fields.getByText('Fill in who.').waitFor();
    expect(await findFaults(page, 'the fields of a recipe')).toEqual([]);
    await page.keyboard.type('the whole team');
    await page.keyboard.press('Enter');
    await page.locator('[data-role="user"]').getByText('Greet the whole team').waitFor();
    await page.getByRole('region', { name: 'Background run' }).getByRole('link', { name: 'Open run' }).click();
    await heading(page, 'Greet the whole team');
  });

  it('are not sent as a message when Enter is faster than their list', async () => {
    await page.goto('/chat');
    await heading(page, 'New chat');
    const read = Promise.withResolvers<void>();
    await page.route('**/runtime/recipes?*', async (route) => {
      await read.promise;
      await route.continue();
    });
    await field(page).fill('/run greet');
    await page.keyboard.press('Enter');
    read.resolve();
    await page.getByRole('group', { name: 'Start greet' }).waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => page.getByRole('group', { name: 'Start greet' }).count()).toBe(0);
    await expect.poll(() => field(page).inputValue()).toBe('/run greet');
    await expect.poll(() => page.locator('[data-role="user"]').count()).toBe(0);
    await field(page).fill('');
    await page.unroute('**/runtime/recipes?*');
  });

  it('have no fault that axe can find, and fit a phone', async () => {
    const opens = (name: string, opened: string) => async (on: Page) => {
      await on.getByRole('button', { name, exact: true }).click();
      await on.getByRole('dialog', { name: opened }).waitFor();
    };
    expect(
      await faultsOf(page, [
        { path: '/recipes', heading: 'Recipes' },
        { path: '/recipes', heading: 'Recipes', open: opens('New recipe', 'New recipe') },
        { path: '/recipes', heading: 'Recipes', open: opens('Import', 'Import a recipe') },
        { path: '/recipes', heading: 'Recipes', open: opens('Start Compare', 'Start Compare') },
        { path: '/recipes', heading: 'Recipes', open: opens('Edit Compare', 'Edit Compare') },
      ]),
    ).toEqual([]);
    for (const screen of [PHONE, NARROW]) {
      await page.goto('/recipes');
      await row('Compare').waitFor();
      await showOn(page, screen);
      await expect.poll(() => widthOf(page)).toBe(screen.width);
    }
    await showOn(page, WIDE);
  });

  it('say what could not be loaded, and load it on request', async () => {
    const reads = /\/runtime\/recipes\?/;
    await failUntilPressed(page, reads, 500);
    await page.goto('/recipes');
    const failure = page.getByRole('alert').filter({ hasText: 'The recipes could not be loaded' });
    await failure.waitFor();
    await failure.getByRole('button', { name: 'Try again' }).click();
    await row('Compare').waitFor();
    await page.unroute(reads);
  });
});
