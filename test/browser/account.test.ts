// What a person does who suspects that someone else has access, and what they see when a client's request is invalid.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findFaults } from '../support/browser/axe.ts';
import {
  createOrganization,
  describeInBrowser,
  heading,
  openWebApp,
  type WebAppUnderTest,
} from '../support/browser/browser.ts';
import { takePictures } from '../support/browser/pictures.ts';
import { CHATGPT, chatGptZip } from '../support/imports/export-samples.ts';

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

  it('moves in with chats of another service, and reads them', async () => {
    const visitor = await app.visitSignedIn(app.newPerson('Ida Import'));
    const organization = await createOrganization(visitor, 'Newcomers');
    const { page } = visitor;
    await page.goto(`/chat?org=${organization.slug}`);
    await page.getByRole('link', { name: 'Import chats from ChatGPT, Claude or LibreChat' }).waitFor();
    await page.goto(`/account?org=${organization.slug}`);
    await page.getByRole('link', { name: 'Import chats' }).click();
    await heading(page, 'Import chats');
    expect(await findFaults(page, 'the page of imports')).toEqual([]);
    await takePictures(page, 'imports');
    const file = (name: string, buffer: Buffer) => ({ name, mimeType: 'application/zip', buffer });
    const bring = async (name: string, buffer: Buffer): Promise<void> => {
      await page.locator('input[type=file]').setInputFiles(file(name, buffer));
      await heading(page, name);
    };
    await bring('broken.zip', chatGptZip().subarray(0, 200));
    await page.getByText('The file is damaged or incomplete.').waitFor();
    await page.getByRole('link', { name: 'All imports' }).click();
    await bring('export.zip', chatGptZip());
    await page.getByText('Done · ChatGPT').waitFor();
    const report = page.getByRole('list', { name: 'Imported' });
    await report.getByText('4 messages').waitFor();
    expect(await report.locator('b').count()).toBe(0);
    expect(await findFaults(page, 'the report')).toEqual([]);
    await takePictures(page, 'import-report');
    await report.getByRole('link', { name: CHATGPT.title }).click();
    await heading(page, CHATGPT.title);
    await page.getByText('Imported from ChatGPT').waitFor();
    await page.getByText('In Lisbon.').waitFor();
    await page.goto(`/imports?org=${organization.slug}`);
    await bring('export.zip', chatGptZip());
    await page.getByRole('tab', { name: 'Already here: 1' }).click();
    await page.getByRole('list', { name: 'Already here' }).getByRole('link', { name: CHATGPT.title }).waitFor();
  });
});
