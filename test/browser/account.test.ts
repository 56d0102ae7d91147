// What a person does who suspects that someone else has access, and what they see when a client's request is invalid.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findFaults } from '../support/browser/axe.ts';
import {
  createOrganization,
  describeInBrowser,
  heading,
  openWebApp,
  type Visitor,
  type WebAppUnderTest,
} from '../support/browser/browser.ts';
import { codeOf, stepAt } from '../../src/identity/factors/one-time-codes.ts';
import { decodeBase32 } from '../support/http/decode-base32.ts';
import { takePictures } from '../support/browser/pictures.ts';
import { CHATGPT, chatGptZip } from '../support/imports/export-samples.ts';

/** One that is part of the device, and whose owner is there. */
async function addAuthenticator({ context, page }: Visitor): Promise<void> {
  const devtools = await context.newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

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

  it('keeps whether a person wants mail when a run ends: off until it is chosen', async () => {
    const visitor = await app.visitSignedIn(app.newPerson('Mel Mail'));
    const organization = await createOrganization(visitor, 'Mailers');
    const { page } = visitor;
    await page.goto(`/account?org=${organization.slug}`);
    const wanted = page.getByRole('switch', { name: 'Send me an email when a run that I started ends' });
    await wanted.waitFor();
    await expect.poll(() => wanted.isChecked()).toBe(false);
    const stored = page.waitForResponse((answer) => answer.request().method() === 'PUT');
    await wanted.click();
    expect((await stored).status()).toBe(200);
    await page.reload();
    await wanted.waitFor();
    await expect.poll(() => wanted.isChecked()).toBe(true);
    await visitor.context.close();
  });

  it('changes the password and ends tokens with it, as the checkbox says beforehand', async () => {
    const person = app.newPerson('Pat Password');
    const visitor = await app.visitSignedIn(person);
    const organization = await createOrganization(visitor, 'Passwords');
    await named(visitor.call, organization.id);
    const { page } = visitor;
    await page.goto(`/account?org=${organization.slug}`);
    await heading(page, 'Account');
    const form = page.locator('form', { hasText: 'Current password' });
    await expect
      .poll(() => form.getByRole('checkbox', { name: 'Also revoke my tokens and connected clients' }).isChecked())
      .toBe(true);
    await expect
      .poll(() => form.getByRole('checkbox', { name: 'Also sign out everywhere else' }).isChecked())
      .toBe(true);
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
    await expect.poll(() => notice.count()).toBe(1);
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
    const card = page.getByRole('region', { name: 'Sessions' });
    await card.getByRole('checkbox', { name: 'Also revoke my tokens and connected clients' }).uncheck();
    await card.getByRole('button', { name: 'Sign out everywhere' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere' }).click();
    await heading(page, 'Sign in');
    expect(
      await app.query('select 1 from identity_session s join identity_user u on u.id = s.user_id where u.email = $1', [
        person.email,
      ]),
    ).toEqual([]);
    expect(await revoked(person.email)).toEqual([{ revoked: false }]);
    await visitor.context.close();
  });

  it('signs in by a passkey alone, once it has proved again who is asking for one', async () => {
    const person = app.newPerson('Paula Passkey');
    const visitor = await app.visitSignedIn(person);
    const organization = await createOrganization(visitor, 'Keys');
    const { page } = visitor;
    await addAuthenticator(visitor);
    await page.goto(`/account?org=${organization.slug}`);
    await heading(page, 'Account');
    await app.query(
      "update identity_session set proved_at = now() - interval '1 hour' where user_id = (select id from identity_user where email = $1)",
      [person.email],
    );
    const card = page.getByRole('region', { name: 'Passkeys' });
    await card.getByRole('button', { name: 'Add a passkey' }).click();
    const adding = page.getByRole('dialog', { name: 'Add a passkey' });
    await adding.getByLabel('Name').fill('Work laptop');
    await adding.getByRole('button', { name: 'Continue' }).click();
    const proof = page.getByRole('dialog', { name: 'Is it you?' });
    await proof.getByLabel('Password').fill('not the password');
    await proof.getByRole('button', { name: 'Continue' }).click();
    await proof.getByText('The password is incorrect.').waitFor();
    await takePictures(page, 'account-proof');
    await proof.getByLabel('Password').fill(person.password);
    await proof.getByRole('button', { name: 'Continue' }).click();
    await card.getByText('Work laptop').waitFor();

    await page.getByRole('button', { name: 'Remove password' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove password' }).click();
    await page.getByRole('button', { name: 'Set password' }).waitFor();
    await card.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByText('This is the only way into your account.').waitFor();
    await page.keyboard.press('Escape');
    expect(await findFaults(page, 'the account')).toEqual([]);
    await takePictures(page, 'account');
    await visitor.call('POST', '/api/auth/sign-out', {});
    await page.goto('/sign-in');
    await takePictures(page, 'sign-in');
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await page.waitForURL(/\/chat/);
    await visitor.context.close();
  });

  it('opens an organization that requires a second factor once there is one, and asks for it at sign-in', async () => {
    const owner = await app.visitSignedIn(app.newPerson('Olga Owner'));
    const organization = await createOrganization(owner, 'Closed Shop');
    const person = app.newPerson('Theo Totp');
    const visitor = await app.visitSignedIn(person);
    await owner.call('POST', `/api/organizations/${organization.id}/members`, { email: person.email, role: 'member' });
    await app.query(
      "update identity_session set second_factor = true where user_id = (select user_id from organization_member where organization_id = $1 and role = 'owner')",
      [organization.id],
    );
    await owner.page.goto(`/organization/settings/members?org=${organization.slug}`);
    await owner.page.getByRole('switch', { name: 'Require a second factor' }).click();
    await owner.page.getByText('Setting saved.').waitFor();
    expect(await findFaults(owner.page, 'the members')).toEqual([]);
    await owner.context.close();

    const { page } = visitor;
    await page.goto(`/workspaces?org=${organization.slug}`);
    await heading(page, 'Closed Shop requires a second factor');
    expect(await findFaults(page, 'the closed organization')).toEqual([]);
    await takePictures(page, 'closed-organization');
    await page.getByRole('button', { name: 'Set up one-time codes' }).click();
    const dialog = page.getByRole('dialog', { name: 'Set up one-time codes' });
    await dialog.getByRole('img', { name: 'QR code with the key for your authenticator app' }).waitFor();
    const secret = decodeBase32((await dialog.locator('code').textContent()) ?? '');
    await takePictures(page, 'account-one-time-codes');
    // Each step of time is accepted once: the second code is that of the next step, which a fast clock would show.
    const step = stepAt(new Date());
    await dialog.getByLabel('Code from the app').fill(codeOf(secret, step));
    await dialog.getByRole('button', { name: 'Confirm' }).click();
    const recovery = page.getByRole('dialog', { name: 'Recovery codes' });
    const [code = ''] = ((await recovery.locator('pre').textContent()) ?? '').split('\n');
    await takePictures(page, 'account-recovery-codes');
    await recovery.getByRole('button', { name: 'I have kept them' }).click();
    await heading(page, 'Workspaces');

    const signIn = async (given: string): Promise<void> => {
      await visitor.call('POST', '/api/auth/sign-out', {});
      await page.goto('/sign-in');
      await page.getByLabel('Email').fill(person.email);
      await page.getByLabel('Password', { exact: true }).fill(person.password);
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await heading(page, 'One more step');
      await page.getByLabel('Code').fill(given);
      await page.getByRole('button', { name: 'Sign in' }).click();
    };
    await signIn(codeOf(secret, step + 1));
    await page.waitForURL(/\/chat/);
    await signIn(codeOf(secret, step + 1));
    await page.getByText('The code is wrong, or was used before.').waitFor();
    expect(await findFaults(page, 'the second step')).toEqual([]);
    await page.getByLabel('Code').fill(code);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL(/\/chat/);
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

  it('takes the data along, deletes the organization, brings it back, and leaves for good', async () => {
    const person = app.newPerson('Lena Leaves');
    const visitor = await app.visitSignedIn(person);
    const organization = await createOrganization(visitor, 'Leavers');
    const { page } = visitor;
    await page.goto(`/account?org=${organization.slug}`);
    await heading(page, 'Account');
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download your data' }).click();
    expect((await downloading).suggestedFilename()).toMatch(/^my-data-\d{4}-\d\d-\d\d\.zip$/);

    const leave = async (): Promise<void> => {
      await page.getByRole('button', { name: 'Delete account' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel(`Type ${person.email} to confirm`).fill(person.email);
      await dialog.getByRole('button', { name: 'Delete account' }).click();
    };
    await leave();
    const alert = page.getByRole('alert').filter({ hasText: 'You are the only owner of an organization' });
    await alert.getByText('Leavers').waitFor();
    expect(await findFaults(page, 'the last owner')).toEqual([]);
    await takePictures(page, 'delete-account');
    await alert.getByRole('link', { name: 'delete the organization' }).click();
    await heading(page, 'General');
    await page.getByRole('button', { name: 'Delete organization' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Type Leavers to confirm').fill('Leavers');
    await takePictures(page, 'delete-organization');
    await dialog.getByRole('button', { name: 'Delete organization' }).click();

    await page.getByText('Deleted. It can be brought back until').waitFor();
    expect(await findFaults(page, 'without an organization')).toEqual([]);
    await takePictures(page, 'deleted-organization');
    await page.getByRole('button', { name: 'Bring back' }).click();
    await page.waitForURL(/\/chat/);
    await page.goto(`/organization/settings/general?org=${organization.slug}`);
    await page.getByRole('button', { name: 'Delete organization' }).click();
    await dialog.getByLabel('Type Leavers to confirm').fill('Leavers');
    await dialog.getByRole('button', { name: 'Delete organization' }).click();
    await page.getByText('Deleted. It can be brought back until').waitFor();
    await leave();
    await page.getByRole('dialog', { name: 'Your account is deleted' }).waitFor();
    await takePictures(page, 'account-deleted');
    await page.getByRole('button', { name: 'Go to the sign-in page' }).click();
    await heading(page, 'Sign in');
    expect(
      await app.query('select disabled_at is not null as shut from identity_user where email = $1', [person.email]),
    ).toEqual([{ shut: true }]);
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
    await expect.poll(() => report.locator('b').count()).toBe(0);
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
