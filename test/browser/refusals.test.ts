// What the app says and keeps when something is not as it should be. The stack asks for a provider key, which few here
// have, and lets a person ask a few times a minute only.
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import {
  createOrganization,
  createWorkspace,
  describeInBrowser,
  failUntilPressed,
  heading,
  type OrganizationUnderTest,
  type Visitor,
  openAsOwner,
  type OwnersApp,
} from '../support/browser/browser.ts';
import { ask, field } from '../support/browser/chat-page.ts';
import { leaveOut } from '../support/needs.ts';
import { sandboxSkipReason } from '../support/sandbox/sandbox.ts';
import { PHONE, showOn, WIDE } from '../support/browser/screen.ts';

const MOST_A_MINUTE = 6;

async function attach(page: Page, name: string): Promise<void> {
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Attach files' }).click();
  await (await chooser).setFiles({ name, mimeType: 'text/plain', buffer: Buffer.from('Remember the milk.') });
  await page.getByRole('list', { name: 'Attachments' }).getByText('18 B').waitFor();
}

describeInBrowser('refusals', () => {
  let { app, owner, organization, page } = {} as OwnersApp;
  openAsOwner(
    'Rita Refused',
    'Keyless',
    async (at) => {
      ({ app, owner, organization, page } = at);
      await createWorkspace(owner, organization, 'Lab');
    },
    {
      environment: { CHAT_REQUIRE_BYOK: 'true', SERVICE_CHAT_REQUESTS_PER_MINUTE: String(MOST_A_MINUTE) },
    },
  );

  const newcomer = async (name: string): Promise<Visitor> => {
    const person = app.newPerson(name);
    const visitor = await app.visitSignedIn(person);
    await owner.call('POST', `/api/organizations/${organization.id}/members`, { email: person.email, role: 'member' });
    return visitor;
  };

  const saveKey = (where: OrganizationUnderTest, workspace: string): Promise<unknown> =>
    owner.call('PUT', '/api/provider-keys/openai', { organization: where.id, workspace, key: 'sk-demo' });

  it('finds a way of working by role and name, with a pointer on it or its words and with the keyboard', async () => {
    await page.goto('/chat');
    const [answer, background] = [
      page.getByRole('radio', { name: 'Answer' }),
      page.getByRole('radio', { name: 'Background' }),
    ];
    await background.waitFor();
    await background.click();
    await expect.poll(() => background.isChecked()).toBe(true);
    await answer.check();
    await expect.poll(() => answer.isChecked()).toBe(true);
    await page.getByRole('radiogroup', { name: 'Response mode' }).getByText('Background').click();
    await expect.poll(() => background.isChecked()).toBe(true);
    await page.keyboard.press('ArrowLeft');
    await expect.poll(() => answer.isChecked()).toBe(true);
  });

  it('says on every page that demo models answer, and which demo key a key card takes', async () => {
    for (const path of ['/chat', '/runs', '/organization/settings/plan']) {
      await page.goto(`${path}?org=${organization.slug}`);
      await page.getByText('Demo models', { exact: true }).filter({ visible: true }).waitFor();
    }
    await showOn(page, PHONE);
    await page.getByRole('banner').getByText('Demo models', { exact: true }).waitFor();
    await showOn(page, WIDE);
    await page.goto('/organization/settings/byok');
    await page.getByText('To try it, save sk-demo. Do not save a real key.').waitFor();
    await page.getByPlaceholder('sk-demo').waitFor();
  });

  it('leads a member who may save the missing key to both places for it', async () => {
    await page.goto('/chat');
    await ask(page, 'Who pays for this?');
    const refusal = page.getByRole('alert').filter({ hasText: 'no key is configured' });
    await refusal
      .getByText('This provider requires an organization API key, but no key is configured.', { exact: true })
      .waitFor();
    await refusal.getByText('Save a key, or choose another model below, then try again.').waitFor();
    await refusal.getByRole('link', { name: 'LLM keys for Default' }).waitFor();
    await refusal.getByRole('link', { name: 'BYOK: organization keys' }).click();
    await heading(page, 'BYOK');
    // Nothing was stored; the message comes back in the prompt.
    await page.goBack();
    await field(page).waitFor();
    await expect.poll(() => field(page).inputValue()).toBe('Who pays for this?');
    await page.getByRole('button', { name: 'Send' }).click();
    await refusal.getByRole('link', { name: 'LLM keys for Default' }).click();
    await heading(page, 'MCP Gateway');
    await expect.poll(() => new URL(page.url()).searchParams.get('tab')).toBe('llm-keys');
  });

  it('tells a member whom to ask, and says rate limited with how long to wait', async () => {
    const member = await newcomer('Mia Member');
    await member.page.goto('/chat');
    await ask(member.page, 'May I?');
    await member.page.getByText('Ask an owner or admin to save one, or choose another model below.').waitFor();
    await expect.poll(() => member.page.getByRole('alert').getByRole('link').count()).toBe(0);
    for (let asked = 1; asked < MOST_A_MINUTE; asked++) {
      await member
        .call('POST', '/api/chat', { organization: organization.id, model: 'service/auto', message: { text: 'again' } })
        .catch(() => {});
    }
    await ask(member.page, 'And now?');
    await member.page
      .getByText(/^Rate limited: too many requests in a short time\. Try again in \d+ seconds?\.$/)
      .waitFor();
    await member.page.reload();
    await field(member.page).waitFor();
    await expect.poll(() => field(member.page).inputValue()).toBe('And now?');
    await member.context.close();
  });

  it('says quota exceeded, with the plan and the keys to look at', async () => {
    await page.goto('/chat');
    await page.route('**/api/chat', (route) =>
      route.fulfill({
        status: 429,
        json: {
          ok: false,
          error: 'quota_exceeded',
          message: 'The budget of your organization does not cover this request.',
        },
      }),
    );
    await ask(page, 'How much is left?');
    await page.getByText('Quota exceeded: your organization’s budget does not cover this request.').waitFor();
    await page.getByRole('link', { name: 'LLM keys for Default' }).waitFor();
    await page.unroute('**/api/chat');
    await page.getByRole('link', { name: 'Plan and usage' }).click();
    await heading(page, /plan/i);
  });

  it('opens a new chat where the workspace is switched in a stored one, which stays in its own', async () => {
    const { workspaces } = await owner.call<{ workspaces: { id: string; slug: string }[] }>(
      'GET',
      `/api/organizations/${organization.id}/workspaces`,
    );
    // A workspace's own key counts only beside one of the organization's.
    await saveKey(organization, 'global');
    await saveKey(organization, workspaces.find(({ slug }) => slug === 'default')?.id ?? '');
    await page.goto('/chat?workspace=default');
    await ask(page, 'Begun in Default');
    await page.waitForURL(/\/chat\/thr_/);
    const path = new URL(page.url()).pathname;
    await page.locator('.chat-where').getByText('Default').waitFor();
    await page.getByRole('button', { name: /^Workspace:/ }).click();
    await page.getByRole('menuitem', { name: 'Lab' }).click();
    await heading(page, 'New chat');
    await expect
      .poll(() => [new URL(page.url()).pathname, new URL(page.url()).searchParams.get('workspace')])
      .toEqual(['/chat', 'lab']);
    await page.locator('.chat-where').getByText('Lab').waitFor();
    await page.goto(`${path}?workspace=lab`);
    await page.locator('.chat-where').getByText('Default').waitFor();
  });

  it('opens a chat and a run by their address in their own organization', leaveOut(sandboxSkipReason), async () => {
    const other = await createOrganization(owner, 'Elsewhere');
    await saveKey(other, 'global');
    await page.goto(`/chat?org=${other.slug}`);
    await ask(page, 'Begun elsewhere');
    await page.waitForURL(/\/chat\/thr_/);
    const { pathname } = new URL(page.url());
    await page.goto(`${pathname}?org=${organization.slug}`);
    await page.waitForURL((url) => url.searchParams.get('org') === other.slug);
    await page.locator('[data-role="user"]').getByText('Begun elsewhere').waitFor();

    const { token } = await owner.call<{ token: string }>('POST', '/api/tokens', {
      organization: other.id,
      scopes: ['jobs:write'],
      expiresIn: '15m',
    });
    const started = await owner.context.request.post('/runtime/agents/factory/jobs', {
      headers: { authorization: `Bearer ${token}` },
      data: { objective: 'Run elsewhere' },
    });
    const { job } = (await started.json()) as { job: { id: string } };
    await page.goto(`/runs/${job.id}?org=${organization.slug}`);
    await heading(page, 'Run elsewhere');
    await page.waitForURL((url) => url.searchParams.get('org') === other.slug);
    await page.goto(`/runs/job_nowhere?org=${organization.slug}`);
    await heading(page, 'Run not found');
  });

  it('keeps a message with a file that names an app without a connection, and says which', async () => {
    await page.goto(`/chat?org=${organization.slug}&workspace=lab`);
    await attach(page, 'notes.txt');
    await ask(page, 'Compare this with @github');
    await page
      .getByRole('alert')
      .getByText('GitHub is not connected in this workspace. Connect it, or choose Answer to ask without it.')
      .waitFor();
    await expect.poll(() => field(page).inputValue()).toBe('Compare this with @github');
    await page.getByRole('list', { name: 'Attachments' }).getByText('notes.txt').waitFor();
    // Also through a reload, and through the way to connect it.
    await page.reload();
    await expect.poll(() => field(page).inputValue()).toBe('Compare this with @github');
    await page.getByRole('list', { name: 'Attachments' }).getByText('notes.txt').waitFor();
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('link', { name: 'Open Integrations' }).click();
    await heading(page, 'Integrations');
    await expect.poll(() => page.getByRole('searchbox').inputValue()).toBe('github');
    await page.goBack();
    await field(page).waitFor();
    await expect.poll(() => field(page).inputValue()).toBe('Compare this with @github');
    await page.getByRole('button', { name: 'Remove notes.txt' }).click();
    await field(page).fill('');
  });

  it.each(['/chat', '/integrations', '/receipts'])(
    'says on %s that the workspaces could not be loaded, and loads them when asked to',
    async (path) => {
      const list = '**/api/organizations/*/workspaces**';
      await failUntilPressed(page, list, 500);
      await page.goto(`${path}?org=${organization.slug}&workspace=lab`);
      const again = page.getByRole('button', { name: 'Try again' });
      const failure = page.getByRole('alert').filter({ hasText: 'Workspaces could not be loaded', has: again });
      await failure.waitFor();
      if (path === '/chat') {
        await ask(page, 'Where would this go?');
        await page.getByText('Reload them first.').waitFor();
      }
      await failure.locator(again).click();
      await expect.poll(() => failure.count()).toBe(0);
      await page.getByRole('button', { name: 'Workspace: Lab' }).waitFor();
      await page.unroute(list);
      if (path === '/chat') await expect.poll(() => field(page).inputValue()).toBe('Where would this go?');
    },
  );

  it('copies where the browser hides its clipboard from pages, and says so when it cannot copy at all', async () => {
    const plain = await newcomer('Pat Plain');
    await plain.context.addInitScript(`Object.defineProperty(Navigator.prototype, 'clipboard', { value: undefined })`);
    await plain.page.goto('/workspaces/default/mcp-gateway');
    await plain.page.getByRole('button', { name: 'Copy' }).first().click();
    await plain.page.getByRole('button', { name: 'Copied' }).waitFor();
    await plain.page.goto('/chat');
    await field(plain.page).focus();
    await plain.page.keyboard.press('ControlOrMeta+V');
    await expect.poll(() => field(plain.page).inputValue()).toBe(`${app.url}/connect/mcp`);

    await plain.context.addInitScript('document.execCommand = () => false');
    await plain.page.goto('/workspaces/default/mcp-gateway');
    await plain.page.getByRole('button', { name: 'Copy' }).first().click();
    await plain.page
      .getByText('Your browser blocked copying. The text is selected: copy it with your keyboard.')
      .waitFor();
    await expect.poll(() => plain.page.evaluate<string>('getSelection().toString()')).toBe(`${app.url}/connect/mcp`);
    await plain.context.close();
  });

  it('keeps the rail beside an address that leads nowhere', async () => {
    await page.goto('/nowhere/at/all');
    await heading(page, 'Page not found');
    await page.getByRole('navigation', { name: 'Main navigation' }).getByRole('link', { name: 'Chat' }).click();
    await heading(page, 'New chat');
    await page.goto('/nowhere/at/all');
    await page.getByRole('link', { name: 'Go to chat' }).click();
    await heading(page, 'New chat');
  });
});
