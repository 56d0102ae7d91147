// The parts of the chat page, as a person finds them.
import type { Locator, Page } from 'playwright-core';
import { newId } from '../../../src/base/ids.ts';
import type { OwnersApp } from './browser.ts';

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

/** A chat of one question and its answer, as it is stored; returns the thread. */
export async function storeChat(
  { app, owner, organization }: OwnersApp,
  {
    title = 'An answer',
    question = 'Question',
    answer,
  }: { title?: string; question?: string; answer: readonly object[] },
): Promise<string> {
  const thread = newId('thr');
  const { user } = await owner.call<{ user: { id: string } }>('GET', '/api/me');
  await app.query(
    `insert into chat_thread (id, organization_id, workspace_id, user_id, title, title_from, messages)
     select $1, $2, w.id, $3, $4, 'person', 2 from workspace w where w.organization_id = $2 and w.kind = 'default'`,
    [thread, organization.id, user.id, title],
  );
  for (const [position, role, content] of [
    [0, 'user', [{ type: 'text', text: question }]],
    [1, 'assistant', answer],
  ] as const)
    await app.query(
      'insert into chat_message (thread_id, position, id, role, parts, metadata) values ($1, $2, $3, $4, $5, $6)',
      [thread, position, newId('msg'), role, JSON.stringify(content), { finish: 'stop' }],
    );
  return thread;
}
