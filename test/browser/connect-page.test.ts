// The pages of the local integration provider in a real browser: they work under their own content policy, without
// scripts, and are accessible in light and dark.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createNangoClient, type NangoClient } from '../../src/nango/nango-client.ts';
import { findViolations } from '../support/browser/axe.ts';
import { describeInBrowser, launchChromium } from '../support/browser/browser.ts';
import { type LocalProvider, startLocalProvider } from '../support/tools/local-provider.ts';

describeInBrowser('the local integration provider', () => {
  let local: LocalProvider;
  let client: NangoClient;
  let browser: Browser;
  beforeAll(async () => {
    local = await startLocalProvider();
    client = createNangoClient({ url: local.url, secretKey: local.deps.settings.secretKey });
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser?.close();
    await client?.close();
    await local?.close();
  });

  async function open(integrationId: string, colorScheme: 'light' | 'dark'): Promise<{ page: Page; faults: string[] }> {
    const { connectLink } = await client.createSession({
      integrationId,
      tags: { organization_id: `org_${integrationId}_${colorScheme}` },
    });
    const context = await browser.newContext({ colorScheme, viewport: { width: 400, height: 800 } });
    const page = await context.newPage();
    const faults: string[] = [];
    page.on('console', (message) => void (message.type() === 'error' && faults.push(message.text())));
    await page.goto(connectLink);
    return { page, faults };
  }
  const violations = async (page: Page): Promise<string[]> =>
    (await findViolations(page)).map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join()}`);
  const connected = async (integrationId: string, colorScheme: string): Promise<number> =>
    (
      await client.listConnections({
        tags: { organization_id: `org_${integrationId}_${colorScheme}` },
        page: 0,
        limit: 10,
      })
    ).length;

  it.each(['light', 'dark'] as const)('connects by OAuth, in %s', async (colorScheme) => {
    const { page, faults } = await open('github', colorScheme);
    expect(await violations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Continue to GitHub' }).click();
    await page.getByRole('heading', { name: 'Allow access to GitHub?' }).waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.getByRole('heading', { name: 'GitHub is connected' }).waitFor();
    expect(await violations(page)).toEqual([]);
    expect(faults.filter((fault) => !fault.includes('favicon'))).toEqual([]);
    expect(await connected('github', colorScheme)).toBe(1);
  });

  it.each([
    ['sentry', 'Sentry', { 'API key': 'any text' }],
    ['stripe-api-key', 'Stripe', { 'Username or key ID': 'any text', 'Password or secret': 'x' }],
  ])('takes what %s needs', async (key, name, fields) => {
    await client.createIntegration({ key, provider: key, displayName: name });
    const { page } = await open(key, 'light');
    await page.getByText('Local integration provider: for development and demo').waitFor();
    expect(await violations(page)).toEqual([]);
    for (const [label, value] of Object.entries(fields)) await page.getByLabel(label).fill(value);
    await page.getByRole('button', { name: `Connect ${name}` }).click();
    await page.getByRole('heading', { name: `${name} is connected` }).waitFor();
    expect(await connected(key, 'light')).toBe(1);
  });
});
