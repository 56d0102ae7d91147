// A service that not everybody may come into: what its pages say, and that an invitation leads through them.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeInBrowser, heading, openWebApp, type WebAppUnderTest } from '../support/browser/browser.ts';

const DEBUG_TOKEN = 'the-debug-token-of-the-tests';

describeInBrowser('a service for the invited, with organizations by the operator', () => {
  let app: WebAppUnderTest;
  beforeAll(async () => {
    app = await openWebApp({
      environment: {
        SERVICE_SIGN_UP: 'invited',
        SERVICE_NEW_ORGANIZATIONS: 'operator',
        SERVICE_DEBUG_TOKEN: DEBUG_TOKEN,
      },
    });
  });
  afterAll(() => app?.close());

  const order = async (ownerEmail: string): Promise<{ invitation: { url: string } }> => {
    const answer = await fetch(`${app.url}/service-debug/organizations`, {
      method: 'POST',
      headers: { authorization: `Bearer ${DEBUG_TOKEN}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'By Order', ownerEmail }),
    });
    expect(answer.status).toBe(201);
    return (await answer.json()) as { invitation: { url: string } };
  };

  it('offers no account to anyone without an invitation', async () => {
    const { page, context } = await app.visit();
    await page.goto('/');
    await heading(page, 'Sign in');
    await page.getByText('Open your invitation link to create an account.').waitFor();
    expect(await page.getByRole('link', { name: 'Create an account' }).count()).toBe(0);
    await page.goto('/sign-up');
    await heading(page, 'Create an account');
    await page.getByText('You need an invitation to create an account here.').waitFor();
    expect(await page.getByLabel('Password').count()).toBe(0);
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
    expect(await page.getByRole('button', { name: 'Create organization' }).count()).toBe(0);

    await page.goto(new URL(invitation.url).pathname);
    await page.getByRole('button', { name: 'Accept invitation' }).click();
    await heading(page, 'New chat');
    await page
      .getByRole('button', { name: /By Order/ })
      .first()
      .click();
    await page.getByRole('menuitem', { name: 'Leave organization' }).waitFor();
    expect(await page.getByRole('menuitem', { name: 'New organization' }).count()).toBe(0);
    await context.close();
  });
});
