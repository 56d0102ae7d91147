// What a person does who suspects that someone else has access, and what they see when a client's request is invalid.
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  createOrganization,
  describeInBrowser,
  heading,
  openWebApp,
  type WebAppUnderTest,
} from '../support/browser/browser.ts';

describeInBrowser('account', () => {
  let app: WebAppUnderTest;
  beforeAll(async () => {
    app = await openWebApp();
  });
  afterAll(() => app?.close());

  const named = async (
    call: <T>(method: 'GET' | 'POST', path: string, body?: unknown) => Promise<T>,
    organization: string,
  ): Promise<void> => {
    await call('POST', '/api/tokens', { name: 'Mine', organization, scopes: ['connect:read'] });
  };
  const revoked = (email: string): Promise<unknown[]> =>
    app.query(
      'select t.revoked_at is not null as revoked from connect_token t join identity_user u on u.id = t.user_id where u.email = $1',
      [email],
    );

  it('changes the password and ends tokens with it, as the checkbox says beforehand', async () => {
    const person = app.newPerson('Pat Password');
    const visitor = await app.visitSignedIn(person);
    const organization = await createOrganization(visitor, 'Passwords');
    await named(visitor.call, organization.id);
    const { page } = visitor;
    await page.goto(`/account?org=${organization.slug}`);
    await heading(page, 'Account');
    const form = page.locator('form', { hasText: 'Current password' });
    expect(await form.getByRole('checkbox', { name: 'Also revoke my tokens and connected clients' }).isChecked()).toBe(
      true,
    );
    expect(await form.getByRole('checkbox', { name: 'Also sign out everywhere else' }).isChecked()).toBe(true);
    await form.getByLabel('Current password').fill('not the password');
    await form.getByLabel('New password').fill('another horse battery');
    await form.getByRole('button', { name: 'Change password' }).click();
    await form.getByText('The current password is incorrect.').waitFor();
    expect(await revoked(person.email)).toEqual([{ revoked: false }]);
    await form.getByLabel('Current password').fill(person.password);
    await form.getByLabel('New password').fill('another horse battery');
    // The person looks at another window: the notice waits for them.
    await page.clock.install();
    await page.evaluate('document.hasFocus = () => false');
    await form.getByRole('button', { name: 'Change password' }).click();
    const notice = page.getByText('Password changed.');
    await notice.waitFor();
    expect(await revoked(person.email)).toEqual([{ revoked: true }]);
    await page.clock.runFor(60_000);
    expect(await notice.count()).toBe(1);
    await page.evaluate("window.dispatchEvent(new Event('focus'))");
    await page.clock.runFor(5_000);
    await notice.waitFor({ state: 'detached' });
    await page.reload();
    await heading(page, 'Account');
    await visitor.context.close();
  });

  it('signs out everywhere, and keeps tokens on request', async () => {
    const person = app.newPerson('Ellis Everywhere');
    const visitor = await app.visitSignedIn(person);
    const organization = await createOrganization(visitor, 'Everywhere');
    await named(visitor.call, organization.id);
    const { page } = visitor;
    await page.goto(`/account?org=${organization.slug}`);
    await heading(page, 'Account');
    const card = page.locator('section', { hasText: 'Ends every session' });
    await card.getByRole('checkbox', { name: 'Also revoke my tokens and connected clients' }).uncheck();
    await card.getByRole('button', { name: 'Sign out everywhere' }).click();
    await heading(page, 'Sign in');
    expect(
      await app.query('select 1 from identity_session s join identity_user u on u.id = s.user_id where u.email = $1', [
        person.email,
      ]),
    ).toEqual([]);
    expect(await revoked(person.email)).toEqual([{ revoked: false }]);
    await visitor.context.close();
  });

  it('shows which client sent an invalid request, and stays until the person goes back', async () => {
    const visitor = await app.visitSignedIn(app.newPerson('Ines Interstitial'));
    const registered = await fetch(`${app.url}/api/oauth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ client_name: 'Odd Client', redirect_uris: ['https://evil.example/phish'] }),
    });
    const { client_id: clientId } = (await registered.json()) as { client_id: string };
    const { page } = visitor;
    await page.goto(
      `${app.url}/api/oauth/authorize?${new URLSearchParams({ client_id: clientId, redirect_uri: 'https://evil.example/phish', response_type: 'code', scope: 'openid' })}`,
    );
    await heading(page, 'Odd Client made an invalid request');
    await page.getByText('PKCE is required').waitFor();
    const leaving = page.waitForRequest((request) =>
      request.url().startsWith('https://evil.example/phish?error=invalid_request'),
    );
    await page.getByRole('button', { name: 'Go back to evil.example' }).click();
    await leaving;
    await visitor.context.close();
  });
});
