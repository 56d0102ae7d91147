// The page of environments, as owners and members use it: with the keyboard, on a phone, in both languages.
import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { faultsOf, findFaults } from '../support/browser/axe.ts';
import { describeInBrowser, heading, openAsOwner, type OwnersApp } from '../support/browser/browser.ts';
import { NARROW, showOn, WIDE, widthOf } from '../support/browser/screen.ts';

const SECRET = 'planted-in-the-form-1234';

describeInBrowser('environments', () => {
  let { app, owner, page } = {} as OwnersApp;
  openAsOwner('Eve Environment', 'Surroundings', async (at) => {
    ({ app, owner, page } = at);
  });
  const row = (on: Page, name: string): Locator => on.getByRole('listitem').filter({ hasText: name });

  it('begin empty; one is made with the keyboard, and says what is wrong at its field', async () => {
    await page.goto('/runs/environments');
    await heading(page, 'Environments');
    await page.getByText('No environments yet').waitFor();
    await page.getByRole('button', { name: 'New environment' }).focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'New environment' });
    await dialog.waitFor();
    await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('Not A Name');
    await dialog.getByRole('textbox', { name: 'Variables' }).fill('no assignment');
    await page.keyboard.press('Tab');
    await dialog.getByRole('button', { name: 'Create environment' }).click();
    await dialog.getByText('Use lower-case letters').waitFor();
    await dialog.getByText('This is not NAME=value: no assignment').waitFor();
    await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('node');
    await dialog.getByRole('textbox', { name: 'Variables' }).fill('STAGE=test');
    await dialog.getByRole('textbox', { name: 'New secrets' }).fill(`API_TOKEN=${SECRET}`);
    await dialog.getByRole('textbox', { name: 'Setup script' }).fill('echo ready');
    await dialog.getByRole('checkbox', { name: 'Package registries' }).check();
    await dialog.getByRole('textbox', { name: 'Hosts to read from' }).fill('not a host');
    await dialog.getByRole('button', { name: 'Create environment' }).click();
    await expect
      .poll(() => dialog.getByRole('textbox', { name: 'Hosts to read from' }).getAttribute('aria-invalid'))
      .toBe('true');
    await dialog.getByRole('textbox', { name: 'Hosts to read from' }).fill('api.example.com');
    expect(await findFaults(page, 'the form', '[role="dialog"]')).toEqual([]);
    await dialog.getByRole('button', { name: 'Create environment' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await row(page, 'node').getByText('Variables: STAGE · Secrets: API_TOKEN').waitFor();
    expect(await page.content()).not.toContain(SECRET);
  });

  it('are changed without losing a secret, and show what their script printed', async () => {
    await row(page, 'node').getByRole('button', { name: 'Edit' }).click();
    const dialog = page.getByRole('dialog', { name: 'Environment node' });
    await dialog.getByRole('checkbox', { name: 'API_TOKEN' }).waitFor();
    expect(await page.content()).not.toContain(SECRET);
    await dialog.getByRole('textbox', { name: 'Variables' }).fill('STAGE=live');
    await dialog.getByRole('button', { name: 'Save changes' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await row(page, 'node').getByText('Secrets: API_TOKEN').waitFor();
    await app.query(
      `insert into environment_setup (environment_id, digest, organization_id, workspace_id, state, build, log, ended_at)
       select id, 'd', organization_id, workspace_id, 'failed', 'bld_1', 'no such package', now() from environment where name = $1`,
      ['node'],
    );
    await row(page, 'node').getByRole('button', { name: 'Setup' }).click();
    const setup = page.getByRole('dialog', { name: 'Setup of node' });
    await setup.getByText('no such package').waitFor();
    await setup.getByText('Failed').waitFor();
    expect(await findFaults(page, 'the setup', '[role="dialog"]')).toEqual([]);
    await setup.getByRole('button', { name: 'Run it again' }).click();
    await setup.getByText('The script has not run yet').waitFor();
    await page.keyboard.press('Escape');
    await setup.waitFor({ state: 'hidden' });
  });

  it('are offered where a run is started', async () => {
    await page.goto('/runs?start=1');
    const dialog = page.getByRole('dialog', { name: 'Start a run' });
    const chosen = dialog.getByRole('combobox', { name: 'Environment' });
    await chosen.selectOption('node');
    await expect.poll(() => chosen.inputValue()).toBe('node');
    await page.keyboard.press('Escape');
  });

  it('with a repository offer to push what a run did, also to recipes and schedules', async () => {
    await app.query(
      `update environment set repository = '{"connection": "github", "name": "acme/app"}' where name = $1`,
      ['node'],
    );
    await app.query(
      `insert into org_connection_secret (id, organization_id, workspace_id, provider, name, kind, status, ciphertext, iv, auth_tag, key_version)
       select 'con_pushes', organization_id, workspace_id, 'github', 'default', 'code-host-token', 'valid', 'x', $1, $2, 1 from environment where name = 'node'`,
      [Buffer.alloc(12), Buffer.alloc(16)],
    );
    await app.query("insert into connection_policy (connection_id, push) values ('con_pushes', 'branches')", []);

    await page.goto('/recipes');
    await page.getByRole('button', { name: 'New recipe' }).click();
    const recipe = page.getByRole('dialog');
    await recipe.getByRole('textbox', { name: 'Name', exact: true }).fill('tidy');
    await recipe.getByRole('textbox', { name: 'Objective' }).fill('Tidy up');
    const push = recipe.getByRole('combobox', { name: 'Push' });
    await recipe.getByRole('combobox', { name: 'Environment' }).selectOption('node');
    await push.selectOption('pull-request');
    // Another environment has another repository, or none.
    await recipe.getByRole('combobox', { name: 'Environment' }).selectOption('');
    await push.waitFor({ state: 'hidden' });
    await recipe.getByRole('combobox', { name: 'Environment' }).selectOption('node');
    await expect.poll(() => push.inputValue()).toBe('');
    await push.selectOption('pull-request');
    expect(await findFaults(page, 'the form of a recipe', '[role="dialog"]')).toEqual([]);
    await recipe.getByRole('button', { name: 'Save recipe' }).click();
    await recipe.waitFor({ state: 'hidden' });

    await page.goto('/runs/schedules?create=1');
    const schedule = page.getByRole('dialog');
    await schedule.getByRole('combobox', { name: 'From a recipe' }).selectOption('tidy');
    await expect.poll(() => schedule.getByRole('combobox', { name: 'Push' }).inputValue()).toBe('pull-request');
    await schedule.getByRole('button', { name: 'Create schedule' }).click();
    await heading(page, 'tidy');
    await page.getByText('A branch, and open a pull request').waitFor();
    await page.getByText('node', { exact: true }).waitFor();
  });

  it('have no fault that axe can find, fit a narrow screen, and speak German', async () => {
    const stop = { path: '/runs/environments', heading: 'Environments' };
    expect(
      await faultsOf(page, [
        { ...stop, act: (on) => row(on, 'node').waitFor() },
        {
          ...stop,
          open: async (on) => {
            await row(on, 'node').getByRole('button', { name: 'Edit' }).click();
            await on.getByRole('dialog', { name: 'Environment node' }).waitFor();
          },
        },
      ]),
    ).toEqual([]);
    await page.goto('/runs/environments');
    await row(page, 'node').waitFor();
    await showOn(page, NARROW);
    await expect.poll(() => widthOf(page)).toBeLessThanOrEqual(NARROW.width);
    await showOn(page, WIDE);
    const german = await owner.context.newPage();
    await german.addInitScript("localStorage.setItem('language', 'de')");
    await german.goto('/runs/environments');
    await heading(german, 'Umgebungen');
    await row(german, 'node').getByText('Geheimnisse: API_TOKEN').waitFor();
    await german.close();
  });

  it('are deleted after a confirmation', async () => {
    await row(page, 'node').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('No environments yet').waitFor();
  });
});
