// Connects an app as a person does: in the window that the page opens, on the pages of the local integration provider.
import type { Locator, Page } from 'playwright-core';

/** Authorizing takes several steps in a window and the way back through the provider. */
const WHOLE_MS = 60_000;

/** The card of an app on the Integrations page. */
export function appCard(page: Page, name: string): Locator {
  return page.getByRole('listitem').filter({ has: page.getByRole('heading', { level: 3, name, exact: true }) });
}

/** Presses Connect on an app's card and agrees to what is said before it is connected to a shared workspace. */
export async function pressConnect(page: Page, name: string): Promise<void> {
  await appCard(page, name).getByRole('button', { name: 'Connect', exact: true }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Connect to / })
    .click();
}

/**
 * Presses a button, and goes through the window that opens. With `says`, the page must say so at some time from then on:
 * a notice lasts four seconds, and may come and go while the window is still being read.
 */
export async function authorize(page: Page, press: () => Promise<void>, says?: string): Promise<void> {
  const opening = page.waitForEvent('popup');
  await press();
  const said = says === undefined ? undefined : page.getByText(says).waitFor({ timeout: WHOLE_MS });
  await Promise.all([authorizeIn(await opening), said]);
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
