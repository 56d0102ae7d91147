// Schedules in the browser: make one, see when it starts, run it now, find its run, turn it off, delete it.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { faultsOf } from '../support/browser/axe.ts';
import {
  createOrganization,
  describeInBrowser,
  heading,
  openWebApp,
  type Visitor,
  type WebAppUnderTest,
} from '../support/browser/browser.ts';
import { leaveOut } from '../support/needs.ts';
import { PHONE, showOn } from '../support/browser/screen.ts';
import { sandboxSkipReason } from '../support/sandbox/sandbox.ts';

describeInBrowser('schedules', () => {
  let app: WebAppUnderTest;
  let owner: Visitor;
  let page: Page;
  beforeAll(async () => {
    app = await openWebApp();
    owner = await app.visitSignedIn(app.newPerson('Sally Schedule'));
    await createOrganization(owner, 'Planners');
    page = owner.page;
  });
  afterAll(() => app?.close());

  const dialog = (name: string) => page.getByRole('dialog', { name });

  it('are made with a cron line in plain words, and show when they start', async () => {
    await page.goto('/runs');
    await page.getByRole('link', { name: 'Schedules' }).click();
    await heading(page, 'Schedules');
    await page.getByText('No schedules yet').waitFor();
    await page.getByRole('button', { name: 'New schedule' }).click();
    const form = dialog('New schedule');
    await form.getByRole('button', { name: 'Create schedule' }).click();
    await form.getByText('Enter a name.').waitFor();
    await form.getByRole('textbox', { name: 'Name', exact: true }).fill('Morning report');
    await form.getByRole('textbox', { name: 'Objective', exact: true }).fill('Write a report about the files here');
    await form.getByRole('textbox', { name: 'Cron line', exact: true }).fill('0 0 31 2 *');
    await form.getByText(/No day fits this cron line/).waitFor();
    await form.getByRole('textbox', { name: 'Cron line', exact: true }).fill('30 8 * * 1-5');
    await form.getByText('At 08:30, Monday to Friday').waitFor();
    await expect
      .poll(() =>
        form
          .getByRole('list', { name: /Next times/ })
          .getByRole('listitem')
          .count(),
      )
      .toBe(5);
    await form.getByRole('button', { name: 'Create schedule' }).click();
    await heading(page, 'Morning report');
    await page.getByText('None of its times has come yet.').waitFor();
    await expect
      .poll(() =>
        page
          .getByRole('list', { name: /Next times/ })
          .getByRole('listitem')
          .count(),
      )
      .toBe(5);
    await page.reload();
    await heading(page, 'Morning report');
    const address = new URL(page.url()).pathname;
    expect(await faultsOf(page, [{ path: address, heading: 'Morning report' }])).toEqual([]);
  });

  it('are changed, turned off and on', async () => {
    await page.getByRole('button', { name: 'Edit' }).click();
    const form = dialog('Edit Morning report');
    await form.getByRole('textbox', { name: 'Name', exact: true }).fill('Hourly report');
    await form.getByRole('combobox', { name: 'When', exact: true }).selectOption('Interval');
    await form.getByRole('textbox', { name: 'Minutes between runs' }).fill('90');
    await form.getByRole('button', { name: 'Save' }).click();
    await heading(page, 'Hourly report');
    await page.getByText('Every 90 minutes').waitFor();
    await page.getByRole('button', { name: 'Turn off' }).click();
    await page.getByText('Off', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Turn on' }).click();
    await page.getByText('On', { exact: true }).waitFor();
  });

  it('start a run now, which says what started it', leaveOut(sandboxSkipReason), async () => {
    await page.getByRole('button', { name: 'Run now' }).click();
    await heading(page, 'Write a report about the files here');
    await page.getByRole('link', { name: 'Hourly report' }).click();
    await heading(page, 'Hourly report');
    const history = page.getByRole('list', { name: /What became of each planned time/ });
    await history.getByText('Started').waitFor();
    await history.getByRole('link', { name: 'Open run' }).waitFor();
    await page.goto('/runs');
    await page.getByText('by the schedule Hourly report').waitFor();
  });

  it('are listed, on a phone too, and deleted', async () => {
    await showOn(page, PHONE);
    await page.goto('/runs/schedules');
    await page.getByRole('link', { name: 'Hourly report' }).click();
    await heading(page, 'Hourly report');
    await page.getByRole('button', { name: 'Delete' }).click();
    await dialog('Delete this schedule?').getByRole('button', { name: 'Delete' }).click();
    await heading(page, 'Schedules');
    await page.getByText('No schedules yet').waitFor();
  });
});
