// Connects an app as a person does: in the window that the page opens, on the pages of the local integration provider.
import type { Locator, Page } from 'playwright-core';

/** The card of an app on the Integrations page. */
export function appCard(page: Page, name: string): Locator {
  return page.getByRole('listitem').filter({ has: page.getByRole('heading', { level: 3, name, exact: true }) });
}

/** Clicks, and goes through the window that opens. */
export async function authorize(page: Page, button: Locator): Promise<void> {
  const opening = page.waitForEvent('popup');
  await button.click();
  await authorizeIn(await opening);
}

export async function authorizeIn(opened: Page): Promise<void> {
  const key = opened.getByLabel('API key');
  const next = opened.getByRole('button', { name: /^Continue to/ });
  await key.or(next).waitFor();
  if (await key.isVisible()) {
    await key.fill('any text');
    await opened.getByRole('button', { name: /^Connect / }).click();
  } else {
    await next.click();
    await opened.getByRole('button', { name: 'Allow' }).click();
  }
  await opened.getByRole('heading', { name: /is connected$/ }).waitFor();
  await opened.close();
}
