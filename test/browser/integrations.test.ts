// The Integrations page against the real stack with the local integration provider: find an app, connect it in place,
// see what others do, fix what broke, end it.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConnectors } from '../../src/catalog/load-connectors.ts';
import { faultsOf } from '../support/browser/axe.ts';
import {
  createOrganization,
  describeInBrowser,
  heading,
  HOSTED_NAME,
  openWebApp,
  type Visitor,
  type WebAppUnderTest,
  openAsOwner,
  type OwnersApp,
} from '../support/browser/browser.ts';
import { appCard, authorize, authorizeIn, pressConnect } from '../support/tools/connect-app.ts';
import { freePorts } from '../support/free-port.ts';

interface ConnectionSeen {
  readonly id: string;
  readonly provider: string;
  readonly name: string;
  readonly status: string;
}

const APPS = loadConnectors().connectors.length;
const SECRET_KEY = '0f6f2f6f-55b1-4c5e-9a51-7a9d1f0e5c12';

describeInBrowser('integrations', () => {
  let { app, owner, organization, page } = {} as OwnersApp;
  let member: Visitor;
  openAsOwner(
    'Iris Owner',
    'Connected',
    async (at) => {
      ({ app, owner, organization, page } = at);
      const person = app.newPerson('Max Member');
      member = await app.visitSignedIn(person);
      await owner.call('POST', `/api/organizations/${organization.id}/members`, {
        email: person.email,
        role: 'member',
      });
    },
    { integrations: true, environment: { SERVICE_INTEGRATIONS_SECRET_KEY: SECRET_KEY } },
  );

  async function listConnections(): Promise<ConnectionSeen[]> {
    const { token } = await owner.call<{ token: string }>('POST', '/api/tokens', {
      organization: organization.id,
      scopes: ['connect:read'],
    });
    const answer = await owner.context.request.get('/connect/connections', {
      headers: { authorization: `Bearer ${token}` },
    });
    return ((await answer.json()) as { connections: ConnectionSeen[] }).connections;
  }
  async function openIntegrations(at: Page, search = ''): Promise<void> {
    await at.goto(`/integrations?org=${organization.slug}${search}`);
    await heading(at, 'Integrations');
    await at.getByText(/\d+ apps$/).waitFor();
  }

  it('shows all apps with their authorization and tools, and keeps search and filters in the address', async () => {
    await openIntegrations(page);
    await page.getByText(`${APPS} apps`).waitFor();
    await appCard(page, 'GitHub').getByText('OAuth').waitFor();
    await appCard(page, 'GitHub').getByRole('button', { name: '6 tools, 1 write' }).click();
    await page.getByRole('dialog', { name: 'GitHub tools' }).getByText('create-issue').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('searchbox', { name: 'Search apps' }).fill('git');
    // Bitbucket says that it is for Git, too.
    await page.getByText(`3 of ${APPS} apps`).waitFor();
    await page.getByRole('searchbox').fill('');
    await page.getByRole('region', { name: 'Popular' }).getByRole('heading', { name: 'Gmail' }).waitFor();
    await page.getByRole('combobox', { name: 'Category' }).click();
    await page.getByRole('option', { name: 'Finance' }).click();
    await page.getByText(`4 of ${APPS} apps`).waitFor();
    await page.reload();
    await page.getByText(`4 of ${APPS} apps`).waitFor();
    await expect.poll(() => new URL(page.url()).searchParams.get('category')).toBe('finance');
    await page.getByRole('searchbox').fill('nothing like it');
    await page.getByText('No app matches').waitFor();
    await page.getByRole('button', { name: 'Show all apps' }).click();
    await page.getByText(`${APPS} apps`).waitFor();
  });

  it('connects an app with an API key in place, and others see it without a reload', async () => {
    await openIntegrations(member.page);
    await openIntegrations(page);
    await authorize(page, () => pressConnect(page, 'Sentry'), 'Sentry is connected.');
    await appCard(page, 'Sentry').getByText('Connected', { exact: true }).waitFor();
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await appCard(member.page, 'Sentry').getByText('Connected', { exact: true }).waitFor();
    // The page sends no name: whatever it connects is the default connection.
    expect(await listConnections()).toMatchObject([{ provider: 'sentry', name: 'default', status: 'valid' }]);
    await page.goto('/chat');
    const step = page.getByRole('listitem').filter({ hasText: 'Connect an app' });
    await step.getByText('(Done)').waitFor({ state: 'attached' });
  });

  it('lets a member connect too, and says what to do when the window was blocked', async () => {
    const { page: blocked } = member;
    await blocked.addInitScript('window.open = () => null');
    await openIntegrations(blocked);
    await pressConnect(blocked, 'Slack');
    const dialog = blocked.getByRole('dialog', { name: 'Connect Slack' });
    await dialog.getByText('Your browser blocked the window.').waitFor();
    await dialog.getByRole('button', { name: 'Copy' }).waitFor();
    const link = await dialog.getByRole('textbox', { name: 'Connect link' }).inputValue();
    await expect
      .poll(() => dialog.getByRole('link', { name: 'Open the connect page' }).getAttribute('href'))
      .toBe(link);
    const elsewhere = await member.context.newPage();
    await elsewhere.goto(link);
    await authorizeIn(elsewhere);
    await appCard(blocked, 'Slack').getByText('Connected', { exact: true }).waitFor();
    await dialog.waitFor({ state: 'hidden' });
  });

  it('says what an app is for and what it can read, to members too, and lists connected apps first', async () => {
    const { page: theirs } = member;
    await openIntegrations(theirs);
    await appCard(theirs, 'Gmail').getByText('Search and read email.').waitFor();
    const connected = theirs.getByRole('region', { name: 'Connected', exact: true });
    await connected.getByRole('heading', { level: 3 }).first().waitFor();
    await expect
      .poll(() => connected.getByRole('heading', { level: 3 }).allTextContents())
      .toEqual(['Sentry', 'Slack']);
    await connected.getByText('Members of Default can read projects, and their errors with stack traces.').waitFor();
    await expect.poll(() => theirs.getByRole('heading', { level: 2 }).first().textContent()).toBe('Connected');
    await appCard(theirs, 'GitHub').getByRole('button', { name: 'Connect', exact: true }).click();
    const asked = theirs.getByRole('dialog', { name: 'Connect GitHub to Default?' });
    await asked.getByText('the repositories that the account can open, private ones included').waitFor();
    await asked.getByText('Nothing at first. An owner or admin can turn on: create-issue.').waitFor();
    await asked.getByText('Everyone in Connected, now and later').waitFor();
    await expect.poll(() => asked.getByRole('button', { name: 'Connect only for me' }).count()).toBe(0);
    await theirs.keyboard.press('Escape');
    await asked.waitFor({ state: 'hidden' });
  });

  it('connects a mailbox in a workspace that only one person uses, with one press', async () => {
    const person = app.newPerson('Petra Private');
    const own = await app.visitSignedIn(person);
    await owner.call('POST', `/api/organizations/${organization.id}/members`, { email: person.email, role: 'member' });
    await openIntegrations(own.page);
    await appCard(own.page, 'Gmail').getByRole('button', { name: 'Connect', exact: true }).click();
    const asked = own.page.getByRole('dialog', { name: 'Connect Gmail to Default?' });
    await asked.getByText('all messages and labels of the mailbox').waitFor();
    await authorize(
      own.page,
      () => asked.getByRole('button', { name: 'Connect only for me' }).click(),
      'Gmail is connected in “Petra Private (personal)”, where only you can use it.',
    );
    await expect.poll(() => new URL(own.page.url()).searchParams.get('workspace')).toBe('petra-private-personal');
    await appCard(own.page, 'Gmail').getByText('Connected', { exact: true }).waitFor();
    expect((await listConnections()).map(({ provider }) => provider)).not.toContain('google-mail');

    // Nobody else uses this workspace, so nothing is asked in it; from Default, the same one is used again.
    await authorize(own.page, () =>
      appCard(own.page, 'Outlook').getByRole('button', { name: 'Connect', exact: true }).click(),
    );
    await own.page.getByText('Outlook is connected.').waitFor();
    await openIntegrations(own.page);
    await appCard(own.page, 'OneDrive').getByRole('button', { name: 'Connect', exact: true }).click();
    await authorize(
      own.page,
      () => own.page.getByRole('button', { name: 'Connect only for me' }).click(),
      'OneDrive is connected in “Petra Private (personal)”',
    );
    await appCard(own.page, 'Gmail').getByText('Connected', { exact: true }).waitFor();
    const { workspaces } = await own.call<{ workspaces: { name: string; role: string }[] }>(
      'GET',
      `/api/organizations/${organization.id}/workspaces`,
    );
    expect(workspaces.filter(({ role }) => role === 'owner').map(({ name }) => name)).toEqual([
      'Petra Private (personal)',
    ]);
    await own.context.close();
  });

  it('stops waiting, and says so, when access was refused in the window or the window was closed', async () => {
    await openIntegrations(page);
    const opening = page.waitForEvent('popup');
    await pressConnect(page, 'Asana');
    const refused = await opening;
    await refused.getByRole('button', { name: /^Continue to/ }).click();
    await refused.getByRole('button', { name: 'Deny' }).click();
    const dialog = page.getByRole('dialog', { name: 'Connect Asana' });
    await dialog.getByText('Asana was not connected: access was denied or failed in the connect window.').waitFor();
    // The window that was refused is still open and goes on saying so: the next one is not taken for it.
    const read = Promise.withResolvers<void>();
    const asked = page.waitForRequest('**/connect/connections?*');
    await page.route('**/connect/connections?*', async (route) => {
      await read.promise;
      await route.continue();
    });
    await asked;
    const again = page.waitForEvent('popup');
    await dialog.getByRole('button', { name: 'Try again' }).click();
    const closed = await again;
    await closed.getByRole('button', { name: /^Continue to/ }).waitFor();
    await dialog.getByText('Waiting for Asana…').waitFor();
    const answered = page.waitForResponse('**/connect/connections?*');
    read.resolve();
    await (await answered).finished();
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
    await expect.poll(() => dialog.getByText('Waiting for Asana…').count()).toBe(1);
    await page.unroute('**/connect/connections?*');
    await closed.close();
    await dialog.getByText('Asana was not connected: the connect window was closed too early.').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
  });

  it('says in plain words why a connection is invalid, and fixes it by a reconnect that keeps it', async () => {
    await openIntegrations(page);
    const [before] = (await listConnections()).filter(({ provider }) => provider === 'sentry');
    await app.query(
      "update org_connection_secret set status = 'invalid', reason = 'provider_refresh_exhausted', updated_at = now() where id = $1",
      [before?.id],
    );
    await app.query('select pg_notify($1, $2 || workspace_id) from org_connection_secret where id = $3', [
      app.database.schema,
      'connections ',
      before?.id,
    ]);
    const card = appCard(page, 'Sentry');
    await card.getByText('Not working').waitFor();
    await card
      .getByText(
        'The integration provider stopped renewing the authorization after repeated failures. Reconnect the app.',
      )
      .waitFor();
    await page.getByRole('combobox', { name: 'Show' }).click();
    await page.getByRole('option', { name: 'Needs attention' }).click();
    await page.getByText(`1 of ${APPS} apps`).waitFor();
    await authorize(
      page,
      () => card.getByRole('button', { name: 'Reconnect', exact: true }).click(),
      'Sentry is connected.',
    );
    await page.getByText(`0 of ${APPS} apps`).waitFor();
    expect((await listConnections()).find(({ provider }) => provider === 'sentry')).toMatchObject({
      id: before?.id,
      status: 'valid',
    });
  });

  it('imports what an owner already has, and offers the import to no one else', async () => {
    await openIntegrations(page);
    await appCard(page, 'Bitbucket').getByRole('button', { name: 'Import', exact: true }).click();
    const hosts = page.getByRole('dialog', { name: 'Import into Bitbucket' });
    await hosts.getByRole('button', { name: 'Import', exact: true }).click();
    await hosts.getByText('Enter the token.').waitFor();
    await hosts.getByRole('textbox', { name: 'Access token' }).fill('secret-token-of-a-host');
    await hosts.getByRole('button', { name: 'Import', exact: true }).click();
    await appCard(page, 'Bitbucket').getByText('Connected', { exact: true }).waitFor();

    await appCard(page, 'Amazon Web Services').getByRole('button', { name: 'Import', exact: true }).click();
    const clouds = page.getByRole('dialog', { name: 'Import into Amazon Web Services' });
    await clouds.getByText('Credentials', { exact: true }).click();
    await clouds.getByRole('textbox', { name: 'Credentials as JSON' }).fill('{"Version":1}');
    await clouds.getByRole('button', { name: 'Import', exact: true }).click();
    await clouds.getByText('This is not the JSON output of a credential process.').waitFor();
    await clouds
      .getByRole('textbox', { name: 'Credentials as JSON' })
      .fill(
        '{"Version":1,"AccessKeyId":"AKIAEXAMPLE","SecretAccessKey":"very-secret","Expiration":"2020-01-01T00:00:00Z"}',
      );
    await clouds.getByRole('button', { name: 'Import', exact: true }).click();
    await appCard(page, 'Amazon Web Services')
      .getByText('The imported credentials have expired. Import new ones.')
      .waitFor();
    expect(await page.content()).not.toMatch(/secret-token-of-a-host|very-secret/);

    await openIntegrations(member.page);
    await appCard(member.page, 'Bitbucket').getByText('Connected', { exact: true }).waitFor();
    for (const name of ['Import', 'Import again', 'Disconnect'])
      await expect.poll(() => member.page.getByRole('button', { name, exact: true }).count()).toBe(0);
  });

  it('never shows a connection of the agent registry', async () => {
    await app.query(
      "insert into org_connection_secret select (jsonb_populate_record(c, jsonb_build_object('id', 'con_registry', 'provider', 'databricks', 'name', 'agent-registry', 'reference_digest', null))).* from org_connection_secret c where provider = 'aws'",
    );
    await openIntegrations(page);
    await appCard(page, 'Bitbucket').getByText('Connected', { exact: true }).waitFor();
    await appCard(page, 'Databricks').getByRole('button', { name: 'Connect', exact: true }).waitFor();
    await expect.poll(() => page.getByText('agent-registry').count()).toBe(0);
    await app.query("delete from org_connection_secret where id = 'con_registry'");
  });

  it('disconnects after a confirmation', async () => {
    await openIntegrations(page);
    const card = appCard(page, 'Sentry');
    await card.getByRole('button', { name: 'Disconnect' }).click();
    const dialog = page.getByRole('dialog', { name: 'Disconnect Sentry?' });
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await card.getByText('Connected', { exact: true }).waitFor();
    await card.getByRole('button', { name: 'Disconnect' }).click();
    await dialog.getByRole('button', { name: 'Disconnect' }).click();
    await page.getByText('Sentry disconnected.').waitFor();
    await card.getByRole('button', { name: 'Connect', exact: true }).waitFor();
    expect((await listConnections()).map(({ provider }) => provider)).not.toContain('sentry');
  });

  it("the provider's dashboard works below /integrations: the secret key is read there, by links, reloads and going back", async () => {
    const { page: dashboard } = await app.visit({ httpCredentials: { username: 'operator', password: SECRET_KEY } });
    const outside: string[] = [];
    const faults: string[] = [];
    dashboard.on(
      'request',
      (request) => void (new URL(request.url()).pathname.startsWith('/integrations/') || outside.push(request.url())),
    );
    dashboard.on(
      'console',
      (message) =>
        void (
          message.type() === 'error' &&
          !message.location().url.endsWith('/favicon.ico') &&
          faults.push(message.text())
        ),
    );
    const shown = async (path: string): Promise<void> => {
      await expect.poll(() => new URL(dashboard.url()).pathname).toBe(path);
    };
    await dashboard.goto('/integrations/');
    await heading(dashboard, 'Home');
    await shown('/integrations/prod');
    await expect
      .poll(() => dashboard.getByRole('link', { name: 'Integrations' }).getAttribute('href'))
      .toMatch(/\/integrations\/prod\/integrations$/);
    await dashboard.getByRole('link', { name: 'Environment Settings' }).click();
    await dashboard.getByText(SECRET_KEY).waitFor();
    await shown('/integrations/prod/environment-settings');
    await expect.poll(() => dashboard.locator('html').getAttribute('data-path')).toBe('/prod/environment-settings');
    await dashboard.reload();
    await dashboard.getByText(SECRET_KEY).waitFor();
    await dashboard.goBack();
    await heading(dashboard, 'Home');
    expect([outside, faults]).toEqual([[], []]);
    const stranger = await app.visit();
    expect((await stranger.context.request.get('/integrations/api/v1/environment/api-keys?env=prod')).status()).toBe(
      401,
    );
  });

  it('has no fault that axe can find, in light and dark, fits a phone and stays out of storage', async () => {
    const heading = 'Integrations';
    const opens = (app: string, button: string | RegExp) => async (at: Page) => {
      await appCard(at, app).getByRole('button', { name: button, exact: true }).click();
      await at.getByRole('dialog').waitFor();
    };
    expect(
      await faultsOf(page, [
        { path: '/integrations', heading },
        { path: '/integrations?q=zzz', heading },
        { path: '/integrations?q=google%20cloud', heading, open: opens('Google Cloud', 'Import') },
        { path: '/integrations?q=github', heading, open: opens('GitHub', /tools/) },
        { path: '/integrations?q=gmail', heading, open: opens('Gmail', 'Connect') },
        {
          path: '/integrations?q=zoom',
          heading,
          async open(at) {
            const opening = at.waitForEvent('popup');
            await pressConnect(at, 'Zoom');
            await (await opening).close();
            await at.getByRole('dialog').getByRole('textbox', { name: 'Connect link' }).waitFor();
          },
        },
      ]),
    ).toEqual([]);
    expect(
      await page.evaluate<string>('JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])'),
    ).not.toMatch(/eyJ/);
  });
});

describeInBrowser('integrations that are not configured', () => {
  describe('on the machine of the person', () => {
    let app: WebAppUnderTest;
    beforeAll(async () => {
      app = await openWebApp();
    });
    afterAll(() => app?.close());

    it('says to start the integrated stack, offers no connecting, and still imports', async () => {
      const owner = await app.visitSignedIn(app.newPerson('Lara Local'));
      await createOrganization(owner, 'Local');
      await owner.page.goto('/integrations');
      await owner.page
        .getByText('Integrations are not configured for this local app, start the integrated stack.')
        .waitFor();
      await expect
        .poll(() => appCard(owner.page, 'GitHub').getByRole('button', { name: 'Connect', exact: true }).isDisabled())
        .toBe(true);
      expect(await faultsOf(owner.page, [{ path: '/integrations?q=git', heading: 'Integrations' }])).toEqual([]);
      await owner.page.getByRole('searchbox').fill('github');
      await appCard(owner.page, 'GitHub').getByRole('button', { name: 'Import', exact: true }).click();
      const dialog = owner.page.getByRole('dialog', { name: 'Import into GitHub' });
      await dialog.getByRole('textbox', { name: 'Access token' }).fill('token');
      await dialog.getByRole('button', { name: 'Import', exact: true }).click();
      await appCard(owner.page, 'GitHub').getByText('Connected', { exact: true }).waitFor();
    });
  });

  describe('at a public address', () => {
    let app: WebAppUnderTest;
    let url: string;
    beforeAll(async () => {
      const port = await freePorts(10);
      url = `http://${HOSTED_NAME}:${port}`;
      app = await openWebApp({ port, environment: { SERVICE_PUBLIC_URL: url } });
    });
    afterAll(() => app?.close());

    it('says to contact the administrator', async () => {
      const { page } = await app.visit({ baseURL: url });
      await page.goto('/sign-up');
      await page.getByLabel('Name').fill('Hanna Hosted');
      await page.getByLabel('Email').fill('hanna@example.test');
      await page.getByLabel('Password').fill('correct horse battery');
      await page.getByRole('button', { name: 'Create account' }).click();
      await heading(page, 'Create your organization');
      await page.getByLabel('Name').fill('Hosted');
      await page.getByRole('button', { name: 'Create organization' }).click();
      await heading(page, /./);
      await page.goto('/integrations');
      await page
        .getByText(
          'Integrations are temporarily unavailable because the connection service is not configured, contact the administrator.',
        )
        .waitFor();
    });
  });
});
