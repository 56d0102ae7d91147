// Coming in, staying in, being thrown out: what a page does when the session or the network goes away.
import type { Page } from 'playwright-core';
import { poll } from '../support/poll.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  createOrganization,
  describeInBrowser,
  heading,
  openWebApp,
  type WebAppUnderTest,
} from '../support/browser/browser.ts';

const focused = (page: Page): Promise<string> =>
  page.evaluate<string>(
    "(document.activeElement?.labels?.[0]?.textContent ?? document.activeElement?.textContent ?? '').trim()",
  );

describeInBrowser('sessions', () => {
  let app: WebAppUnderTest;
  beforeAll(async () => {
    app = await openWebApp();
  });
  afterAll(() => app?.close());

  it('signs in with the keyboard alone', async () => {
    const person = app.newPerson('Kim Keys');
    const first = await app.visitSignedIn(person);
    await createOrganization(first, 'Keyboards');
    await first.context.close();
    const { page, context } = await app.visit();
    await page.goto('/sign-in');
    await page.getByLabel('Email').waitFor();
    for (let presses = 0; (await focused(page)) !== 'Email'; presses++) {
      expect(presses, 'the email field is reached by Tab').toBeLessThan(5);
      await page.keyboard.press('Tab');
    }
    await page.keyboard.type(person.email);
    await page.keyboard.press('Tab');
    await expect.poll(() => focused(page)).toBe('Password');
    await page.keyboard.type(person.password);
    await page.keyboard.press('Enter');
    await heading(page, 'New chat');
    await context.close();
  });

  it('says when the password is wrong and keeps the address that was typed', async () => {
    const person = app.newPerson('Walter Wrong');
    await (await app.visitSignedIn(person)).context.close();
    const { page, context } = await app.visit();
    await page.goto('/sign-in');
    await page.getByLabel('Email').fill(person.email);
    await page.getByLabel('Password').fill('not the password');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('The email address or password is incorrect.').waitFor();
    await expect.poll(() => page.getByLabel('Email').inputValue()).toBe(person.email);
    await context.close();
  });

  it('lets back in who has lost their password, through the link that was sent', async () => {
    const person = app.newPerson('Lola Lost');
    const first = await app.visitSignedIn(person);
    await createOrganization(first, 'Lost and Found');
    const { page, context } = await app.visit();
    await page.goto('/sign-in');
    await page.getByRole('link', { name: 'Forgot your password?' }).click();
    await heading(page, 'Forgot your password?');
    await page.getByLabel('Email').fill(person.email);
    await page.getByRole('button', { name: 'Send link' }).click();
    await page.getByText(`If there is an account for ${person.email}, a link is on its way.`).waitFor();

    const mailbox = await context.newPage();
    const mail = mailbox
      .getByRole('listitem')
      .filter({ hasText: person.email })
      .getByRole('link', { name: 'Choose a new password' });
    await poll(async () => {
      await mailbox.goto(app.mailboxUrl);
      return (await mail.count()) === 1;
    });
    await mail.click();
    const opened = context.waitForEvent('page');
    await mailbox.frameLocator('iframe').getByRole('link', { name: 'Choose a new password' }).click();
    const reset = await opened;
    await heading(reset, 'Choose a new password');
    await expect.poll(() => new URL(reset.url()).hash).toBe('');
    await reset.getByLabel('New password').fill('password1');
    await reset.getByRole('button', { name: 'Save password' }).click();
    await reset.getByText('This password is on lists of leaked passwords').waitFor();
    await reset.getByLabel('New password').fill('another horse battery');
    await reset.getByRole('button', { name: 'Save password' }).click();
    await reset.getByText('Your password has been changed.').waitFor();

    await first.page.goto('/account');
    await heading(first.page, 'Sign in');
    await reset.getByRole('link', { name: 'Sign in', exact: true }).click();
    await reset.getByLabel('Email').fill(person.email);
    await reset.getByLabel('Password').fill('another horse battery');
    await reset.getByRole('button', { name: 'Sign in' }).click();
    await heading(reset, 'New chat');
    await Promise.all([first.context.close(), context.close()]);
  });

  it('returns to the page that asked for signing in, and never to another site', async () => {
    const person = app.newPerson('Rita Return');
    const first = await app.visitSignedIn(person);
    const { slug } = await createOrganization(first, 'Returns');
    await first.context.close();
    for (const [wanted, landing] of [
      [`/organization/settings/sso?org=${slug}`, '/organization/settings/sso'],
      [`/sign-in?next=${encodeURIComponent('https://evil.example/')}`, '/chat'],
      [`/sign-in?next=${encodeURIComponent('//evil.example/')}`, '/chat'],
    ] as const) {
      const { page, context } = await app.visit();
      await page.goto(wanted);
      await page.getByLabel('Email').fill(person.email);
      await page.getByLabel('Password').fill(person.password);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await expect
        .poll(() => `${new URL(page.url()).origin}${new URL(page.url()).pathname}`, { timeout: 20_000 })
        .toBe(`${app.url}${landing}`);
      await context.close();
    }
  });

  it('keeps the page and what was typed when the session ends, and carries on after signing in again', async () => {
    const person = app.newPerson('Eve Expired');
    const visitor = await app.visitSignedIn(person);
    const { slug } = await createOrganization(visitor, 'Expiring');
    const { page } = visitor;
    await page.goto(`/workspaces?org=${slug}`);
    await page.getByRole('button', { name: 'New workspace' }).click();
    await page.getByRole('dialog', { name: 'Create a workspace' }).getByLabel('Name').fill('Half-finished thought');
    await app.query('delete from identity_session where user_id = (select id from identity_user where email = $1)', [
      person.email,
    ]);
    await page.getByRole('button', { name: 'Create workspace' }).click();

    const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
    await dialog.getByLabel('Password').fill(person.password);
    await dialog.getByRole('button', { name: 'Sign in and continue' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await expect
      .poll(() => page.evaluate<boolean>(`document.activeElement.closest('[role="dialog"]') !== null`))
      .toBe(true);
    await expect
      .poll(() => page.getByRole('dialog', { name: 'Create a workspace' }).getByLabel('Name').inputValue())
      .toBe('Half-finished thought');
    await page.getByRole('button', { name: 'Create workspace' }).click();
    await heading(page, 'Half-finished thought');
    await visitor.context.close();
  });

  it('signs out for good: going back shows the sign-in page', async () => {
    const visitor = await app.visitSignedIn(app.newPerson('Bea Bye'));
    const { slug } = await createOrganization(visitor, 'Goodbyes');
    const { page } = visitor;
    await page.goto(`/workspaces?org=${slug}`);
    await page.getByRole('button', { name: /Account: Bea Bye/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await heading(page, 'Sign in');
    await page.goto(`/workspaces?org=${slug}`);
    await heading(page, 'Sign in');
    await expect(visitor.call('GET', '/api/me')).rejects.toThrow('401');
    await visitor.context.close();
  });

  it('says that it is offline, refuses a change at once and keeps the input', async () => {
    const visitor = await app.visitSignedIn(app.newPerson('Oscar Offline'));
    const { slug } = await createOrganization(visitor, 'Islands');
    const { page, context } = visitor;
    await page.goto(`/workspaces?org=${slug}`);
    await page.getByRole('button', { name: 'New workspace' }).click();
    await page.getByRole('dialog').getByLabel('Name').waitFor();
    await context.setOffline(true);
    await page.getByText('You are offline.').waitFor();
    await page.getByRole('dialog').getByLabel('Name').fill('Message in a bottle');
    await page.getByRole('button', { name: 'Create workspace' }).click();
    await page.getByText('The server did not answer.').waitFor();
    await expect.poll(() => page.getByRole('dialog').getByLabel('Name').inputValue()).toBe('Message in a bottle');
    await context.setOffline(false);
    await page.getByText('You are offline.').waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Create workspace' }).click();
    await heading(page, 'Message in a bottle');
    await context.close();
  });
});
