// A conversation that is kept: versions, failures, messages that wait, a lost connection. The demo providers answer.
import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { findViolations } from '../support/browser/axe.ts';
import { describeInBrowser, heading, openAsOwner, type OwnersApp } from '../support/browser/browser.ts';
import { answers, ask, askThrough, field, questions, whole } from '../support/browser/chat-page.ts';
import { PHONE, showOn, widthOf } from '../support/browser/screen.ts';

const LONG_QUESTION = 'Write a long text of 1500 words';

const queued = (page: Page) => page.locator('[data-role="queued"]');
const button = (within: Page | Locator, name: string) => within.getByRole('button', { name, exact: true });

const running = (page: Page): Promise<void> =>
  answers(page).last().getByText('This sentence was not written by a model.').first().waitFor();
const shownVersion = (within: Locator): Promise<string | null> =>
  within.getByText(/^Version \d+ of \d+$/).textContent();

describeInBrowser('versions', () => {
  let { app, owner, page } = {} as OwnersApp;
  // A stack of its own, because its web server is killed.
  openAsOwner('Vera Versions', 'Keepers', (at) => ({ app, owner, page } = at), {});

  const newTab = async (): Promise<Page> => {
    const tab = await owner.context.newPage();
    await tab.goto(page.url());
    return tab;
  };
  const picture = async (name: string): Promise<void> => {
    const folder = process.env['SCREENSHOTS'];
    if (folder !== undefined) await page.screenshot({ path: `${folder}/${name}.png` });
  };

  it('of a question come from an edit that Enter sends, are switched, gone on from, and kept by a reload', async () => {
    await page.goto('/chat');
    await ask(page, 'How many words are in "one two three"?');
    await answers(page).getByText('I counted 3 words').waitFor();
    await whole(page);
    await button(questions(page), 'Edit').click();
    const field = page.getByRole('textbox', { name: 'Edit your message' });
    await field.fill('How many words are in "one two"?');
    await field.press('Shift+Enter');
    await expect.poll(() => field.inputValue()).toBe('How many words are in "one two"?\n');
    await field.press('Enter');
    await answers(page).getByText('I counted 2 words').waitFor();
    await expect.poll(() => shownVersion(questions(page))).toBe('Version 2 of 2');

    await button(questions(page), 'Previous version').click();
    await answers(page).getByText('I counted 3 words').waitFor();
    await expect.poll(() => shownVersion(questions(page))).toBe('Version 1 of 2');
    await expect.poll(() => button(questions(page), 'Previous version').isDisabled()).toBe(true);
    await ask(page, 'How many words are in "four words are here"?');
    await answers(page).getByText('I counted 4 words').waitFor();
    await whole(page);
    await button(questions(page).first(), 'Next version').click();
    await answers(page).getByText('I counted 2 words').waitFor();
    await expect.poll(() => answers(page).count()).toBe(1);
    await page.reload();
    await answers(page).getByText('I counted 2 words').waitFor();
    await button(questions(page).first(), 'Previous version').click();
    await answers(page).getByText('I counted 4 words').waitFor();
    await picture('versions');
    const violations = await findViolations(page, { part: '.messages' });
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
  });

  it('can be asked for from the first answer on, however late the list of chats comes', async () => {
    for (const place of ['/chat', '/chat?workspace=default']) {
      const tab = await owner.context.newPage();
      const listed = Promise.withResolvers<void>();
      await tab.goto(place);
      await tab.getByRole('button', { name: /^Model:/ }).waitFor();
      await tab.route('**/api/threads?*', async (route) => {
        await listed.promise;
        await route.continue();
      });
      const models: string[] = [];
      tab.on('request', (request) => {
        if (request.url().includes('/api/models?')) models.push(request.url());
      });
      const thread = await askThrough(tab, 'How many words are in "one two three"?');
      listed.resolve();
      await tab.locator(`a[href*="${thread}"]`).first().waitFor();
      await button(questions(tab), 'Edit').waitFor();
      expect(models).toEqual([]);
      await tab.close();
    }
  });

  it('of an answer come from trying again, also in the middle, and can be deleted', async () => {
    await button(answers(page).first(), 'Try again').click();
    await expect.poll(() => answers(page).count()).toBe(1);
    await expect.poll(() => shownVersion(answers(page).first())).toBe('Version 2 of 2');
    await button(answers(page).first(), 'More actions for this message').click();
    await page.getByRole('menuitem', { name: 'Delete this version' }).click();
    await picture('delete-version');
    await button(page.getByRole('dialog', { name: 'Delete this version?' }), 'Delete').click();
    // The version before takes its place, with what followed it.
    await answers(page).getByText('I counted 4 words').waitFor();
    await expect.poll(() => answers(page).count()).toBe(2);
    await expect.poll(() => answers(page).getByRole('group', { name: 'Versions' }).count()).toBe(0);
  });

  it('are the same in two tabs: one switches, the other follows', async () => {
    const other = await newTab();
    await answers(other).getByText('I counted 4 words').waitFor();
    await button(questions(page).first(), 'Next version').click();
    await answers(page).getByText('I counted 2 words').waitFor();
    await answers(other).getByText('I counted 2 words').waitFor();
    // Both try again: one answer is written, and both tabs have it.
    await Promise.all([
      button(answers(page).first(), 'Try again').click(),
      button(answers(other).first(), 'Try again').click(),
    ]);
    for (const tab of [page, other]) {
      await expect
        .poll(() => shownVersion(answers(tab).first()), { timeout: 20_000 })
        .toMatch(/^Version ([23]) of \1$/);
      await expect.poll(() => button(tab, 'Stop').count()).toBe(0);
    }
    await expect.poll(() => shownVersion(answers(other).first())).toBe(await shownVersion(answers(page).first()));
    await other.close();
  });

  it('go on in a new chat from any message', async () => {
    await ask(page, 'Something that stays behind');
    await expect.poll(() => answers(page).count()).toBe(2);
    await whole(page);
    const before = page.url();
    await button(answers(page).first(), 'More actions for this message').click();
    await page.getByRole('menuitem', { name: 'Continue from here in a new chat' }).click();
    await page.waitForURL((url) => url.href !== before && /\/chat\/thr_/.test(url.pathname));
    await expect.poll(() => answers(page).count()).toBe(1);
    await answers(page).getByText('I counted 2 words').waitFor();
    await page.getByText('This is a copy of the chat up to that message.').waitFor();
    await ask(page, 'And now?');
    await expect.poll(() => answers(page).count()).toBe(2);
    await whole(page);
  });

  it('say when each message was written', async () => {
    const time = answers(page).first().locator('time').first();
    await expect.poll(() => time.innerText()).toMatch(/^(Just now|\d+ min)/);
    await expect.poll(() => time.getAttribute('title')).toMatch(/\d{4}/);
  });

  it('keep a failed turn with its reason and a way on, after the conversation has gone on and after a reload', async () => {
    await page.goto('/chat');
    await ask(page, 'How many words are in "one"?');
    await whole(page);
    await page.waitForURL(/\/chat\/thr_/);
    const thread = new URL(page.url()).pathname.split('/').at(-1) ?? '';
    await app.query('delete from chat_message where thread_id = $1 and position = 1', [thread]);
    await app.query(
      `update chat_message set metadata = metadata || '{"error": {"code": "provider_unavailable", "message": "The provider failed.", "at": "2026-05-01T10:00:00.000Z"}}' where thread_id = $1`,
      [thread],
    );
    await app.query('update chat_thread set messages = 1 where id = $1', [thread]);
    await page.reload();
    const problem = questions(page).first().getByRole('alert');
    await problem.getByRole('button', { name: 'Try again' }).waitFor();
    await ask(page, 'How many words are in "one two"?');
    await answers(page).getByText('I counted 2 words').waitFor();
    await whole(page);
    await page.reload();
    await answers(page).getByText('I counted 2 words').waitFor();
    await problem.waitFor();
    await picture('failed-turn');
    await problem.getByRole('button', { name: 'Try again' }).click();
    await answers(page).getByText('I counted 1 word').waitFor();
    await expect.poll(() => page.getByRole('alert').filter({ hasText: 'Try again' }).count()).toBe(0);
    await expect.poll(() => shownVersion(answers(page).first())).toBe('Version 2 of 2');
  });

  it('are not asked for before it is known who can answer, and an edit is not lost while an answer runs', async () => {
    const models = Promise.withResolvers<void>();
    await page.route('**/api/models?*', async (route) => {
      await models.promise;
      await route.continue();
    });
    await page.reload();
    await answers(page).getByText('I counted 1 word').waitFor();
    await expect.poll(() => button(page, 'Try again').count()).toBe(0);
    await expect.poll(() => button(page, 'Edit').count()).toBe(0);
    models.resolve();
    await whole(page);
    await page.unroute('**/api/models?*');

    await button(questions(page).first(), 'Edit').click();
    const edit = page.getByRole('textbox', { name: 'Edit your message' });
    await edit.fill('How many words are in "one two three"?');
    await ask(page, LONG_QUESTION);
    await running(page);
    await page.getByText('You can send this once the answer is finished').waitFor();
    await edit.press('Enter');
    await expect.poll(() => edit.inputValue()).toBe('How many words are in "one two three"?');
    await picture('edit-waits');
    await button(page, 'Stop').click();
    await page.getByText('You stopped this answer.').waitFor();
    await whole(page);
    await edit.press('Enter');
    await answers(page).getByText('I counted 3 words').waitFor();
    await whole(page);
  });

  it('an edit that meets an answer begun elsewhere is open again with its text', async () => {
    const other = await newTab();
    await whole(other);
    const begun = Promise.withResolvers<void>();
    await page.route('**/api/chat', async (route) => {
      await begun.promise;
      await route.continue();
    });
    await button(questions(page).last(), 'Edit').click();
    const edit = page.getByRole('textbox', { name: 'Edit your message' });
    await edit.fill('How many words are in "one two three four"?');
    await edit.press('Enter');
    await expect.poll(() => edit.count()).toBe(0);
    await ask(other, LONG_QUESTION);
    await running(other);
    begun.resolve();
    await page.getByText('An answer is still being generated in this thread.').first().waitFor();
    await page.getByText('You can send this once the answer is finished').waitFor();
    await picture('edit-returns');
    await page.unroute('**/api/chat');
    await button(other, 'Stop').click();
    await page.getByText('You stopped this answer.').waitFor();
    await whole(page);
    await page.reload();
    await expect.poll(() => edit.inputValue()).toBe('How many words are in "one two three four"?');
    await whole(page);
    await edit.press('Enter');
    await answers(page).getByText('I counted 4 words').waitFor();
    await whole(page);
    await other.close();
  });

  it('an edit of a message that was edited elsewhere waits below the conversation, with its text', async () => {
    const other = await newTab();
    await whole(other);
    const begun = Promise.withResolvers<void>();
    await page.route('**/api/chat', async (route) => {
      await begun.promise;
      await route.continue();
    });
    const edit = async (tab: Page, text: string): Promise<void> => {
      await button(questions(tab).last(), 'Edit').click();
      await tab.getByRole('textbox', { name: 'Edit your message' }).fill(text);
      await tab.keyboard.press('Enter');
    };
    await edit(page, 'How many words are in "my own edit"?');
    await edit(other, LONG_QUESTION);
    await running(other);
    begun.resolve();
    await queued(page).getByText('How many words are in "my own edit"?').waitFor();
    await page.unroute('**/api/chat');
    await button(other, 'Stop').click();
    await queued(page)
      .getByText(/^Not sent/)
      .waitFor();
    await button(queued(page), 'Send now').click();
    await answers(page).getByText('I counted 3 words').waitFor();
    await whole(page);
    await other.close();
  });

  it('a message waits for the running answer, can be changed or removed, and is sent after it', async () => {
    await page.goto('/chat');
    await ask(page, 'Write a long text of 300 words');
    await running(page);
    await ask(page, 'How many words are in "one two three"?');
    await field(page).fill('A second one');
    await button(page, 'Queue').click();
    await expect.poll(() => queued(page).count()).toBe(2);
    await queued(page).first().getByText('Queued: will be sent after the answer').waitFor();
    await picture('queued');
    // By keyboard: while the answer grows, nothing under it stands still.
    await button(queued(page).nth(1), 'Remove').press('Enter');
    await button(queued(page), 'Edit').press('Enter');
    await expect.poll(() => field(page).inputValue()).toBe('How many words are in "one two three"?');
    await expect.poll(() => queued(page).count()).toBe(0);
    await ask(page, 'How many words are in "one two three four"?');
    await expect.poll(() => queued(page).count()).toBe(1);
    await answers(page).getByText('I counted 4 words').waitFor({ timeout: 30_000 });
    await expect.poll(() => queued(page).count()).toBe(0);
    await expect.poll(() => questions(page).count()).toBe(2);
    await whole(page);
  });

  it('Escape stops a running answer, but not while it closes something; what waits says that it was not sent', async () => {
    await page.goto('/chat');
    await ask(page, LONG_QUESTION);
    await running(page);
    await ask(page, 'How many words are in "one two"?');
    await button(questions(page).first(), 'More actions for this message').click();
    await page.getByRole('menuitem').first().waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => page.getByRole('menuitem').count()).toBe(0);
    await expect.poll(() => button(page, 'Stop').count()).toBe(1);
    await field(page).focus();
    await page.keyboard.press('Escape');
    await page.getByText('You stopped this answer.').waitFor();
    await queued(page).getByText('Not sent, because you stopped the answer before it').waitFor();
    // It survives a reload, and goes when the person says so.
    await page.reload();
    await queued(page).getByText('Not sent yet').waitFor();
    await picture('held');
    await button(queued(page), 'Send now').click();
    await answers(page).getByText('I counted 2 words').waitFor();
    await expect.poll(() => queued(page).count()).toBe(0);
  });

  it('an answer whose server was killed: the page says so at once, and it ends with what was written and a way on', async () => {
    await page.goto('/chat');
    await ask(page, LONG_QUESTION);
    await running(page);
    await page.waitForURL(/\/chat\/thr_/);
    const thread = new URL(page.url()).pathname.split('/').at(-1) ?? '';
    const other = await newTab();
    await running(other);
    await app.kill('web');
    await page.getByText('The connection was lost. Reconnecting…').waitFor({ timeout: 5_000 });
    await picture('reconnecting');
    // Thirty seconds later, as far as the database knows.
    await app.query("update chat_stream set alive_at = alive_at - interval '31 seconds' where thread_id = $1", [
      thread,
    ]);
    for (const tab of [page, other]) {
      await answers(tab)
        .getByText('The answer was cut off because the service restarted.')
        .waitFor({ timeout: 30_000 });
      await answers(tab).getByText('This sentence was not written by a model.').first().waitFor();
      await expect.poll(() => tab.getByText('The connection was lost.').count()).toBe(0);
    }
    await picture('interrupted');
    await other.close();
    await button(answers(page), 'Try again').click();
    await running(page);
    await page.keyboard.press('Escape');
    await page.getByText('You stopped this answer.').waitFor();
    await expect.poll(() => shownVersion(answers(page))).toBe('Version 2 of 2');
  });

  it('fits a phone, in the dark too', async () => {
    await showOn(page, PHONE);
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.reload();
    await page.getByText('You stopped this answer.').waitFor();
    await heading(page, /long text/);
    await expect.poll(() => widthOf(page)).toBeLessThanOrEqual(390);
    await picture('phone-dark');
    await ask(page, LONG_QUESTION);
    await running(page);
    await field(page).fill('Waits');
    await button(page, 'Queue').click();
    await field(page).fill('Another that is typed');
    await button(page, 'Queue').waitFor();
    await picture('phone-dark-queue');
    await button(page, 'Stop').click();
    await queued(page).getByText('Not sent, because you stopped').waitFor();
  });
});
