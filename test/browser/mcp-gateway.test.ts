// The MCP Gateway of a workspace against the real stack with the local integration provider: what may be done through
// a connection, a tool called from the page, clients set up and ended, and what a member may not.
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { faultsOf } from '../support/browser/axe.ts';
import { describeInBrowser, heading, type Visitor, openAsOwner, type OwnersApp } from '../support/browser/browser.ts';
import { appCard, authorize, pressConnect } from '../support/tools/connect-app.ts';
import { PHONE, showOn, WIDE } from '../support/browser/screen.ts';

const GATEWAY = '/workspaces/default/mcp-gateway';

describeInBrowser('the MCP Gateway', () => {
  let { app, owner, organization, page } = {} as OwnersApp;
  let member: Visitor;
  let github: string;
  openAsOwner(
    'Gwen Gateway',
    'Gateways',
    async (at) => {
      ({ app, owner, organization, page } = at);
      const person = app.newPerson('Mia Member');
      member = await app.visitSignedIn(person);
      await owner.call('POST', `/api/organizations/${organization.id}/members`, {
        email: person.email,
        role: 'member',
      });
    },
    { integrations: true },
  );

  const open = async (at: Page, search: string): Promise<void> => {
    await at.goto(`${GATEWAY}?org=${organization.slug}${search}`);
    await heading(at, 'MCP Gateway');
  };
  const action = (at: Page, name: string) => at.getByRole('switch', { name, exact: true });
  const figure = (name: string) =>
    page
      .getByRole('list', { name: 'At a glance' })
      .getByRole('listitem')
      .filter({ has: page.getByRole('link', { name, exact: true }) });
  async function pickTool(at: Page, name: string): Promise<void> {
    await at.getByRole('combobox', { name: 'Tool', exact: true }).click();
    await at.getByRole('option', { name, exact: true }).click();
    await expect.poll(() => new URL(at.url()).searchParams.get('tool')).toBe(name);
  }
  const fill = async (at: Page, values: Record<string, string>): Promise<void> => {
    for (const [name, value] of Object.entries(values))
      await at.getByRole('region', { name: 'Try a tool' }).getByRole('textbox', { name, exact: true }).fill(value);
  };
  const call = (at: Page): Promise<void> => at.getByRole('button', { name: 'Call tool' }).click();

  it('leads from nothing to a first connection', async () => {
    await open(page, '&tab=connections');
    await page.getByText('Nothing is connected yet').waitFor();
    await page.getByRole('link', { name: 'Connect an app' }).click();
    await heading(page, 'Integrations');
    await page.getByRole('searchbox').fill('github');
    await authorize(page, () => pressConnect(page, 'GitHub'));
    await appCard(page, 'GitHub').getByRole('link', { name: 'Actions' }).click();
    await heading(page, 'MCP Gateway');
    github = new URL(page.url()).searchParams.get('connection') ?? '';
    expect(github).toMatch(/^con_/);
  });

  it('has reads on and writes off, and calls a read with its arguments from a form or as JSON', async () => {
    await open(page, `&tab=connections&connection=${github}`);
    await action(page, 'list-issues').waitFor();
    await expect.poll(() => action(page, 'list-issues').isChecked()).toBe(true);
    await expect.poll(() => action(page, 'create-issue').isChecked()).toBe(false);
    await pickTool(page, 'list-issues');
    await call(page);
    await page.getByText('This is required.').first().waitFor();
    await fill(page, { owner: 'acme', repo: 'app' });
    await page.getByText('JSON', { exact: true }).click();
    const json = page.getByRole('textbox', { name: 'Arguments as JSON' });
    expect(JSON.parse(await json.inputValue())).toEqual({ owner: 'acme', repo: 'app' });
    await json.fill('{"owner": "acme", "repo": "app", "state": "sideways"}');
    await call(page);
    await page.getByText('Status 400').waitFor();
    await page.getByText('invalid_request').waitFor();
    await json.fill('{"owner": "acme", "repo": "app", "state": "open"}');
    await call(page);
    await page.getByText('Status 200').waitFor();
    await page.getByText('content-type').waitFor();
    await expect.poll(() => page.getByRole('region', { name: 'Body' }).textContent()).toContain('"number"');
  });

  it('calls a write only when it is on and only with connect:write, and leads to its receipt', async () => {
    await open(page, `&tab=connections&connection=${github}&tool=create-issue`);
    await page.getByText('This action is off for this connection').waitFor();
    await fill(page, { owner: 'acme', repo: 'app', title: 'From the page' });
    await page.getByRole('checkbox', { name: /connect:write/ }).check();
    await call(page);
    await page.getByText('integration action not found or disabled').waitFor();

    await action(page, 'create-issue').click();
    await page
      .getByText(
        'create-issue is on: members of Default, their agents and MCP clients with write access can now change data in GitHub with it.',
      )
      .waitFor();
    await page.getByText(/^On: members of Default/).waitFor();
    await page.getByText('This action is off for this connection').waitFor({ state: 'hidden' });
    await page.getByRole('checkbox', { name: /connect:write/ }).uncheck();
    // The switch stands at once; the server follows.
    await expect
      .poll(async () => {
        await call(page);
        await page.getByRole('button', { name: 'Stop waiting' }).waitFor({ state: 'hidden' });
        return page.getByText("integration action 'create-issue' requires connect:write").count();
      })
      .toBe(1);
    await page.getByText('Select the checkbox above to call with it').waitFor();

    await page.getByRole('checkbox', { name: /connect:write/ }).check();
    await call(page);
    await page.getByText('Status 200').waitFor();
    await expect.poll(() => page.getByRole('region', { name: 'Body' }).textContent()).toContain('From the page');
    await page.getByRole('link', { name: /Show receipt \d/ }).click();
    await heading(page, 'Tool calls in Default');
    await page.getByText('called create-issue').first().waitFor();
  });

  it('shows a member the switches without letting them change, live, and says who may', async () => {
    const { page: theirs } = member;
    await open(theirs, `&tab=connections&connection=${github}`);
    await action(theirs, 'create-issue').waitFor();
    await theirs
      .getByText('Only an owner or admin of the workspace or organization can change this.')
      .first()
      .waitFor();
    for (const each of await theirs.getByRole('switch').all()) await expect.poll(() => each.isDisabled()).toBe(true);
    await expect.poll(() => theirs.getByRole('button', { name: 'Disconnect' }).count()).toBe(0);
    await expect.poll(() => theirs.getByRole('button', { name: 'Save repositories' }).count()).toBe(0);
    await expect.poll(() => action(theirs, 'create-issue').isChecked()).toBe(true);

    await open(page, `&tab=connections&connection=${github}`);
    await action(page, 'create-issue').click();
    await expect.poll(() => action(theirs, 'create-issue').isChecked(), { timeout: 20_000 }).toBe(false);

    const { token } = await member.call<{ token: string }>('POST', '/api/tokens', {
      organization: organization.id,
      scopes: ['connect:read', 'connect:write'],
    });
    const refused = await member.context.request.put(`/connect/connections/${github}/policy`, {
      headers: { authorization: `Bearer ${token}` },
      data: { actions: { 'create-issue': true } },
    });
    expect([refused.status(), ((await refused.json()) as { error: string }).error]).toEqual([
      403,
      'workspace_authority_required',
    ]);
  });

  it('limits a code host to selected repositories', async () => {
    await open(page, `&tab=connections&connection=${github}&tool=list-issues`);
    await page.getByRole('switch', { name: 'Only selected repositories' }).click();
    await page.getByText('No repository is selected, so every call is refused.').waitFor();
    const selected = page.getByRole('combobox', { name: 'Selected repositories' });
    await selected.fill('no-owner');
    await selected.press('Enter');
    await page.getByRole('button', { name: 'Save repositories' }).click();
    await page.getByText('“no-owner” is not in the form owner/name.').waitFor();
    await selected.press('Backspace');
    await selected.fill('acme/app');
    await selected.press('Enter');
    await page.getByRole('button', { name: 'Save repositories' }).click();
    await page.getByText('Repositories saved.').waitFor();

    await fill(page, { owner: 'acme', repo: 'other' });
    await call(page);
    await page.getByText('repository_not_selected').waitFor();
    await fill(page, { repo: 'app' });
    await call(page);
    await page.getByText('Status 200').waitFor();
  });

  it('counts what is really there', async () => {
    await open(page, '');
    await figure('Connections').getByText('All working').waitFor();
    await figure('Tools for clients').getByText('5 read, 0 write').waitFor();
    await expect.poll(() => figure('Connections').locator('.figure-value').textContent()).toBe('1');
    await expect.poll(() => figure('Receipts').locator('.figure-value').textContent()).toMatch(/^[1-9]/);
    // A key of a provider that the tab shows no card for is not counted either.
    const { workspaces } = await owner.call<{ workspaces: { id: string; kind: string }[] }>(
      'GET',
      `/api/organizations/${organization.id}/workspaces`,
    );
    await owner.call('PUT', '/api/provider-keys/anthropic', {
      organization: organization.id,
      workspace: workspaces.find(({ kind }) => kind === 'default')?.id,
      key: 'sk-ant-demo-not-shown',
    });
    await page.reload();
    await figure('LLM keys').getByText('0', { exact: true }).waitFor();
  });

  it('says nothing of connections before it knows them', async () => {
    const held = Promise.withResolvers<void>();
    await page.route('**/connect/connections?*', async (route) => {
      await held.promise;
      await route.continue();
    });
    await open(page, '');
    await figure('Receipts').locator('.figure-value').waitFor();
    await expect.poll(() => figure('Connections').textContent()).not.toContain('All working');
    held.resolve();
    await figure('Connections').getByText('All working').waitFor();
    await page.unrouteAll({ behavior: 'wait' });
  });

  it('keeps its tabs in one line on a phone, the open one in view, and its icons in their size', async () => {
    await showOn(page, PHONE);
    await open(page, '&tab=tokens');
    const tabs = await page.getByRole('tab').all();
    const tops = await Promise.all(tabs.map(async (tab) => (await tab.boundingBox())?.y));
    expect(new Set(tops).size).toBe(1);
    const chosen = await page.getByRole('tab', { selected: true }).boundingBox();
    expect((chosen?.x ?? 0) + (chosen?.width ?? 0)).toBeLessThanOrEqual(391);
    const shrunk = await page.evaluate<string[]>(
      "[...document.querySelectorAll('svg.icon')].filter((svg) => Math.abs(svg.getBoundingClientRect().width - svg.getBoundingClientRect().height) > 0.6).map((svg) => svg.parentElement.outerHTML)",
    );
    expect(shrunk).toEqual([]);
    await showOn(page, WIDE);
  });

  it('goes through tabs and connections as through pages: back leads the same way, and the focus follows', async () => {
    const focused = (): Promise<string> => page.evaluate<string>('document.activeElement.textContent');
    await open(page, '');
    await page.getByRole('tab', { name: 'Clients' }).click();
    await page.getByRole('heading', { name: 'Approved clients' }).waitFor();
    await page.getByRole('tab', { name: 'Connections' }).click();
    await page.getByRole('link', { name: 'GitHub' }).click();
    await action(page, 'list-issues').waitFor();
    await expect.poll(focused).toBe('GitHub');
    await page.goBack();
    await expect.poll(focused).toBe('Connections');
    await page.goBack();
    await page.getByRole('heading', { name: 'Approved clients' }).waitFor();
    await page.goBack();
    await page.getByRole('list', { name: 'At a glance' }).waitFor();
  });

  it('gives each client what it needs, with the real address and a place for the token', async () => {
    await open(page, '&tab=clients');
    await page.getByText(`claude mcp add --transport http apps "${app.url}/connect/mcp"`, { exact: true }).waitFor();
    await page.getByRole('switch', { name: 'Tool search' }).click();
    await page.getByText(`${app.url}/connect/mcp?tools=search`, { exact: true }).waitFor();
    await page.getByText('With a token').click();
    await page.getByText('--header "Authorization: Bearer YOUR_TOKEN"').waitFor();
    await page.getByRole('combobox', { name: 'Client', exact: true }).click();
    await page.getByRole('option', { name: 'Codex CLI' }).click();
    await page.getByText('bearer_token_env_var').waitFor();
    await expect.poll(() => new URL(page.url()).searchParams.get('client')).toBe('codex');
    await page.getByRole('button', { name: 'New token' }).click();
    const dialog = page.getByRole('dialog', { name: 'Create a token' });
    await dialog.getByRole('textbox', { name: 'Name' }).fill('codex');
    await dialog.getByRole('button', { name: 'Create token' }).click();
    await page.getByRole('button', { name: 'I have copied it' }).click();
    await page.getByRole('link', { name: 'Your tokens' }).click();
    await page.getByText('codex', { exact: true }).waitFor();
  });

  it('gives each client of the chat API its lines, with a model that is allowed and a token made on the spot', async () => {
    await open(page, '&tab=clients');
    const card = page.getByRole('region', { name: 'Use it with' });
    await card.getByText(`export ANTHROPIC_BASE_URL="${app.url}"`).waitFor();
    await card.getByText('export SERVICE_TOKEN=YOUR_TOKEN').waitFor();
    await card.getByRole('combobox', { name: 'Use it with' }).click();
    await page.getByRole('option', { name: 'OpenAI SDK (TypeScript)' }).click();
    await expect.poll(() => new URL(page.url()).searchParams.get('with')).toBe('openai-typescript');
    // With the keyboard alone.
    await card.getByRole('combobox', { name: 'Model' }).focus();
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type('GPT-5 mini');
    await page.getByRole('option', { name: 'GPT-5 mini' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await card.getByText("model: 'openai/gpt-5-mini'").waitFor();
    await card.getByRole('button', { name: 'Create a token' }).click();
    const dialog = page.getByRole('dialog', { name: 'Create a token' });
    await expect.poll(() => dialog.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('OpenAI SDK (TypeScript)');
    await dialog.getByRole('button', { name: 'Create token' }).click();
    await page.getByRole('button', { name: 'I have copied it' }).click();
    await card.getByText(/^export SERVICE_TOKEN=ey/).waitFor();
    const lines = (await card.getByText(/^export SERVICE_TOKEN=ey/).textContent()) ?? '';
    // The same token is one for apps.
    const headers = { authorization: `Bearer ${lines.split('=')[1]}` };
    for (const path of ['/v1/models', '/connect/connections'])
      expect((await fetch(app.url + path, { headers })).status).toBe(200);
  });

  it('lists the clients that were approved, and ends their access', async () => {
    const { user } = await owner.call<{ user: { id: string } }>('GET', '/api/me');
    await app.query(
      "insert into oauth_grant (id, user_id, client_id, client_name, organization_id, scopes, offline, created_at, used_at) values ('grant_1', $1, 'client', 'Desk Client', $2, '{connect:read}', true, now(), now())",
      [user.id, organization.id],
    );
    await open(page, '&tab=clients');
    const row = page
      .getByRole('list', { name: 'Approved clients' })
      .getByRole('listitem')
      .filter({ hasText: 'Desk Client' });
    await row.getByText('connect:read').waitFor();
    await row.getByRole('button', { name: 'End access' }).click();
    await page
      .getByRole('dialog', { name: 'End access for “Desk Client”?' })
      .getByRole('button', { name: 'End access' })
      .click();
    await page.getByText('No approved clients yet').waitFor();
    expect(await owner.call('GET', '/api/oauth/grants')).toEqual({ grants: [] });
  });

  it('has no fault that axe can find, in light and dark, and fits a phone', async () => {
    const stops = [
      '',
      '?tab=connections',
      `?tab=connections&connection=${github}&tool=create-issue`,
      '?tab=connections&connection=con_nothing',
      '?tab=clients',
    ];
    expect(
      await faultsOf(
        page,
        stops.map((search) => ({ path: `${GATEWAY}${search}`, heading: 'MCP Gateway' })),
      ),
    ).toEqual([]);
  });
});
