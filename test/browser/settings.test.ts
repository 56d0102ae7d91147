// The organization settings and the LLM keys of a workspace, as owners, admins and members meet them. Demo providers
// run behind the stack: a key with `demo` in it is valid, any other is refused by the provider.
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { faultsOf, type Stop } from '../support/axe.ts';
import {
  createOrganization,
  createWorkspace,
  describeInBrowser,
  heading,
  openWebApp,
  type OrganizationUnderTest,
  type Visitor,
  type WebAppUnderTest,
} from '../support/browser.ts';

const CONFIGURED = 'Configured, new requests for this provider will use your org key.';
const NOT_CONFIGURED = 'Not configured, requests will continue using platform defaults.';
const KEY = 'sk-demo-of-the-settings-tests';
/** Its provider keeps requests: zero data retention forbids it. */
const RETAINING_MODEL = 'openai/gpt-6-astra';
const SETTINGS = '/organization/settings';

describeInBrowser('organization settings', () => {
  let app: WebAppUnderTest;
  beforeAll(async () => {
    app = await openWebApp();
  });
  afterAll(() => app?.close());

  interface Owner extends Visitor {
    readonly organization: OrganizationUnderTest;
    readonly policyPath: string;
  }

  const openAsOwner = async (name: string): Promise<Owner> => {
    const visitor = await app.visitSignedIn(app.newPerson(`${name} Owner`));
    const organization = await createOrganization(visitor, name);
    return { ...visitor, organization, policyPath: `/api/organizations/${organization.id}/policy` };
  };

  /** What a program of the organization is answered, on a token that the owner makes. */
  const ask = async (
    owner: Owner,
    model: string,
  ): Promise<{ status: number; code: unknown; credential: string | null }> => {
    const { token } = await owner.call<{ token: string }>('POST', '/api/tokens', {
      organization: owner.organization.id,
      scopes: ['chat'],
    });
    const answer = await fetch(`${app.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model, messages: [{ role: 'user', content: 'hello' }] }),
    });
    const body = (await answer.json()) as { error?: { code?: unknown } };
    return { status: answer.status, code: body.error?.code, credential: answer.headers.get('x-service-credential') };
  };

  it('saves, shows masked and removes the OpenAI key, with what the server says beside the field', async () => {
    const { page, context } = await openAsOwner('Keyring');
    await page.goto(`${SETTINGS}/byok`);
    await page.getByRole('heading', { level: 2, name: 'OpenAI API Key' }).waitFor();
    await page.getByText(NOT_CONFIGURED).waitFor();
    await expect.poll(() => page.getByRole('heading', { name: /API Key$/ }).count()).toBe(1);
    expect(await field(page).getAttribute('autocomplete')).toBe('off');

    for (const [typed, said] of [
      ['', 'Provider API key is required.'],
      ['pk-nonsense', 'OpenAI API keys must start with sk-.'],
      ['sk-unheard-of', 'Unable to connect to OpenAI. Verify that your OpenAI API key is valid.'],
    ] as const) {
      await field(page).fill(typed);
      await save(page).click();
      await page.getByText(said, { exact: true }).waitFor();
      await expect.poll(() => field(page).inputValue()).toBe(typed);
    }

    await field(page).fill(KEY);
    await save(page).click();
    await page.getByText('Provider key saved successfully.').waitFor();
    await page.getByText(CONFIGURED).waitFor();
    await expect.poll(() => field(page).isDisabled()).toBe(true);
    await expect.poll(() => field(page).inputValue()).toMatch(/^•+$/);
    expect(await page.content()).not.toContain(KEY);
    expect(await save(page).count()).toBe(0);

    await page.reload();
    await page.getByRole('button', { name: 'Remove key' }).click();
    const asking = page.getByRole('dialog', { name: 'Remove the OpenAI key?' });
    await asking.getByRole('button', { name: 'Cancel' }).click();
    await asking.waitFor({ state: 'hidden' });
    await page.getByText(CONFIGURED).waitFor();
    await page.getByRole('button', { name: 'Remove key' }).click();
    await asking.getByRole('button', { name: 'Remove key' }).click();
    await page.getByText('Provider key removed successfully.').waitFor();
    await page.getByText(NOT_CONFIGURED).waitFor();
    await expect.poll(() => field(page).inputValue()).toBe('');
    await context.close();
  });

  it('renames the organization and shows its id and owners', async () => {
    const { page, context, organization, call } = await openAsOwner('Namesake');
    await page.goto(SETTINGS);
    await heading(page, 'General');
    await page.getByText(organization.id, { exact: true }).waitFor();
    await page.getByRole('list', { name: 'Owners' }).getByText('Namesake Owner').waitFor();
    const name = page.getByRole('textbox', { name: 'Organization name' });
    await name.fill('  ');
    await page.getByRole('button', { name: 'Rename' }).click();
    await page.getByText('Enter a name.').waitFor();
    await name.fill('Renamed Company');
    await page.getByRole('button', { name: 'Rename' }).click();
    await page.getByText('The organization is now called Renamed Company.').waitFor();
    await page.getByRole('button', { name: /Organization: *Renamed Company/ }).waitFor();
    expect(await call('GET', '/api/me')).toMatchObject({
      organizations: [{ id: organization.id, slug: organization.slug, name: 'Renamed Company' }],
    });
    expect(await faultsOf(page, [{ path: `${SETTINGS}/general`, heading: 'General' }])).toEqual([]);
    await context.close();
  });

  it('groups its pages by what they do and says it on each', async () => {
    const { page, context } = await openAsOwner('Effects');
    await page.goto(`${SETTINGS}/general`);
    const pagesOf = (group: string): Promise<string[]> =>
      page.getByRole('list', { name: group, exact: true }).getByRole('link').allTextContents();
    await expect
      .poll(() => pagesOf('In effect'))
      .toEqual(['General', 'Members', 'BYOK', 'Models', 'Plan and usage', 'Spending', 'Policies']);
    expect(await pagesOf('Stored only')).toEqual(['Guardrails', 'Tools']);
    expect(await pagesOf('Not available yet')).toEqual(['Domains', 'Single Sign-On', 'Directory Provisioning']);
    for (const [path, said] of [
      ['guardrails', 'Changes are saved, but no request is handled differently because of them.'],
      ['sso', 'There is nothing to set here yet.'],
      ['models', 'Takes effect at once, except: Require organization provider key.'],
      ['compliance', 'Changes on this page take effect at once.'],
    ] as const) {
      await page.goto(`${SETTINGS}/${path}`);
      await page.getByText(said).waitFor();
    }
    await page.getByRole('switch', { name: 'Require ZDR' }).waitFor();
    await switchOf(page, 'Require ZDR').click();
    await page.getByText('Setting saved.').waitFor();
    await context.close();
  });

  it('asks before a key lifts required zero data retention, by keyboard alone', async () => {
    const owner = await openAsOwner('Retention');
    const { page, context } = owner;
    await owner.call('PATCH', owner.policyPath, { requireZdr: true });
    await page.goto(`${SETTINGS}/byok`);
    await field(page).focus();
    await page.keyboard.type(KEY);
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Disable ZDR for this provider?' });
    await dialog.waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    await expect.poll(() => field(page).inputValue()).toBe(KEY);
    expect((await ask(owner, RETAINING_MODEL)).code).toBe('policy_denied:compliance');

    await field(page).focus();
    await page.keyboard.press('Enter');
    await dialog.getByRole('button', { name: 'Save key and disable ZDR' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('Provider key saved successfully.').waitFor();
    // When the button goes, the focus moves to the line that states the new state.
    await expect.poll(() => page.evaluate<string>('document.activeElement.textContent')).toBe(CONFIGURED);
    expect((await ask(owner, RETAINING_MODEL)).status).toBe(200);
    await context.close();
  });

  it('lets workspaces inherit the organization key when the switch says so', async () => {
    const owner = await openAsOwner('Inheritance');
    await owner.call('PUT', '/api/provider-keys/openai', {
      organization: owner.organization.id,
      workspace: 'global',
      key: KEY,
    });
    expect((await ask(owner, 'openai/gpt-6-sol')).credential).toBe('platform');
    await owner.page.goto(`${SETTINGS}/byok`);
    await owner.page.getByText('Chat in workspaces does not use it while inheritance is off.').waitFor();
    await switchOf(owner.page, 'Inherit organization keys').click();
    await owner.page.getByText('Used by chat in every workspace without a key of its own').waitFor();
    await expect.poll(async () => (await ask(owner, 'openai/gpt-6-sol')).credential).toBe('own-key');
    await owner.context.close();
  });

  it('says when the organization scope cannot be read, and when a key can no longer be decrypted', async () => {
    const owner = await openAsOwner('Broken');
    const { page, context } = owner;
    await owner.call('PUT', '/api/provider-keys/openai', {
      organization: owner.organization.id,
      workspace: 'global',
      key: KEY,
    });
    await page.route('**/api/provider-keys?*', (route) =>
      route.fulfill({ status: 404, json: { ok: false, error: 'not_found' } }),
    );
    await page.goto(`${SETTINGS}/byok`);
    await page
      .getByText('Organization API keys could not be loaded. Refresh and try again.', { exact: true })
      .waitFor();
    await page.unroute('**/api/provider-keys?*');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('button', { name: 'Remove key' }).waitFor();
    // The page hears of the change by itself.
    await app.query(
      'update org_provider_api_key set auth_tag = decode(repeat($1, 16), $2) where organization_id = $3',
      ['00', 'hex', owner.organization.id],
    );
    await page.getByText('This key can no longer be decrypted').waitFor();
    await page.getByRole('button', { name: 'Remove key' }).waitFor();
    await context.close();
  });

  it('keeps a key of the workspace to the workspace, and a Models account with it', async () => {
    const owner = await openAsOwner('Laboratories');
    const { page, context } = owner;
    await createWorkspace(owner, owner.organization, 'Lab');
    await page.goto('/workspaces/lab/mcp-gateway?tab=llm-keys');
    await field(page).fill(KEY);
    await save(page).click();
    await page.getByText('Provider key saved successfully.').waitFor();
    await page.getByText('Chat does not use this key').waitFor();
    await owner.call('PUT', '/api/provider-keys/openai', {
      organization: owner.organization.id,
      workspace: 'global',
      key: KEY,
    });
    await page.getByText('Used by chat in this workspace').waitFor();
    await owner.call('DELETE', `/api/provider-keys/openai?organization=${owner.organization.id}&workspace=global`);
    await page.getByText('Chat does not use this key').waitFor();

    await page.getByRole('button', { name: 'Add account' }).click();
    await page.getByLabel('Base URL').fill('nowhere');
    await page.getByLabel('Account key').fill('acct-1');
    await page.getByLabel('Model patterns').fill('gemini-*\ngoogle/*');
    await page.getByRole('button', { name: 'Save account' }).click();
    await page.getByText('must be a URL such as https://models.example.com/v1').waitFor();
    await page.getByLabel('Base URL').fill(`${app.url}/v1`);
    await page.getByRole('button', { name: 'Save account' }).click();
    await page.getByText('Models account saved.').waitFor();
    const [here, there] = [`${app.url}/v1`, `${app.url}/other/v1`];
    await page.getByRole('button', { name: `Edit ${here}` }).click();
    expect(await page.getByLabel('Account key').inputValue()).toBe('');
    expect(await page.getByLabel('Model patterns').inputValue()).toBe('gemini-*\ngoogle/*');
    await page.keyboard.press('Escape');

    // A second one, and the order by keyboard alone.
    await page.getByRole('button', { name: 'Add account' }).click();
    await page.getByLabel('Base URL').fill(there);
    await page.getByLabel('Account key').fill('acct-2');
    await page.getByLabel('Model patterns').fill('gemini-*');
    await page.getByRole('button', { name: 'Save account' }).click();
    const order = (): Promise<string[]> =>
      page
        .getByRole('list', { name: 'Models accounts' })
        .getByRole('button', { name: /^Edit / })
        .evaluateAll((buttons) => buttons.map((button) => button.getAttribute('aria-label') ?? ''));
    await expect.poll(order).toEqual([`Edit ${here}`, `Edit ${there}`]);
    const up = page.getByRole('button', { name: `Move ${there} up` });
    await up.focus();
    await page.keyboard.press('Enter');
    await expect.poll(order).toEqual([`Edit ${there}`, `Edit ${here}`]);
    await expect.poll(() => up.evaluate((button) => button.matches(':focus'))).toBe(true);
    await page.reload();
    await expect.poll(order).toEqual([`Edit ${there}`, `Edit ${here}`]);
    await page.getByRole('button', { name: `Remove ${here}` }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove account' }).click();
    await page.getByText('Models account removed.').waitFor();

    await page.goto(`${SETTINGS}/byok`);
    await page.getByText(NOT_CONFIGURED).waitFor();
    await page.getByText('Other servers of models for every workspace').waitFor();
    await page.getByRole('button', { name: 'Add account' }).click();
    await page.getByLabel('Base URL').fill(`${app.url}/v1`);
    await page.getByLabel('Account key').fill('acct-2');
    await page.getByLabel('Model patterns').fill('llama3.3');
    await page.getByLabel('Supports reasoning effort').check();
    await page.getByRole('button', { name: 'Save account' }).click();
    await page.getByText('Models account saved.').waitFor();
    await page.reload();
    await page.getByRole('button', { name: `Edit ${here}` }).click();
    expect(await page.getByLabel('Model patterns').inputValue()).toBe('llama3.3');
    expect(await page.getByLabel('Supports reasoning effort').isChecked()).toBe(true);
    await page.goto('/workspaces/lab/mcp-gateway?tab=llm-keys');
    await expect.poll(order).toEqual([`Edit ${there}`]);
    await page.goto('/chat');
    await page.getByRole('button', { name: /^Model:/ }).click();
    await page.getByRole('option', { name: /llama3\.3/ }).waitFor();
    await context.close();
  });

  it('blocks a model, and acts at /v1 through the compliance page that only an address opens', async () => {
    const owner = await openAsOwner('Compliant');
    const { page, context } = owner;
    await page.goto(`${SETTINGS}/models`);
    await page.getByLabel('Search models').fill('gpt-6 luna');
    await page.getByText('1 model', { exact: true }).waitFor();
    await switchOf(page, 'GPT-6 Luna').click();
    await expect.poll(async () => (await ask(owner, 'openai/gpt-6-luna')).code).toBe('policy_denied:model');
    expect(await page.getByRole('link', { name: 'Compliance' }).count()).toBe(0);

    await page.goto(`${SETTINGS}/compliance`);
    await switchOf(page, 'Require ZDR').click();
    await expect.poll(async () => (await ask(owner, RETAINING_MODEL)).code).toBe('policy_denied:compliance');
    expect((await ask(owner, 'openai/gpt-6-sol')).status).toBe(200);
    await switchOf(page, 'Enforce Study Mode').click();
    await expect.poll(async () => (await ask(owner, 'openai/gpt-6-sol')).code).toBe('study_mode_unavailable');
    await page.reload();
    await expect.poll(() => switchOf(page, 'Require ZDR').isChecked()).toBe(true);
    await expect.poll(() => switchOf(page, 'Enforce Study Mode').isChecked()).toBe(true);
    await context.close();
  });

  it('writes a guardrail group, highlights what it finds in a sample, and keeps its versions', async () => {
    const { page, context } = await openAsOwner('Guarded');
    await page.goto(`${SETTINGS}/guardrails`);
    await page.getByText('Guardrails are not applied to live traffic.').waitFor();
    await page.getByRole('link', { name: 'New group' }).click();
    await heading(page, 'New guardrail group');
    await page.getByLabel('Group name').fill('Customer data');
    await page.getByRole('button', { name: 'Add rule' }).click();
    const second = page.getByRole('group', { name: 'Rule 2' });
    await second.getByRole('combobox', { name: 'Kind' }).click();
    await expect.poll(() => page.getByRole('option').count()).toBe(9);
    await page.getByRole('option', { name: 'Regular expression' }).click();
    await second.getByLabel('Pattern').fill('(');
    await page.getByRole('button', { name: 'Create group' }).click();
    await expect.poll(() => second.getByLabel('Pattern').getAttribute('aria-invalid')).toBe('true');
    await second.getByLabel('Pattern').fill('falcon-\\d+');
    await page.getByRole('button', { name: 'Create group' }).click();
    await heading(page, 'Customer data');

    await page.getByRole('textbox', { name: 'Sample text' }).fill('Write to ada@example.org about falcon-7.');
    await page.getByRole('button', { name: 'Run test' }).click();
    await page.getByText('2 matches').waitFor();
    await expect.poll(() => page.locator('mark').allTextContents()).toEqual(['ada@example.org', 'falcon-7']);

    await page.getByRole('button', { name: 'New version' }).click();
    await second.getByRole('button', { name: 'Remove rule', exact: true }).click();
    await page.getByRole('button', { name: 'Save new version' }).click();
    await page.getByText('Version 2 saved.').waitFor();
    await page.getByRole('link', { name: 'Version 1' }).click();
    await page.getByText('Tests version 1.').waitFor();
    await page.getByText('Pattern: falcon-\\d+').waitFor();
    await context.close();
  });

  it('keeps policy modules and tool switches, and says that nothing reads them', async () => {
    const owner = await openAsOwner('Stored');
    const { page, context } = owner;
    await page.goto(`${SETTINGS}/policies`);
    await page.getByText('These settings are stored but not enforced.').waitFor();
    await page.getByLabel('Requests per minute').fill('60');
    await page.getByRole('form', { name: 'Rate limiting' }).getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Rate limiting saved.').waitFor();
    await page.goto(`${SETTINGS}/tools`);
    await page.getByText('recorded with each chat turn but not enforced').waitFor();
    await switchOf(page, 'Web search').click();
    await expect
      .poll(() => owner.call('GET', owner.policyPath))
      .toMatchObject({ toolSwitches: { web_search: true }, modules: { rateLimiting: { requestsPerMinute: 60 } } });
    await context.close();
  });

  it('takes back a switch that the server refuses, and says why', async () => {
    const { page, context } = await openAsOwner('Refused');
    await page.goto(`${SETTINGS}/compliance`);
    await switchOf(page, 'Require ZDR').waitFor({ state: 'attached' });
    await page.route('**/policy', (route) =>
      route.request().method() === 'PATCH'
        ? route.fulfill({
            status: 403,
            json: { ok: false, error: 'Only organization owners or admins can manage compliance.' },
          })
        : route.continue(),
    );
    await switchOf(page, 'Require ZDR').click();
    await page.getByText('Only organization owners or admins can manage compliance.').waitFor();
    await expect.poll(() => switchOf(page, 'Require ZDR').isChecked()).toBe(false);
    await context.close();
  });

  it('shows the plan and what was used, drawn and as a table', async () => {
    const owner = await openAsOwner('Planned');
    await ask(owner, 'openai/gpt-6-sol');
    const { page, context } = owner;
    const kept = await page.request.post('/api/attachments', {
      headers: { origin: app.url },
      multipart: {
        organization: owner.organization.id,
        file: { name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.alloc(1_536, 'a') },
      },
    });
    expect(kept.status()).toBe(201);
    await page.goto(`${SETTINGS}/plan`);
    await page.getByText('1 of 3').waitFor();
    await page.getByText('1.5 KiB of 10 GiB', { exact: true }).waitFor();
    // So small a share shows as a narrow bar, but screen readers still announce it.
    await page.getByRole('progressbar', { name: 'Storage: 1.5 KiB of 10 GiB' }).waitFor({ state: 'attached' });
    await page.getByRole('row').filter({ hasText: 'openai/gpt-6-sol' }).getByText('Platform credit').waitFor();
    await page.getByText('Requests', { exact: true }).first().click();
    await page.getByRole('img', { name: /^Requests per day\. Total 1\./ }).waitFor();
    await page.getByText('7 days', { exact: true }).click();
    await expect.poll(() => new URL(page.url()).searchParams.get('days')).toBe('7');
    await context.close();
  });

  it('lets an admin in, and refuses every page to a member, on the server too', async () => {
    const owner = await openAsOwner('Gated');
    const { id } = owner.organization;
    const [adminPerson, memberPerson] = [app.newPerson('Amy Admin'), app.newPerson('Max Member')];
    const [admin, member] = [await app.visitSignedIn(adminPerson), await app.visitSignedIn(memberPerson)];
    await owner.call('POST', `/api/organizations/${id}/members`, { email: adminPerson.email, role: 'admin' });
    await owner.call('POST', `/api/organizations/${id}/members`, { email: memberPerson.email, role: 'member' });
    await admin.page.goto(`${SETTINGS}/byok`);
    await save(admin.page).waitFor();
    for (const name of ['byok', 'models', 'guardrails', 'policies', 'tools', 'plan', 'compliance']) {
      await member.page.goto(`${SETTINGS}/${name}`);
      await member.page.getByText('Only owners and admins can open organization settings').waitFor();
      expect(await member.page.getByRole('main').getByRole('textbox').or(member.page.getByRole('switch')).count()).toBe(
        0,
      );
    }
    await expect(
      member.call('PUT', '/api/provider-keys/openai', { organization: id, workspace: 'global', key: KEY }),
    ).rejects.toThrow('Only organization owners or admins can manage API keys.');
    await expect(member.call('PATCH', owner.policyPath, { requireZdr: true })).rejects.toThrow(
      'Only organization owners or admins can manage compliance.',
    );
    await expect(
      member.call('POST', `/api/organizations/${id}/guardrails`, { name: 'x', rules: [{ kind: 'pii' }] }),
    ).rejects.toThrow('Only organization owners or admins can manage guardrails.');

    await member.page.goto('/workspaces/default/mcp-gateway?tab=llm-keys');
    await member.page.getByText(NOT_CONFIGURED).waitFor();
    expect(await save(member.page).count()).toBe(0);
    await Promise.all([owner, admin, member].map(({ context }) => context.close()));
  });

  it('has no fault that axe can find on its pages, in light and dark, and fits a narrow screen', async () => {
    const owner = await openAsOwner('Open');
    const { id } = owner.organization;
    await owner.call('PUT', '/api/provider-keys/openai', { organization: id, workspace: 'global', key: KEY });
    await owner.call('PATCH', owner.policyPath, {
      enforceStudyMode: false,
      requireZdr: true,
      disabledProviders: ['google'],
    });
    const { group } = await owner.call<{ group: { id: string } }>('POST', `/api/organizations/${id}/guardrails`, {
      name: 'Customer data',
      rules: [{ kind: 'pii' }, { kind: 'keyword', config: { keywords: ['falcon'] } }],
    });
    await ask(owner, 'openai/gpt-6-sol');
    const complaints: string[] = [];
    owner.page.on('pageerror', (error) => complaints.push(String(error)));
    expect(await faultsOf(owner.page, stops(group.id))).toEqual([]);
    expect(complaints).toEqual([]);
    await owner.context.close();
  });
});

function stops(group: string): readonly Stop[] {
  return [
    { path: `${SETTINGS}/byok`, heading: 'BYOK' },
    { path: '/workspaces/default/mcp-gateway?tab=llm-keys', heading: 'MCP Gateway', act: (page) => save(page).click() },
    {
      path: '/workspaces/default/mcp-gateway?tab=llm-keys',
      heading: 'MCP Gateway',
      open: async (page) => {
        await field(page).fill(KEY);
        await save(page).click();
        await page.getByRole('dialog', { name: 'Disable ZDR for this provider?' }).waitFor();
      },
    },
    { path: `${SETTINGS}/models`, heading: 'Models' },
    { path: `${SETTINGS}/guardrails`, heading: 'Guardrails' },
    { path: `${SETTINGS}/guardrails/new`, heading: 'New guardrail group' },
    {
      path: `${SETTINGS}/guardrails/${group}`,
      heading: 'Customer data',
      act: async (page) => {
        await page.getByRole('textbox', { name: 'Sample text' }).fill('falcon, ada@example.org');
        await page.getByRole('button', { name: 'Run test' }).click();
        await page.locator('mark').first().waitFor();
      },
    },
    { path: `${SETTINGS}/policies`, heading: 'Policies' },
    { path: `${SETTINGS}/tools`, heading: 'Tools' },
    { path: `${SETTINGS}/plan`, heading: 'Plan and usage' },
    { path: `${SETTINGS}/compliance`, heading: 'Compliance' },
  ];
}

function field(page: Page): Locator {
  return page.getByLabel('OpenAI API Key');
}

function save(page: Page): Locator {
  return page.getByRole('button', { name: 'Save key', exact: true });
}

function switchOf(page: Page, name: string): Locator {
  return page.getByRole('switch', { name, exact: true });
}
