// Who comes in, how they find each other, and what they may do there: through the gateway, in a real browser.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createHash, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  createOrganization,
  createWorkspace,
  describeInBrowser,
  heading,
  openWebApp,
  type WebAppUnderTest,
} from '../support/browser/browser.ts';

describeInBrowser('people and their places', () => {
  let app: WebAppUnderTest;
  beforeAll(async () => {
    app = await openWebApp();
  });
  afterAll(() => app?.close());

  it('leads a newcomer from signing up to an organization of their own', async () => {
    const ada = app.newPerson('Ada Lovelace');
    const { page, context } = await app.visit();
    await page.goto('/');
    await heading(page, 'Sign in');
    await page.getByRole('link', { name: 'Create an account' }).click();
    await page.getByLabel('Name').fill(ada.name);
    await page.getByLabel('Email').fill(ada.email);
    await page.getByLabel('Password').fill(ada.password);
    await page.getByRole('button', { name: 'Create account' }).click();

    await heading(page, 'Create your organization');
    await page.getByLabel('Organization name').fill('Analytical Engines');
    await page.getByRole('button', { name: 'Create organization' }).click();

    await heading(page, 'New chat');
    await page.getByRole('heading', { name: 'First steps' }).waitFor();
    await page.getByRole('link', { name: 'Workspaces' }).click();
    await page.getByRole('link', { name: 'Default' }).waitFor();
    await expect.poll(() => new URL(page.url()).searchParams.get('org')).toBe('analytical-engines');
    await context.close();
  });

  it('brings an invited person in through the link that the owner copies', async () => {
    const owner = await app.visitSignedIn(app.newPerson('Olive Owner'));
    const { slug } = await createOrganization(owner, 'Invitations Ltd');
    const guest = app.newPerson('Greta Guest');
    await owner.page.goto(`/organization/settings/members?org=${slug}`);
    await owner.page.getByText('1 seat used').waitFor();
    await owner.page.getByRole('button', { name: 'Invite', exact: true }).click();
    await owner.page.getByRole('dialog').getByLabel('Email').fill(guest.email);
    await owner.page.getByRole('radio', { name: 'Admin' }).check();
    await owner.page.getByRole('button', { name: 'Create invitation' }).click();
    const link = await owner.page
      .getByRole('dialog', { name: 'Invitation ready' })
      .getByLabel('Invitation link')
      .textContent();
    await owner.page.getByText(`A mail with this link is on its way to ${guest.email}.`).waitFor();

    const visitor = await app.visit();
    await visitor.page.goto(link ?? '');
    await visitor.page.getByRole('link', { name: 'Create an account' }).click();
    await visitor.page.getByLabel('Name').fill(guest.name);
    await visitor.page.getByLabel('Email').fill(guest.email);
    await visitor.page.getByLabel('Password').fill(guest.password);
    await visitor.page.getByRole('button', { name: 'Create account' }).click();
    await heading(visitor.page, 'Join Invitations Ltd');
    await visitor.page.getByRole('button', { name: 'Accept invitation' }).click();
    await heading(visitor.page, 'New chat');
    await expect.poll(() => new URL(visitor.page.url()).searchParams.get('org')).toBe(slug);

    await owner.page.getByRole('button', { name: 'Done' }).click();
    await owner.page.reload();
    await owner.page.getByText('2 seats used').waitFor();
    await expect
      .poll(() => owner.page.getByRole('combobox', { name: 'Role of Greta Guest' }).inputValue())
      .toBe('Admin');
    await Promise.all([owner.context.close(), visitor.context.close()]);
  });

  it('shows an invitation only to the person it is addressed to', async () => {
    const owner = await app.visitSignedIn(app.newPerson('Otto Owner'));
    const { id } = await createOrganization(owner, 'Sealed Letters');
    const { invitation } = await owner.call<{ invitation: { id: string } }>(
      'POST',
      `/api/organizations/${id}/invitations`,
      { email: 'somebody@example.test', role: 'member' },
    );
    const stranger = await app.visitSignedIn(app.newPerson('Stella Stranger'));
    await stranger.page.goto(`/invitations/${invitation.id}`);
    await heading(stranger.page, 'This invitation cannot be used');
    await expect.poll(() => stranger.page.getByText('Sealed Letters').count()).toBe(0);
    await Promise.all([owner.context.close(), stranger.context.close()]);
  });

  it('switches the workspace in the address, so that a reload stays in it', async () => {
    const { page, context, call } = await app.visitSignedIn(app.newPerson('Will Walker'));
    const organization = await createOrganization({ page, context, call }, 'Walkers');
    await createWorkspace({ page, context, call }, organization, 'Research');
    await page.goto(`/workspaces/default/mcp-gateway?org=${organization.slug}`);
    await page.getByText('reach the apps of Default').waitFor();
    await page.getByRole('button', { name: /Workspace: Default/ }).click();
    await page.getByRole('menuitem', { name: 'Research' }).click();
    await page.getByText('reach the apps of Research').waitFor();
    await expect.poll(() => new URL(page.url()).pathname).toBe('/workspaces/research/mcp-gateway');

    await page.getByRole('link', { name: 'Workspaces', exact: true }).first().click();
    await heading(page, 'Workspaces');
    await page.reload();
    await page.getByRole('button', { name: /Workspace: Research/ }).waitFor();
    await context.close();
  });

  it('creates, shares, renames and deletes a workspace', async () => {
    const owner = await app.visitSignedIn(app.newPerson('Wanda Works'));
    const organization = await createOrganization(owner, 'Works');
    const colleague = app.newPerson('Carl Colleague');
    await (await app.visitSignedIn(colleague)).context.close();
    await owner.call('POST', `/api/organizations/${organization.id}/members`, {
      email: colleague.email,
      role: 'member',
    });
    const { page } = owner;
    await page.goto(`/workspaces?org=${organization.slug}`);
    await page.getByRole('button', { name: 'New workspace' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('Lab');
    await page.getByRole('button', { name: 'Create workspace' }).click();
    await heading(page, 'Lab');

    await page.getByRole('button', { name: 'Add member' }).click();
    await page.getByRole('combobox', { name: 'Person' }).fill('Carl');
    await page.getByRole('option', { name: /Carl Colleague/ }).click();
    await page.getByRole('button', { name: 'Add to workspace' }).click();
    await page.getByRole('combobox', { name: 'Role of Carl Colleague' }).click();
    await page.getByRole('option', { name: 'Admin' }).click();
    await page.getByText('Carl Colleague is now admin.').waitFor();
    await page
      .getByRole('listitem')
      .filter({ hasText: 'Carl Colleague' })
      .getByRole('button', { name: 'Remove', exact: true })
      .click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByText('Carl Colleague was removed.').waitFor();

    await page.getByLabel('Name').fill('Laboratory');
    await page.getByRole('button', { name: 'Rename' }).click();
    await heading(page, 'Laboratory');

    await page.getByRole('button', { name: 'Delete workspace' }).click();
    const dialog = page.getByRole('dialog', { name: /Delete/ });
    await expect.poll(() => dialog.getByRole('button', { name: 'Delete workspace' }).isDisabled()).toBe(true);
    await dialog.getByLabel('Type Laboratory to confirm').fill('Laboratory');
    await dialog.getByRole('button', { name: 'Delete workspace' }).click();
    await heading(page, 'Workspaces');
    await page.getByText('Workspace “Laboratory” was deleted.').waitFor();
    await expect.poll(() => page.getByRole('link', { name: 'Laboratory' }).count()).toBe(0);
    await owner.context.close();
  });

  it('shows a new token once, and refuses it after it was revoked', async () => {
    const owner = await app.visitSignedIn(app.newPerson('Tina Token'));
    const organization = await createOrganization(owner, 'Tokens');
    const { page } = owner;
    await page.goto(`/workspaces/default/mcp-gateway?org=${organization.slug}&tab=tokens`);
    await page.getByRole('button', { name: 'New token' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('laptop');
    await page.getByRole('checkbox', { name: 'Read receipts' }).check();
    await page.getByRole('button', { name: 'Create token' }).click();
    const token = (await page.getByRole('dialog', { name: 'Token created' }).getByLabel('Token').textContent()) ?? '';
    await page.keyboard.press('Escape');
    await page.mouse.click(5, 5);
    await page.getByRole('button', { name: 'I have copied it' }).click();
    await page
      .getByRole('listitem')
      .filter({ hasText: 'laptop' })
      .getByRole('button', { name: 'Revoke', exact: true })
      .waitFor();
    await expect.poll(() => page.getByText(token).count()).toBe(0);
    const ask = (): Promise<number> =>
      fetch(`${app.url}/runtime/service/stream`, { headers: { authorization: `Bearer ${token}` } }).then(
        ({ status }) => status,
      );
    expect(await ask()).toBe(200);

    await page
      .getByRole('listitem')
      .filter({ hasText: 'laptop' })
      .getByRole('button', { name: 'Revoke', exact: true })
      .click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('Token “laptop” revoked.').waitFor();
    expect(await ask()).toBe(401);
    await owner.context.close();
  });

  it('refuses the organization settings to a member, and the server refuses them again', async () => {
    const owner = await app.visitSignedIn(app.newPerson('Olga Owner'));
    const organization = await createOrganization(owner, 'Closed Doors');
    const person = app.newPerson('Mia Member');
    const member = await app.visitSignedIn(person);
    await owner.call('POST', `/api/organizations/${organization.id}/members`, { email: person.email, role: 'member' });
    const { page } = member;
    await page.goto(`/organization/settings/members?org=${organization.slug}`);
    await page.getByText('Only owners and admins can open organization settings').waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Invite' }).count()).toBe(0);
    await expect.poll(() => page.getByRole('link', { name: 'Organization settings' }).count()).toBe(0);
    await expect(
      member.call('POST', `/api/organizations/${organization.id}/invitations`, {
        email: 'x@example.test',
        role: 'member',
      }),
    ).rejects.toThrow('Only organization owners or admins can manage members.');
    await Promise.all([owner.context.close(), member.context.close()]);
  });

  it('lets a member leave from the menu of the organization, once they have said so', async () => {
    const owner = await app.visitSignedIn(app.newPerson('Orla Owner'));
    const organization = await createOrganization(owner, 'Open Doors');
    const person = app.newPerson('Lea Leaver');
    const { page, context, call } = await app.visitSignedIn(person);
    await owner.call('POST', `/api/organizations/${organization.id}/members`, { email: person.email, role: 'member' });
    await page.goto(`/workspaces?org=${organization.slug}`);
    const opener = page.getByRole('button', { name: /Organization: Open Doors/ });
    const dialog = page.getByRole('dialog', { name: 'Leave Open Doors?' });
    const ask = async (): Promise<void> => {
      await opener.click();
      await page.getByRole('menuitem', { name: 'Leave organization' }).click();
      await dialog.waitFor();
    };
    await ask();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    await expect.poll(() => opener.evaluate((button) => button.ownerDocument.activeElement === button)).toBe(true);
    await ask();
    await dialog.getByRole('button', { name: 'Leave organization' }).click();
    await heading(page, 'Create your organization');
    expect((await call<{ organizations: unknown[] }>('GET', '/api/me')).organizations).toEqual([]);
    await Promise.all([owner.context.close(), context.close()]);
  });

  it('asks before members lower their own role', async () => {
    const owner = await app.visitSignedIn(app.newPerson('Ida Owner'));
    const organization = await createOrganization(owner, 'Steps Down');
    const person = app.newPerson('Ada Admin');
    const { page, context } = await app.visitSignedIn(person);
    await owner.call('POST', `/api/organizations/${organization.id}/members`, { email: person.email, role: 'admin' });
    await page.goto(`/organization/settings/members?org=${organization.slug}`);
    const role = page.getByRole('combobox', { name: 'Role of Ada Admin' });
    const dialog = page.getByRole('dialog', { name: 'Become member?' });
    const lower = async (): Promise<void> => {
      await role.click();
      await page.getByRole('option', { name: 'Member' }).click();
      await dialog.waitFor();
    };
    await lower();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect.poll(() => role.inputValue()).toBe('Admin');
    await lower();
    await dialog.getByRole('button', { name: 'Change my role' }).click();
    await page.getByText('Only owners and admins can open organization settings').waitFor();
    await Promise.all([owner.context.close(), context.close()]);
  });

  it('keeps the last owner and says why', async () => {
    const owner = await app.visitSignedIn(app.newPerson('Lone Owner'));
    const { slug } = await createOrganization(owner, 'Lonely');
    await owner.page.goto(`/organization/settings/members?org=${slug}`);
    await owner.page.getByRole('button', { name: 'Leave' }).click();
    const dialog = owner.page.getByRole('dialog', { name: 'Leave Lonely?' });
    await dialog.getByRole('button', { name: 'Leave' }).click();
    await dialog.getByText('An organization needs at least one owner.').waitFor();
    expect((await owner.call<{ organizations: unknown[] }>('GET', '/api/me')).organizations).toHaveLength(1);
    await owner.context.close();
  });

  it('stands in two organizations in two tabs of one session', async () => {
    const visitor = await app.visitSignedIn(app.newPerson('Tom Twotabs'));
    const [north, south] = [await createOrganization(visitor, 'North'), await createOrganization(visitor, 'South')];
    await createWorkspace(visitor, north, 'Northern lab');
    await createWorkspace(visitor, south, 'Southern lab');
    const { page: first } = visitor;
    const second = await visitor.context.newPage();
    await first.goto(`/workspaces?org=${north.slug}`);
    await first.getByRole('link', { name: 'Northern lab' }).waitFor();
    await second.goto('/workspaces');
    await second.getByRole('button', { name: /Organization:/ }).click();
    await second.getByRole('menuitem', { name: 'South' }).click();
    await second.getByRole('link', { name: 'Southern lab' }).waitFor();

    // What the second tab chose must not have moved the first, not even after a reload and a step onwards.
    await first.reload();
    await first.getByRole('link', { name: 'Northern lab' }).click();
    await heading(first, 'Northern lab');
    expect(new URL(first.url()).searchParams.get('org')).toBe(north.slug);
    await expect.poll(() => second.getByRole('link', { name: 'Northern lab' }).count()).toBe(0);
    await visitor.context.close();
  });

  it('approves the device that shows the code, and hands it a working session', async () => {
    const visitor = await app.visitSignedIn(app.newPerson('Dora Device'));
    const post = (path: string, body: unknown): Promise<Response> =>
      fetch(`${app.url}/api/auth/device/${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    const device = (await (await post('code', { client_id: 'servicectl' })).json()) as {
      device_code: string;
      user_code: string;
      verification_uri: string;
    };
    const { page } = visitor;
    await page.goto(device.verification_uri);
    await page.getByLabel('Code').fill('not a code');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('This code is invalid or has expired.').waitFor();
    await page.getByLabel('Code').fill(device.user_code.toLowerCase());
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('button', { name: 'Approve' }).click();
    await heading(page, 'Device connected');
    const answer = await post('token', {
      grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
      device_code: device.device_code,
      client_id: 'servicectl',
    });
    expect(answer.status).toBe(200);
    await visitor.context.close();
  });

  it('lets an MCP client in for one workspace once its person allows it', async () => {
    const visitor = await app.visitSignedIn(app.newPerson('Connie Consent'));
    const organization = await createOrganization(visitor, 'Consenting');
    await createWorkspace(visitor, organization, 'Library');
    const callback = createServer((_, response) => response.end('back at the client'));
    await new Promise<void>((resolve) => callback.listen(0, '127.0.0.1', resolve));
    const redirectUri = `http://127.0.0.1:${(callback.address() as AddressInfo).port}/callback`;
    const metadata = (await (await fetch(`${app.url}/.well-known/oauth-authorization-server`)).json()) as Record<
      'registration_endpoint' | 'authorization_endpoint' | 'token_endpoint',
      string
    >;
    const registered = await fetch(metadata.registration_endpoint, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        client_name: 'Desk Assistant',
        redirect_uris: [redirectUri],
        token_endpoint_auth_method: 'none',
      }),
    });
    const { client_id: clientId } = (await registered.json()) as { client_id: string };
    const verifier = randomBytes(32).toString('base64url');
    const challenge = createHash('sha256').update(verifier).digest('base64url');

    const { page } = visitor;
    await page.goto(
      `${metadata.authorization_endpoint}?${new URLSearchParams({ client_id: clientId, redirect_uri: redirectUri, response_type: 'code', scope: 'connect:read', state: 'abc', code_challenge: challenge, code_challenge_method: 'S256' })}`,
    );
    await heading(page, 'Allow Desk Assistant?');
    await page.getByText('See connections and call enabled read actions.').waitFor();
    await page.getByRole('combobox', { name: 'Workspace' }).click();
    await page.getByRole('option', { name: 'Library' }).click();
    await page.getByRole('button', { name: 'Allow access' }).click();
    await page.getByText('back at the client').waitFor();
    const back = new URL(page.url()).searchParams;
    expect(back.get('state')).toBe('abc');
    const exchanged = await fetch(metadata.token_endpoint, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        code: back.get('code') ?? '',
        client_id: clientId,
        redirect_uri: redirectUri,
        code_verifier: verifier,
      }),
    });
    expect(exchanged.status).toBe(200);
    await visitor.context.close();
    callback.close();
  });
});
