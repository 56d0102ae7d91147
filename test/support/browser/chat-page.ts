// The parts of the chat page, as a person finds them.
import type { Locator, Page } from 'playwright-core';

export const field = (page: Page): Locator => page.getByRole('textbox', { name: 'Message', exact: true });
export const answers = (page: Page): Locator => page.locator('[data-role="assistant"]');
export const questions = (page: Page): Locator => page.locator('[data-role="user"]');

export async function ask(page: Page, text: string): Promise<void> {
  await field(page).fill(text);
  await page.keyboard.press('Enter');
}

/** An answer is whole once it can be asked for again. */
export const whole = (page: Page): Promise<void> =>
  page.getByRole('button', { name: 'Try again', exact: true }).last().waitFor();

/** Asks, waits for the whole answer, and returns the thread. */
export async function askThrough(page: Page, text: string): Promise<string> {
  await ask(page, text);
  await whole(page);
  await page.waitForURL(/\/chat\/thr_/);
  return new URL(page.url()).pathname.split('/').at(-1) ?? '';
}
