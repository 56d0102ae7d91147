// Finding a chat again, keeping the list in order, and sharing a conversation with a workspace.
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { findFaults } from '../support/browser/axe.ts';
import { describeInBrowser, heading, openAsOwner, type OwnersApp } from '../support/browser/browser.ts';
import { ask, askThrough } from '../support/browser/chat-page.ts';
import { takePictures } from '../support/browser/pictures.ts';
import { PHONE, showOn } from '../support/browser/screen.ts';

/** A question whose answer is short, and therefore sent at once. */
const quick = (text: string): string => `How many words are in "${text}"?`;
const chats = (page: Page) => page.getByRole('navigation', { name: 'Chats' });

describeInBrowser('finding and sharing chats', () => {
  let { app, owner, organization, page } = {} as OwnersApp;
  openAsOwner('Fiona Finder', 'Finders', (at) => ({ app, owner, organization, page } = at));

  async function begin(text: string): Promise<string> {
    await page.goto('/chat');
    return askThrough(page, text);
  }

  async function rename(thread: string, title: string): Promise<void> {
    await owner.call('PATCH', `/api/threads/${thread}`, { title });
  }

  async function act(title: string, item: string): Promise<void> {
    await chats(page)
      .getByRole('button', { name: `Actions for ${title}` })
      .click();
    await page.getByRole('menuitem', { name: item }).click();
  }

  it('finds a message by its words, marks them, and opens the chat there', async () => {
    const long = await begin('Please remember the flamingos of Lisbon');
    // Long questions, because long answers take their time.
    for (let i = 1; i <= 3; i++) {
      await ask(page, `Count the words of part ${i}:${'\n\nand one more line'.repeat(40)}`);
      await expect.poll(() => page.getByText(/I counted \d+ words/).count()).toBe(i);
      await page.getByRole('button', { name: 'Send' }).waitFor();
    }
    await expect
      .poll(() => page.evaluate<number>("document.querySelector('.chat-scroll').scrollHeight"))
      .toBeGreaterThan(1_600);
    await rename(long, 'Birds');
    await begin(quick('Something else entirely'));
    const search = page.getByRole('searchbox', { name: 'Search chats' });
    await search.fill('flamingo');
    const found = chats(page).getByRole('region', { name: 'Messages' }).getByRole('link');
    await found.filter({ hasText: 'You' }).first().waitFor();
    await expect.poll(() => found.locator('mark').first().innerText()).toBe('flamingos');
    await takePictures(page, 'search');
    await found.filter({ hasText: 'You' }).first().click();
    await heading(page, 'Birds');
    const message = page.locator('[data-found]');
    await message.waitFor();
    await expect
      .poll(async () => {
        const box = await message.boundingBox();
        return box !== null && box.y > 0 && box.y + box.height < 800;
      })
      .toBe(true);
    await expect.poll(() => message.innerText()).toContain('flamingos of Lisbon');
    await takePictures(page, 'found');
    await search.fill('nothing like this');
    await chats(page).getByText('No chats match.').waitFor();
    await search.fill('');
  });

  it('opens a long chat far up, where the message is', async () => {
    const thread = await begin(quick('A story'));
    await app.query(
      `insert into chat_message (thread_id, position, id, role, parts)
         select $1, n, 'msg_story_' || lpad(n::text, 4, '0'), case when n % 2 = 0 then 'user' else 'assistant' end,
                jsonb_build_array(jsonb_build_object('type', 'text', 'text', case n when 20 then 'the walrus of chapter twenty' else 'chapter ' || n end))
           from generate_series(2, 400) n`,
      [thread],
    );
    await app.query('update chat_thread set messages = 401 where id = $1', [thread]);
    await page.goto('/chat');
    await page.getByRole('searchbox', { name: 'Search chats' }).fill('walrus chapters');
    await chats(page).getByRole('region', { name: 'Messages' }).getByRole('link').click();
    await page.locator('[data-found]').getByText('the walrus of chapter twenty').waitFor();
    await expect
      .poll(async () => {
        const box = await page.locator('[data-found]').boundingBox();
        return box !== null && box.y > 0 && box.y + box.height < 800;
      })
      .toBe(true);
    await page.getByRole('button', { name: 'Jump to latest' }).waitFor();
    await page.getByRole('searchbox', { name: 'Search chats' }).fill('');
  });

  it('pins, archives, finds again and restores', async () => {
    await act('Birds', 'Pin');
    await chats(page).getByRole('region', { name: 'Pinned' }).getByRole('link', { name: 'Birds' }).waitFor();
    await act('Birds', 'Archive');
    await chats(page).getByRole('link', { name: 'Birds', exact: true }).waitFor({ state: 'detached' });
    await page.getByRole('searchbox', { name: 'Search chats' }).fill('bird');
    await chats(page).getByRole('region', { name: 'Titles' }).getByRole('link', { name: 'Birds' }).waitFor();
    await page.getByRole('searchbox', { name: 'Search chats' }).fill('');
    await page.getByRole('button', { name: 'List options' }).click();
    await page.getByRole('menuitem', { name: 'Show archived chats' }).click();
    await chats(page).getByRole('region', { name: 'Archived chats' }).getByRole('link', { name: 'Birds' }).click();
    await page.getByText('This chat is archived.').waitFor();
    await takePictures(page, 'archived');
    await page.getByRole('button', { name: 'Restore' }).click();
    await page.getByText('This chat is archived.').waitFor({ state: 'detached' });
    await chats(page).getByText('No archived chats.').waitFor();
    await page.getByRole('button', { name: 'List options' }).click();
    await page.getByRole('menuitem', { name: 'Show active chats' }).click();
    await chats(page).getByRole('region', { name: 'Pinned' }).getByRole('link', { name: 'Birds' }).waitFor();
  });

  it('exports a chat as a file', async () => {
    const [file] = await Promise.all([page.waitForEvent('download'), act('Birds', 'Export as Markdown')]);
    expect(file.suggestedFilename()).toBe('Birds.md');
    expect(await readFile(await file.path(), 'utf8')).toMatch(
      /^# Birds\n\n## You, .*UTC\n\nPlease remember the flamingos/,
    );
  });

  it('deletes several chats at once, after asking', async () => {
    for (const title of ['Old one', 'Old two']) await rename(await begin(quick(title)), title);
    await chats(page).getByRole('link', { name: 'Old two' }).waitFor();
    await page.getByRole('button', { name: 'List options' }).click();
    await page.getByRole('menuitem', { name: 'Select chats' }).click();
    for (const title of ['Old one', 'Old two']) await page.getByRole('checkbox', { name: `Select ${title}` }).check();
    await page.getByText('2 chats selected').waitFor();
    await takePictures(page, 'selecting');
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete 2 chats?' });
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await dialog.waitFor({ state: 'detached' });
    await chats(page).getByRole('link', { name: 'Birds', exact: true }).waitFor();
    await expect.poll(() => chats(page).getByRole('link', { name: /^Old/ }).count()).toBe(0);
    await heading(page, 'New chat');
  });

  it('shares a copy that members of the workspace can read, until it is taken back', async () => {
    await chats(page).getByRole('link', { name: 'Birds', exact: true }).click();
    await heading(page, 'Birds');
    await act('Birds', 'Share…');
    const dialog = page.getByRole('dialog', { name: 'Share chat' });
    await dialog.getByRole('button', { name: 'Create link' }).click();
    const link = await dialog.locator('code').innerText();
    await takePictures(page, 'share-dialog');
    await page.keyboard.press('Escape');
    await chats(page).locator('.thread', { hasText: 'Birds' }).getByTitle('Shared').waitFor();

    const person = app.newPerson('Rita Reader');
    const reader = await app.visitSignedIn(person);
    const direct = `/api/shares/${new URL(link).pathname.split('/').at(-1)}`;
    expect((await reader.context.request.get(direct)).status()).toBe(404);
    await owner.call('POST', `/api/organizations/${organization.id}/members`, {
      email: person.email,
      role: 'member',
    });
    await reader.page.goto(link);
    await heading(reader.page, 'Birds');
    await reader.page.getByText('Shared by Fiona Finder. This is a read-only copy made on').waitFor();
    await reader.page.getByText('Please remember the flamingos of Lisbon').first().waitFor();
    await reader.page
      .getByText(/^Auto → /)
      .first()
      .waitFor();
    await expect.poll(() => reader.page.getByRole('textbox').count()).toBe(0);
    await expect.poll(() => reader.page.getByRole('button', { name: /Edit|Try again/ }).count()).toBe(0);
    expect(await findFaults(reader.page, 'shared chat')).toEqual([]);
    await takePictures(reader.page, 'shared');

    await act('Birds', 'Share…');
    await dialog.getByRole('button', { name: 'Stop sharing' }).click();
    await dialog.getByRole('button', { name: 'Create link' }).waitFor();
    await page.keyboard.press('Escape');
    // The open page is told.
    await heading(reader.page, 'Shared chat not found');
    await reader.context.close();
  });

  it('is not offered while the policy of the organization forbids it', async () => {
    await page.goto('/organization/settings/policies');
    await page.getByRole('switch', { name: 'Allow sharing chats by link' }).click();
    await expect
      .poll(() => owner.call('GET', `/api/organizations/${organization.id}/policy`))
      .toMatchObject({ disableSharing: true });
    await takePictures(page, 'policy');
    await page.goto('/chat');
    await act('Birds', 'Share…');
    const dialog = page.getByRole('dialog', { name: 'Share chat' });
    await dialog.getByText('Your organization does not allow sharing chats.').waitFor();
    await expect.poll(() => dialog.getByRole('button', { name: 'Create link' }).isDisabled()).toBe(true);
    await page.keyboard.press('Escape');
  });

  it('finds chats, messages, apps and actions in the command palette, with the keyboard alone', async () => {
    await page.goto('/runs');
    await heading(page, 'Runs');
    const palette = page.getByRole('dialog', { name: 'Command palette' });
    const field = palette.getByPlaceholder('Search and go to…');
    const openPalette = async (text: string): Promise<void> => {
      await page.keyboard.press('Control+k');
      await field.waitFor();
      await field.fill(text);
    };
    await openPalette('flamingo');
    await palette.getByText('Please remember the flamingos of Lisbon', { exact: true }).waitFor();
    await takePictures(page, 'palette');
    await page.keyboard.press('Enter');
    await heading(page, 'Birds');
    await page.locator('[data-found]').waitFor();

    await openPalette('bir');
    await palette.getByText('Birds', { exact: true }).first().waitFor();
    await field.fill('gith');
    await palette.getByText('GitHub', { exact: true }).first().waitFor();
    await field.fill('new chat');
    await palette.getByText('New chat', { exact: true }).first().waitFor();
    await page.keyboard.press('Enter');
    await heading(page, 'New chat');
  });

  it('fits a narrow screen, in light and dark', async () => {
    await showOn(page, PHONE);
    await page.goto('/chat');
    await page.getByRole('button', { name: 'Chats' }).click();
    await page.getByRole('searchbox', { name: 'Search chats' }).fill('flamingo');
    await page.getByRole('region', { name: 'Messages' }).getByRole('link').first().waitFor();
    expect(await findFaults(page, 'search')).toEqual([]);
    await takePictures(page, 'narrow');
  });
});
