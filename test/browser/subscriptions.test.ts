// The page of subscriptions, as owners and admins use it: with the keyboard, on a phone, in both languages.
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { faultsOf, findFaults } from '../support/browser/axe.ts';
import {
  createWorkspace,
  describeInBrowser,
  failUntilPressed,
  heading,
  openAsOwner,
  type OwnersApp,
} from '../support/browser/browser.ts';
import { NARROW, PHONE, showOn, WIDE, widthOf } from '../support/browser/screen.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts';

describeInBrowser('subscriptions', () => {
  let { app, owner, organization, page } = {} as OwnersApp;
  let lab: { id: string; slug: string };
  let receiver: WebhookReceiver;
  openAsOwner('Sue Subscriber', 'Subscribers', async (at) => {
    ({ app, owner, organization, page } = at);
    lab = await createWorkspace(owner, organization, 'Lab');
  });
  beforeAll(async () => {
    receiver = await startWebhookReceiver();
  });
  afterAll(() => receiver?.close());

  const row = (on: Page, url: string): Locator => on.getByRole('listitem').filter({ hasText: url });
  const announce = (event: string): Promise<unknown> =>
    app.query('select announce_event($1, $2, $3, \'{"job": "job_of_the_test"}\')', [organization.id, lab.id, event]);

  it('begin empty; one is made with the keyboard, and its secret is shown once', async () => {
    await page.goto('/subscriptions');
    await heading(page, 'Subscriptions');
    await page.getByText('No subscriptions yet').waitFor();
    await page.getByRole('button', { name: 'New subscription' }).focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'New subscription' });
    await dialog.waitFor();
    await expect.poll(() => page.evaluate<string>('document.activeElement.type')).toBe('url');
    await page.keyboard.type('no address');
    await page.keyboard.press('Enter');
    await dialog.getByText('Enter an address, such as').waitFor();
    await dialog.getByRole('textbox', { name: 'Address' }).fill('ftp://files.example.test/');
    await page.keyboard.press('Enter');
    await expect.poll(() => dialog.getByRole('textbox', { name: 'Address' }).getAttribute('aria-invalid')).toBe('true');
    await dialog.getByRole('textbox', { name: 'Address' }).fill(receiver.url);
    await dialog.getByRole('checkbox', { name: 'Run completed' }).uncheck();
    await dialog.getByRole('checkbox', { name: 'Connection no longer works' }).check();
    await dialog.getByRole('combobox', { name: 'Where' }).selectOption({ label: 'Lab' });
    await dialog.getByRole('button', { name: 'Create subscription' }).click();

    const made = page.getByRole('dialog', { name: 'Subscription created' });
    const secret = await made.getByText(/^whsec_/).innerText();
    expect(await findFaults(page, 'the secret', '[role="dialog"]')).toEqual([]);
    receiver.trust(secret);
    await page.keyboard.press('Escape');
    await made.getByRole('button', { name: 'Done' }).click();
    await made.waitFor({ state: 'hidden' });
    await row(page, receiver.url).getByText('Run failed · Run aborted · Connection no longer works').waitFor();
    await row(page, receiver.url).getByText('Lab').waitFor();
    expect(await page.content()).not.toContain(secret);
  });

  it('show what was sent, with its body, and send it again under the same id', async () => {
    await announce('run.failed');
    await announce('run.completed');
    await expect.poll(() => receiver.received.length, { timeout: 20_000 }).toBe(1);
    await row(page, receiver.url).getByRole('button', { name: 'Deliveries' }).click();
    const dialog = page.getByRole('dialog', { name: 'Deliveries' });
    const delivery = dialog.getByRole('listitem');
    await delivery.getByText('Delivered').waitFor({ timeout: 20_000 });
    await delivery.getByText('1 try · answered 204').waitFor();
    await delivery.getByText('Message').click();
    await delivery.getByText('"job": "job_of_the_test"').waitFor();
    expect(await findFaults(page, 'the deliveries', '[role="dialog"]')).toEqual([]);
    await delivery.getByRole('button', { name: 'Send again' }).click();
    await expect.poll(() => receiver.received.length, { timeout: 20_000 }).toBe(2);
    expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(1);
    expect(receiver.refused).toEqual([]);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
  });

  it('are changed, turned off and on, and deleted after a confirmation', async () => {
    await row(page, receiver.url).getByRole('button', { name: 'Edit' }).click();
    const dialog = page.getByRole('dialog', { name: 'Edit subscription' });
    await dialog.getByRole('checkbox', { name: 'Run aborted' }).uncheck();
    await dialog.getByRole('button', { name: 'Save changes' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await row(page, receiver.url).getByText('Run failed · Connection no longer works').waitFor();
    await row(page, receiver.url).getByRole('button', { name: 'Turn off' }).click();
    await row(page, receiver.url).getByText('Turned off by a person').waitFor();
    await row(page, receiver.url).getByRole('button', { name: 'Turn on' }).click();
    await row(page, receiver.url).getByRole('button', { name: 'Turn off' }).waitFor();
    await row(page, receiver.url).getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByText('Messages that wait are not sent.').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await row(page, receiver.url).getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('No subscriptions yet').waitFor();
  });

  it('say since when they fail, and why they are off', async () => {
    await app.query(
      `insert into subscription (id, organization_id, created_by, url, events, ciphertext, iv, auth_tag, created_at, failing_since, disabled_at, disabled_reason)
       select t.id, $1, 'usr_x', t.url, '{run.failed}', 'x', $2, $3, now(), now() - interval '2 hours', t.off, t.reason
         from (values ('sub_a' || $4, 'https://failing.example.test/', null::timestamptz, null),
                      ('sub_b' || $4, 'https://three-days.example.test/', now(), 'failing'),
                      ('sub_c' || $4, 'https://gone.example.test/', now(), 'gone')) t (id, url, off, reason)`,
      [organization.id, Buffer.alloc(12), Buffer.alloc(16), organization.id],
    );
    await app.query(
      `insert into subscription_delivery (id, subscription_id, event, body, created_at, tries, tried_at, status, failure)
       values ('msg_' || $2::text, 'sub_b' || $2, 'run.failed', $1, now(), 10, now(), 500, 'the address answered 500')`,
      [JSON.stringify({ type: 'run.failed', data: { job: 'job_1' } }), organization.id],
    );
    await page.goto('/subscriptions');
    await row(page, 'failing.example').getByText('Nothing was delivered since').waitFor();
    await row(page, 'three-days').getByText('because nothing could be delivered for three days').waitFor();
    await row(page, 'gone.example').getByText('because the address answered that it takes no more').waitFor();
    await row(page, 'three-days').getByRole('button', { name: 'Deliveries' }).click();
    const delivery = page.getByRole('dialog', { name: 'Deliveries' }).getByRole('listitem');
    await delivery.getByText('10 tries · the address answered 500').waitFor();
    await expect.poll(() => delivery.getByRole('button', { name: 'Send again' }).count()).toBe(0);
    await page.keyboard.press('Escape');
  });

  it('have no fault that axe can find, and fit a narrow screen and a phone', async () => {
    const opens = (inRow: boolean, button: string, dialog: string) => async (on: Page) => {
      await (inRow ? row(on, 'three-days') : on).getByRole('button', { name: button }).click();
      await on.getByRole('dialog', { name: dialog }).waitFor();
    };
    const stop = { path: '/subscriptions', heading: 'Subscriptions' };
    expect(
      await faultsOf(page, [
        { ...stop, act: (on) => row(on, 'gone.example').waitFor() },
        { ...stop, open: opens(false, 'New subscription', 'New subscription') },
        { ...stop, open: opens(true, 'Edit', 'Edit subscription') },
        { ...stop, open: opens(true, 'Delete', 'Delete this subscription?') },
      ]),
    ).toEqual([]);
    await page.goto('/subscriptions');
    await showOn(page, PHONE);
    await row(page, 'three-days').getByRole('button', { name: 'Deliveries' }).click();
    await page.getByRole('dialog', { name: 'Deliveries' }).getByText('10 tries').waitFor();
    await showOn(page, NARROW);
    await expect.poll(() => widthOf(page)).toBeLessThanOrEqual(NARROW.width);
    await page.keyboard.press('Escape');
    await showOn(page, WIDE);
  });

  it('say that they could not be loaded, and load on request', async () => {
    const reads = /\/runtime\/subscriptions\?/;
    await failUntilPressed(page, reads, 500);
    await page.goto('/subscriptions');
    const failure = page.getByRole('alert').filter({ hasText: 'The subscriptions could not be loaded' });
    await failure.getByRole('button', { name: 'Try again' }).click();
    await row(page, 'gone.example').waitFor();
    await page.unroute(reads);
  });

  it('speak German, also of what went wrong at the address', async () => {
    const german = await owner.context.newPage();
    await german.addInitScript("localStorage.setItem('language', 'de')");
    await german.goto('/subscriptions');
    await heading(german, 'Abonnements');
    await row(german, 'three-days').getByText('Vom Dienst ausgeschaltet').waitFor();
    await row(german, 'three-days').getByRole('button', { name: 'Zustellungen' }).click();
    await german.getByText('10 Versuche · die Adresse antwortete mit 500').waitFor();
    await german.close();
  });

  it('are for those who manage: a member is told so, an admin of a workspace has its own', async () => {
    const join = async (name: string, role: 'admin' | 'member') => {
      const person = app.newPerson(name);
      const visitor = await app.visitSignedIn(person);
      const { user } = await visitor.call<{ user: { id: string } }>('GET', '/api/me');
      await owner.call('POST', `/api/organizations/${organization.id}/members`, {
        email: person.email,
        role: 'member',
      });
      await owner.call('POST', `/api/workspaces/${lab.id}/members`, { user: user.id, role });
      return visitor;
    };
    const member = await join('Mo Member', 'member');
    await member.page.goto(`/subscriptions?org=${organization.slug}`);
    await member.page.getByText('Only owners and admins can manage subscriptions').waitFor();
    await expect.poll(() => member.page.getByRole('link', { name: 'Subscriptions' }).count()).toBe(0);
    await member.context.close();

    const lead = await join('Lee Lead', 'admin');
    await lead.page.goto(`/chat?org=${organization.slug}`);
    await lead.page.getByRole('link', { name: 'Subscriptions' }).click();
    await lead.page.getByText('No subscriptions yet').waitFor();
    await lead.page.getByRole('button', { name: 'New subscription' }).click();
    const where = lead.page.getByRole('combobox', { name: 'Where' });
    await expect.poll(() => where.locator('option').allInnerTexts()).toEqual(['Lab']);
    await lead.page.getByRole('textbox', { name: 'Address' }).fill('https://lead.example.test/');
    await lead.page.getByRole('button', { name: 'Create subscription' }).click();
    await lead.page.getByRole('button', { name: 'Done' }).click();
    await row(lead.page, 'lead.example').waitFor();
    await lead.context.close();
  });
});
