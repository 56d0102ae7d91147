// Triggers, as a person uses them: made, set up at a source, tried out, delivered to, replayed, replaced and deleted.
import { createHmac } from 'node:crypto';
import { expect, it } from 'vitest';
import { faultsOf, findFaults } from '../support/browser/axe.ts';
import {
  describeInBrowser,
  failUntilPressed,
  heading,
  type OwnersApp,
  openAsOwner,
} from '../support/browser/browser.ts';
import { NARROW, showOn, widthOf } from '../support/browser/screen.ts';

describeInBrowser('triggers', () => {
  let { page } = {} as OwnersApp;
  let address = '';
  let secret = '';
  openAsOwner('Trudy Trigger', 'Triggerers', (at) => ({ page } = at));

  const deliver = async (payload: object, event: string, delivery: string): Promise<number> => {
    const body = JSON.stringify(payload);
    const { status } = await fetch(address, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-github-event': event,
        'x-github-delivery': delivery,
        'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
      },
      body,
    });
    return status;
  };

  it('are made with the keyboard, and show their secret once', async () => {
    await page.goto('/runs');
    await heading(page, 'Runs');
    await page.getByRole('link', { name: 'Triggers' }).click();
    await heading(page, 'Triggers');
    await page.getByText('No triggers yet').waitFor();
    await page.getByRole('button', { name: 'New trigger' }).focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'New trigger' });
    await dialog.waitFor();
    await page.getByRole('textbox', { name: 'Name' }).fill('Issues');
    await page.getByRole('textbox', { name: 'Objective' }).fill('Sort {{issue.title}}');
    await page.getByRole('textbox', { name: 'Only if' }).fill('nonsense');
    await page.getByRole('button', { name: 'Create trigger' }).click();
    await dialog.getByText('This is not a condition: nonsense').waitFor();
    expect(await findFaults(page, 'the form of a trigger')).toEqual([]);
    await page.getByRole('textbox', { name: 'Only if' }).fill('@event=issues');
    await page.getByRole('button', { name: 'Create trigger' }).click();
    const made = page.getByRole('dialog', { name: 'Set up the source' });
    await made.getByText('not shown again').waitFor();
    expect(await findFaults(page, 'what is entered at the source')).toEqual([]);
    [address = '', secret = ''] = await made.locator('code').allInnerTexts();
    expect(new URL(address).pathname).toMatch(/^\/hooks\/trg_/);
    await made.getByRole('button', { name: 'Done' }).click();
    await heading(page, 'Issues');
    await page.getByText('Nothing was delivered yet').waitFor();
    expect(await page.content()).not.toContain(secret);
  });

  it('show what would be started, without starting it', async () => {
    await page.getByRole('button', { name: 'Test', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Test the trigger' });
    await dialog.getByRole('textbox', { name: 'Payload (JSON)' }).fill('{"issue":{"title":"It breaks"}}');
    await dialog.getByRole('button', { name: 'Show' }).click();
    await dialog.getByText('The filter keeps this out.').waitFor();
    await dialog.getByRole('textbox', { name: 'Event' }).fill('issues');
    await dialog.getByRole('button', { name: 'Show' }).click();
    await dialog.getByText('This would start a run:').waitFor();
    await dialog.getByText('>It breaks</').waitFor();
    expect(await findFaults(page, 'the test of a trigger')).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByText('Nothing was delivered yet').waitFor();
  });

  it('list what was delivered, and replay it', async () => {
    expect(await deliver({ issue: { title: 'One' } }, 'push', 'a')).toBe(200);
    expect(await deliver({ issue: { title: 'Two' } }, 'issues', 'b')).toBe(202);
    await page.reload();
    const list = page.getByRole('list', { name: 'Deliveries, newest first' });
    await list.getByText('Filtered out').waitFor();
    await list.getByText('Started').waitFor();
    await list
      .getByRole('button', { name: /^Replay/ })
      .last()
      .click();
    await expect.poll(() => list.getByText('Started').count()).toBe(2);
    await list.getByRole('link', { name: 'Open run' }).first().click();
    await page.getByRole('link', { name: 'Issues' }).click();
    await heading(page, 'Issues');
  });

  it('are turned off, changed, and get another secret', async () => {
    await page.getByRole('button', { name: 'Turn off' }).click();
    await page.getByRole('button', { name: 'Turn on' }).waitFor();
    expect(await deliver({ issue: { title: 'Three' } }, 'issues', 'c')).toBe(200);
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('New issues');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await heading(page, 'New issues');
    await page.getByRole('button', { name: 'Turn on' }).click();
    await page.getByRole('button', { name: 'Turn off' }).waitFor();
    await page.getByRole('button', { name: 'Replace secret' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Replace secret' }).click();
    const made = page.getByRole('dialog', { name: 'Set up the source' });
    await made.getByText('not shown again').waitFor();
    expect((await made.locator('code').allInnerTexts())[1]).not.toBe(secret);
    await made.getByRole('button', { name: 'Done' }).click();
    await page.getByText('The old secret counts until').waitFor();
    expect(await deliver({ issue: { title: 'Four' } }, 'issues', 'd')).toBe(202);
  });

  it('fit a phone, in light and dark', async () => {
    const { pathname } = new URL(page.url());
    expect(
      await faultsOf(page, [
        { path: '/runs/triggers', heading: 'Triggers' },
        { path: pathname, heading: 'New issues' },
      ]),
    ).toEqual([]);
    await showOn(page, NARROW);
    await page.goto(pathname);
    await heading(page, 'New issues');
    await expect.poll(() => widthOf(page)).toBeLessThanOrEqual(NARROW.width);
  });

  it('say that they could not be loaded, and try again', async () => {
    const reads = /\/runtime\/triggers\?/;
    await failUntilPressed(page, reads, 500);
    await page.goto('/runs/triggers');
    const failure = page.getByRole('alert').filter({ hasText: 'Triggers could not be loaded' });
    await failure.waitFor();
    await failure.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('link', { name: 'New issues' }).waitFor();
    await page.unroute(reads);
    await page.getByRole('link', { name: 'New issues' }).click();
    await heading(page, 'New issues');
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No triggers yet').waitFor();
    expect(await deliver({}, 'issues', 'e')).toBe(401);
  });
});
