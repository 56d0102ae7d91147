// Every page for everybody: WCAG 2.2 AA as far as axe can tell, in light and dark, by keyboard, on a phone.
import { expect, it } from 'vitest';
import { faultsOf } from '../support/browser/axe.ts';
import {
  createWorkspace,
  describeInBrowser,
  heading,
  openAsOwner,
  type OwnersApp,
} from '../support/browser/browser.ts';
import { INSIDE, opens, OUTSIDE } from '../support/page-stops.ts';
import { PHONE, showOn } from '../support/browser/screen.ts';

const FIRST_LOAD_BYTES = 250 * 1024;

describeInBrowser('the app for everybody', () => {
  let { app, owner } = {} as OwnersApp;
  openAsOwner('Alex Access', 'Everybody', async (at) => {
    ({ app, owner } = at);
    const { organization } = at;
    const { id: workspace } = await createWorkspace(owner, organization, 'Lab');
    await owner.call('POST', '/api/tokens', {
      name: 'laptop',
      organization: organization.id,
      workspace,
      scopes: ['connect:read', 'chat'],
    });
    await owner.call('POST', `/api/organizations/${organization.id}/invitations`, {
      email: 'guest@example.test',
      role: 'member',
    });
  });

  it('has no fault that axe can find on the pages before signing in, in light and dark, and fits a narrow screen', async () => {
    const { page, context } = await app.visit();
    expect(await faultsOf(page, OUTSIDE)).toEqual([]);
    await context.close();
  });

  it.each(Object.entries(INSIDE))(
    'has no fault that axe can find in %s, in light and dark, fits a narrow screen and keeps to its content policy',
    async (_, stops) => {
      const page = await owner.context.newPage();
      const complaints: string[] = [];
      page.on('pageerror', (error) => complaints.push(String(error)));
      page.on('console', (message) => {
        if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
          complaints.push(message.text());
      });
      expect(await faultsOf(page, stops)).toEqual([]);
      expect(complaints).toEqual([]);
      await page.close();
    },
  );

  it('moves the focus to the heading of the next page, and skips to the content on request', async () => {
    const page = await owner.context.newPage();
    await page.goto('/workspaces');
    await page.getByRole('link', { name: 'Lab' }).click();
    await heading(page, 'Lab');
    await expect.poll(() => page.evaluate<string>('document.activeElement.textContent')).toBe('Lab');
    await page.reload();
    await heading(page, 'Lab');
    await page.keyboard.press('Tab');
    await expect.poll(() => page.evaluate<string>('document.activeElement.textContent')).toBe('Skip to content');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.evaluate<string>('document.activeElement.id')).toBe('content');
    await page.close();
  });

  it('gives the focus back when a dialog closes: to its button, or to the heading when the button is gone', async () => {
    const page = await owner.context.newPage();
    const focused = (): Promise<string> => page.evaluate<string>('document.activeElement.textContent');
    const escape = async (): Promise<void> => {
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'hidden' });
    };
    await page.goto('/workspaces');
    await opens('New workspace', 'Create a workspace')(page);
    await expect.poll(() => page.evaluate<string>('document.activeElement.tagName')).toBe('INPUT');
    await escape();
    await expect.poll(focused).toBe('New workspace');

    await page.goto('/organization/settings/members');
    const withdraw = page.getByRole('button', { name: 'Revoke', exact: true });
    await withdraw.click();
    await page.getByRole('dialog', { name: /^Revoke the invitation/ }).waitFor();
    await escape();
    await expect.poll(focused).toBe('Revoke');
    await withdraw.click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('No open invitations').waitFor();
    await expect.poll(focused).toBe('Members');
    await page.close();
  });

  it('goes anywhere from the command palette and shows its shortcuts', async () => {
    const page = await owner.context.newPage();
    await page.goto('/workspaces');
    await heading(page, 'Workspaces');
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog', { name: 'Command palette' }).getByPlaceholder('Search and go to…').fill('single');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await heading(page, 'Single Sign-On');
    await expect.poll(() => new URL(page.url()).searchParams.get('org')).toBe('everybody');
    await page.close();
  });

  it('opens its navigation from a button on a phone', async () => {
    const page = await owner.context.newPage();
    await showOn(page, PHONE);
    await page.goto('/workspaces');
    await page.getByRole('button', { name: 'Open navigation' }).click();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Open navigation' }).click();
    await page.getByRole('link', { name: 'MCP Gateway' }).click();
    await heading(page, 'MCP Gateway');
    await expect.poll(() => page.getByRole('link', { name: 'Organization settings' }).isVisible()).toBe(false);
    await page.close();
  });

  it('folds the links of the settings on a phone, so that the page itself comes first', async () => {
    const page = await owner.context.newPage();
    await showOn(page, PHONE);
    await page.goto('/organization/settings/members');
    await heading(page, 'Members');
    const links = page.getByRole('navigation', { name: 'Organization settings' });
    expect((await page.getByRole('button', { name: 'Invite', exact: true }).boundingBox())?.y).toBeLessThan(400);
    await links.locator('summary').click();
    await links.getByRole('link', { name: 'Policies' }).click();
    await heading(page, 'Policies');
    await expect.poll(() => links.getByRole('link', { name: 'Policies' }).isVisible()).toBe(false);
    await page.close();
  });

  it('loads at most 250 kB of compressed JavaScript before anyone can sign in', async () => {
    const { page, context } = await app.visit();
    const sizes: Promise<number>[] = [];
    page.on('requestfinished', (request) => {
      if (request.resourceType() === 'script')
        sizes.push(request.sizes().then(({ responseBodySize }) => responseBodySize));
    });
    await page.goto('/sign-in', { waitUntil: 'networkidle' });
    const total = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
    expect(total).toBeGreaterThan(50 * 1024);
    expect(total).toBeLessThanOrEqual(FIRST_LOAD_BYTES);
    await context.close();
  });
});
