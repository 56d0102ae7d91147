// A service that not everybody may come into: what its pages say, that an invitation leads through them, and that people of
// a real OpenID provider come in through it.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findFaults } from '../support/browser/axe.ts';
import { describeInBrowser, heading, openWebApp, type WebAppUnderTest } from '../support/browser/browser.ts';
import { takePictures } from '../support/browser/pictures.ts';
import { freePorts } from '../support/free-port.ts';
import { CLIENT } from '../support/openid/hostile-provider.ts';
import { type RealProvider, startRealProvider } from '../support/openid/real-provider.ts';

const DEBUG_TOKEN = 'the-debug-token-of-the-tests';

describeInBrowser('a service for the invited, with organizations by the operator', () => {
  let app: WebAppUnderTest;
  let provider: RealProvider;
  let directory: string;
  beforeAll(async () => {
    const port = await freePorts(10);
    provider = await startRealProvider(`http://localhost:${port}`);
    directory = await mkdtemp(join(tmpdir(), 'groups-'));
    const groups = join(directory, 'groups.json');
    await writeFile(groups, JSON.stringify({ groups: [{ group: 'staff', organization: 'by-groups' }] }));
    app = await openWebApp({
      port,
      environment: {
        SERVICE_OIDC_ISSUER: provider.issuer,
        SERVICE_OIDC_CLIENT_ID: CLIENT.id,
        SERVICE_OIDC_CLIENT_SECRET: CLIENT.secret,
        SERVICE_OIDC_NAME: 'Example ID',
        SERVICE_OIDC_GROUPS: groups,
        SERVICE_SIGN_UP: 'invited',
        SERVICE_NEW_ORGANIZATIONS: 'operator',
        SERVICE_DEBUG_TOKEN: DEBUG_TOKEN,
      },
    });
  });
  afterAll(async () => {
    await app?.close();
    await provider?.close();
    await rm(directory, { recursive: true });
  });

  const order = async (ownerEmail: string, name = 'By Order'): Promise<{ invitation: { url: string } }> => {
    const answer = await fetch(`${app.url}/service-debug/organizations`, {
      method: 'POST',
      headers: { authorization: `Bearer ${DEBUG_TOKEN}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name, ownerEmail }),
    });
    expect(answer.status).toBe(201);
    return (await answer.json()) as { invitation: { url: string } };
  };

  it('offers no account to anyone without an invitation', async () => {
    const { page, context } = await app.visit();
    await page.goto('/');
    await heading(page, 'Sign in');
    await page.getByText('Open your invitation link to create an account.').waitFor();
    await expect.poll(() => page.getByRole('link', { name: 'Create an account' }).count()).toBe(0);
    await page.goto('/sign-up');
    await heading(page, 'Create an account');
    await page.getByText('You need an invitation to create an account here.').waitFor();
    await expect.poll(() => page.getByLabel('Password').count()).toBe(0);
    await context.close();
  });

  it('leads the owner that the operator named from the link to their organization, and offers no other', async () => {
    const owner = app.newPerson('Oda Ordered');
    const { invitation } = await order(owner.email);
    const { page, context } = await app.visit();
    await page.goto(new URL(invitation.url).pathname);
    await page.getByRole('link', { name: 'Create an account' }).click();
    await page.getByLabel('Name').fill(owner.name);
    await page.getByLabel('Password').fill(owner.password);
    await page.getByLabel('Email').fill('somebody.else@example.test');
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.getByText('use the email address it was created for').waitFor();
    await page.getByLabel('Email').fill(owner.email);
    await page.getByRole('button', { name: 'Create account' }).click();
    await heading(page, 'Join By Order');

    // Before they accept it they are nowhere, and are told so.
    await page.goto('/chat');
    await heading(page, 'You are not in an organization yet');
    await expect.poll(() => page.getByRole('button', { name: 'Create organization' }).count()).toBe(0);

    await page.goto(new URL(invitation.url).pathname);
    await page.getByRole('button', { name: 'Accept invitation' }).click();
    await heading(page, 'New chat');
    await page
      .getByRole('button', { name: /By Order/ })
      .first()
      .click();
    await page.getByRole('menuitem', { name: 'Leave organization' }).waitFor();
    await expect.poll(() => page.getByRole('menuitem', { name: 'New organization' }).count()).toBe(0);
    await context.close();
  });

  describe('through the OpenID provider', () => {
    beforeAll(async () => void (await order('nobody.yet@example.test', 'By Groups')));
    const known = (name: string, { verified = true, email = `${name}@example.test` } = {}): string => {
      provider.people.set(name, { name: `Person ${name}`, email, verified, groups: ['staff'] });
      return name;
    };
    /** At the pages of the provider. */
    const signInThere = async (page: Page, name: string): Promise<void> => {
      await page.getByPlaceholder('Enter any login').fill(name);
      await page.getByPlaceholder('and password').fill('any');
      await page.getByRole('button', { name: 'Sign-in' }).click();
      await page.getByRole('button', { name: 'Continue' }).click();
    };
    const visit = async (path: string) => {
      const visitor = await app.visit();
      // Its pages ask for a font that is nowhere near.
      await visitor.context.route('https://fonts.googleapis.com/**', (route) => route.abort());
      await visitor.page.goto(path);
      return visitor;
    };

    it('brings a person in, with what their groups give, and out again on both sides', async () => {
      const { page, context } = await visit('/usage');
      await heading(page, 'Sign in');
      expect(await findFaults(page, 'sign-in with a provider')).toEqual([]);
      await takePictures(page, 'sign-in-provider');
      await page.getByRole('link', { name: 'Continue with Example ID' }).click();
      await signInThere(page, known('ada'));
      await page.waitForURL(/\/usage/);
      await page
        .getByRole('button', { name: /By Groups/ })
        .first()
        .waitFor();

      await page.getByRole('button', { name: /Person ada/ }).click();
      await page.getByRole('menuitem', { name: 'Sign out' }).click();
      await page.getByText('You are signed out here, but still signed in with Example ID.').waitFor();
      await takePictures(page, 'signed-out-here');
      await page.getByRole('link', { name: 'Continue with Example ID' }).click();
      // The provider still knows them.
      await page.getByRole('button', { name: /Person ada/ }).click();
      await page.getByRole('menuitem', { name: 'Sign out' }).click();
      await page.getByRole('link', { name: 'Sign out of Example ID too' }).click();
      await page.getByRole('button', { name: 'Yes, sign me out' }).click();
      await heading(page, 'Sign in');
      await page.getByRole('link', { name: 'Continue with Example ID' }).click();
      await page.getByPlaceholder('Enter any login').waitFor();
      await context.close();
    });

    it('ends a session when the provider says so', async () => {
      const { page, context } = await visit('/sign-in');
      await page.getByRole('link', { name: 'Continue with Example ID' }).click();
      await signInThere(page, known('bea'));
      await page.getByRole('button', { name: /Person bea/ }).waitFor();
      const elsewhere = await context.newPage();
      await elsewhere.goto(`${provider.issuer}/session/end`);
      await elsewhere.getByRole('button', { name: 'Yes, sign me out' }).click();
      await elsewhere.getByText('Sign-out Success').waitFor();
      await page.reload();
      await heading(page, 'Sign in');
      await context.close();
    });

    it('says why it did not let somebody in', async () => {
      const { page, context } = await visit('/sign-in');
      await page.getByRole('link', { name: 'Continue with Example ID' }).click();
      await signInThere(page, known('una', { verified: false }));
      await page.getByText('has not verified your email address').waitFor();
      expect(await findFaults(page, 'a sign-in that failed')).toEqual([]);
      await takePictures(page, 'sign-in-failed');
      await context.close();
    });

    it('connects an account that was there before once its owner has signed in to it', async () => {
      const before = app.newPerson('Connie Connected');
      const { invitation } = await order(before.email);
      const setUp = await app.visit();
      await setUp.call('POST', '/api/auth/sign-up/email', {
        ...before,
        invitation: new URL(invitation.url).pathname.split('/').at(-1),
      });
      await setUp.context.close();
      const { page, context } = await visit('/sign-in?next=/account');
      await page.getByRole('link', { name: 'Continue with Example ID' }).click();
      await signInThere(page, known('connie', { email: before.email }));
      await heading(page, 'Connect your account');
      expect(await findFaults(page, 'an account to connect')).toEqual([]);
      await takePictures(page, 'connect-account');
      await page.getByRole('link', { name: 'Sign in to the account' }).click();
      await page.getByLabel('Email').fill(before.email);
      await page.getByLabel('Password').fill(before.password);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('button', { name: 'Connect' }).click();
      await page.waitForURL(/\/account/);
      expect(
        await app.query(
          'select s.method from identity_session s join identity_user u on u.id = s.user_id where u.email = $1 order by s.created_at desc limit 1',
          [before.email],
        ),
      ).toEqual([{ method: 'openid' }]);
      await context.close();
    });
  });
});
