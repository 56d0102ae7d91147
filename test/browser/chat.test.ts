// Chat as a person has it: ask, read, stop, come back, edit, find again. The demo providers answer.
import type { Locator, Request } from 'playwright-core';
import { expect, it } from 'vitest';
import { newId } from '../../src/base/ids.ts';
import { findFaults, findViolations } from '../support/browser/axe.ts';
import {
  createOrganization,
  createWorkspace,
  describeInBrowser,
  heading,
  openAsOwner,
  type OwnersApp,
} from '../support/browser/browser.ts';
import { answers, ask, field, questions, whole } from '../support/browser/chat-page.ts';
import { makePdf, makePptx, makeXlsx } from '../support/make-files.ts';
import { leaveOut } from '../support/needs.ts';
import { sandboxSkipReason } from '../support/sandbox/sandbox.ts';
import { NARROW, PHONE, showOn, transitionsEnded, WIDE, widthOf } from '../support/browser/screen.ts';

const LONG_QUESTION = 'Write a long text of 1500 words';

describeInBrowser('chat', () => {
  let { app, owner, organization, page } = {} as OwnersApp;
  openAsOwner('Clara Chat', 'Talkers', (at) => ({ app, owner, organization, page } = at));

  it('is where the app opens, and answers with the keyboard alone', async () => {
    await page.goto('/');
    await heading(page, 'New chat');
    await expect.poll(() => new URL(page.url()).pathname).toBe('/chat');
    await expect.poll(() => page.evaluate<string>('document.activeElement.placeholder')).toBe('Write a message');
    await page.keyboard.type('Make a list');
    await page.keyboard.press('Shift+Enter');
    await page.keyboard.type('and show markdown');
    await page.keyboard.press('Enter');
    await whole(page);

    await expect.poll(() => new URL(page.url()).pathname).toMatch(/^\/chat\/thr_/);
    await expect
      .poll(() => questions(page).locator('.question-text').innerText())
      .toBe('Make a list\nand show markdown');
    await answers(page).getByRole('listitem').filter({ hasText: 'First, this is a list.' }).waitFor();
    await answers(page).getByRole('cell', { name: 'your message' }).waitFor();
    await expect
      .poll(() =>
        answers(page)
          .getByText(/Auto → .+ · Platform credit · \$/)
          .count(),
      )
      .toBe(1);
    // The prompt keeps the focus, and only the start and the end are read out.
    await expect.poll(() => page.evaluate<string>('document.activeElement.placeholder')).toBe('Write a message');
    await page.getByRole('status').filter({ hasText: 'The answer is complete.' }).waitFor();
    await expect.poll(() => page.locator('[aria-live] .markdown, output .markdown').count()).toBe(0);
    // From anywhere on the page a key leads to the prompt.
    await page.getByRole('heading', { level: 1 }).focus();
    await page.keyboard.press('/');
    await expect
      .poll(() => page.evaluate<string>('document.activeElement.placeholder + document.activeElement.value'))
      .toBe('Write a message');
    // A title that was written for the chat replaces its first words.
    await heading(page, 'Demo: Make a list and show markdown');
    await page
      .getByRole('navigation', { name: 'Chats' })
      .getByRole('link', { name: 'Demo: Make a list and show markdown' })
      .waitFor();
  });

  it('edits a message and tries an answer again, each in its place', async () => {
    await page.goto('/chat');
    await ask(page, 'How many words are in "one two three"?');
    await answers(page).getByText('I counted 3 words').waitFor();
    await whole(page);
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    const field = page.getByRole('textbox', { name: 'Edit your message' });
    await expect.poll(() => field.inputValue()).toBe('How many words are in "one two three"?');
    await field.fill('How many words are in "one two"?');
    await page.getByRole('button', { name: 'Send again' }).click();
    await answers(page).getByText('I counted 2 words').waitFor();
    await whole(page);
    expect([await questions(page).count(), await answers(page).count()]).toEqual([1, 1]);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page
      .getByRole('button', { name: 'Stop' })
      .or(page.getByRole('button', { name: 'Try again' }))
      .first()
      .waitFor();
    await whole(page);
    await page.reload();
    await answers(page).getByText('I counted 2 words').waitFor();
    expect([await questions(page).count(), await answers(page).count()]).toEqual([1, 1]);
  });

  it('goes on through a reload in the middle of an answer, and stops it afterwards', async () => {
    await page.goto('/chat');
    await ask(page, LONG_QUESTION);
    await answers(page).getByText('This sentence was not written by a model.').first().waitFor();
    await page.waitForURL(/\/chat\/thr_/);
    await page.reload();
    await answers(page).getByText('This sentence was not written by a model.').first().waitFor();
    const before = (await answers(page).innerText()).length;
    await expect
      .poll(async () => (await answers(page).innerText()).length, { timeout: 20_000 })
      .toBeGreaterThan(before);

    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByText('You stopped this answer.').waitFor();
    await page.getByRole('button', { name: 'Send' }).waitFor();
    const stopped = await answers(page).locator('.markdown').innerText();
    expect(stopped).toContain('This sentence was not written by a model.');
    await page.reload();
    await page.getByText('You stopped this answer.').waitFor();
    await expect.poll(() => answers(page).locator('.markdown').innerText()).toBe(stopped);
  });

  const pick = async (name: string): Promise<void> => {
    await page.getByRole('button', { name: /^Model:/ }).click();
    await page.getByRole('combobox', { name: 'Search models' }).fill(name);
    await page.getByRole('option').first().click();
  };

  it('keeps the message when it is refused, says what to do, and shows why a model cannot be picked', async () => {
    await page.goto('/chat');
    // Picked by hand: a model that was only offered gives way to another one as soon as the page hears of the policy.
    await pick('auto');
    await page.getByRole('button', { name: /^Model: Auto/ }).waitFor();
    await owner.call('PATCH', `/api/organizations/${organization.id}/policy`, { disabledModels: ['service/auto'] });
    await ask(page, 'Will this be kept?');
    await page.getByText('The selected AI model is not allowed for your organization.').waitFor();
    await page.getByText('Choose another model below, then try again.').waitFor();
    await questions(page).getByText('Will this be kept?').waitFor();
    expect(page.url()).not.toContain('thr_');

    await page.getByRole('button', { name: /^Model:/ }).click();
    const denied = page.getByRole('option', { name: /Auto/ });
    await denied.getByText('This model is disabled for your organization.').waitFor();
    await expect.poll(() => denied.getAttribute('aria-disabled')).toBe('true');
    await page.getByRole('combobox', { name: 'Search models' }).fill('haiku');
    await expect.poll(() => page.getByRole('option').count()).toBe(1);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: /^Model: Claude Haiku/ }).waitFor();
    await page.getByRole('button', { name: 'Try again' }).click();
    await answers(page).getByText('Demo answer').waitFor();
    await whole(page);
    await page.waitForURL(/\/chat\/thr_/);
    await expect.poll(() => questions(page).count()).toBe(1);
    await owner.call('PATCH', `/api/organizations/${organization.id}/policy`, { disabledModels: [] });
  });

  it('reopens with the model that answered last, and says who paid', async () => {
    await page.goto('/chat');
    await page.evaluate('localStorage.clear()');
    await page.reload();
    await pick('sonnet');
    await ask(page, 'Who answers?');
    await whole(page);
    await page.locator('.chat-where').getByText('Platform credit').waitFor();
    const path = new URL(page.url()).pathname;
    await page.getByRole('link', { name: 'New chat' }).click();
    await heading(page, 'New chat');
    await pick('haiku');
    await page.getByRole('button', { name: /^Model: Claude Haiku/ }).waitFor();
    await page.goto(path);
    await page.getByRole('button', { name: /^Model: Claude Sonnet/ }).waitFor();
  });

  it('keeps the message when the network is gone', async () => {
    await page.goto('/chat');
    await field(page).waitFor();
    await owner.context.setOffline(true);
    await ask(page, 'Is anybody there?');
    await page.getByText('The server did not answer.').waitFor();
    await page.getByText('You are offline.').waitFor();
    // The notice covers nothing: a press would reach the button.
    await field(page).fill('And here?');
    await page.getByRole('button', { name: 'Send' }).click({ trial: true });
    await owner.context.setOffline(false);
    await page.getByRole('button', { name: 'Try again' }).click();
    await answers(page).getByText('I understood: “Is anybody there?”').waitFor();
    await whole(page);
  });

  it('offers only models with a key when the organization requires its own provider key', async () => {
    await owner.call('PATCH', `/api/organizations/${organization.id}/policy`, { requireProviderKey: true });
    await page.goto('/chat');
    await page.getByRole('button', { name: /^Model: No models are available/ }).click();
    await page.getByText('none is saved yet').waitFor();
    await expect.poll(() => page.getByRole('option').count()).toBe(0);
    await page.keyboard.press('Escape');
    await owner.call('PATCH', `/api/organizations/${organization.id}/policy`, { requireProviderKey: false });
  });

  it('shows images small and large, in the draft and in the message, and what a document has before it is sent', async () => {
    await page.goto('/chat');
    await page.locator('.composer-field').waitFor();
    const image = (color: string): Promise<Buffer> =>
      page
        .evaluate<string>(
          `(() => { const canvas = document.createElement('canvas'); canvas.width = 640; canvas.height = 400; const pen = canvas.getContext('2d'); pen.fillStyle = '${color}'; pen.fillRect(0, 0, 640, 400); return canvas.toDataURL('image/png').split(',')[1]; })()`,
        )
        .then((data) => Buffer.from(data, 'base64'));
    await page.locator('input[type=file]').setInputFiles([
      { name: 'sea.png', mimeType: 'image/png', buffer: await image('steelblue') },
      { name: 'sun.png', mimeType: 'image/png', buffer: await image('goldenrod') },
      { name: 'paper.pdf', mimeType: 'application/pdf', buffer: makePdf(['One', 'Two', 'Three']) },
      { name: 'table.xlsx', mimeType: '', buffer: makeXlsx({ A: '<row><c><v>1</v></c></row>', B: '' }) },
      { name: 'talk.pptx', mimeType: '', buffer: makePptx([{ text: 'Only one' }]) },
      { name: 'broken.docx', mimeType: '', buffer: Buffer.from('PK\u0003\u0004') },
      { name: 'old.doc', mimeType: '', buffer: Buffer.from('x') },
    ]);
    const composer = page.locator('form.composer');
    await composer.getByText(/^3 pages, /).waitFor();
    await composer.getByText(/^2 sheets, /).waitFor();
    await composer.getByText(/^1 slide, /).waitFor();
    await composer.getByText(/^This file is damaged and cannot be read\. Open it in the app that created it/).waitFor();
    await composer
      .getByText('This Office format cannot be read. Save it as DOCX, XLSX, PPTX or PDF and attach that.')
      .waitFor();
    await composer
      .getByText('7 of 20 files · Images, PDF, Office documents and text. At most 20 files of 20 MB each.')
      .waitFor();
    for (const name of ['broken.docx', 'old.doc'])
      await composer.getByRole('button', { name: `Remove ${name}` }).click();
    await composer.getByRole('button', { name: 'Open sea.png' }).click();
    const box = page.getByRole('dialog', { name: 'sea.png' });
    await box.getByRole('img', { name: 'sea.png' }).waitFor();
    await page.keyboard.press('Escape');
    await box.waitFor({ state: 'hidden' });

    await ask(page, 'What is attached?');
    const sent = page.getByRole('list', { name: 'Attachments' });
    await page.waitForURL(/\/chat\/thr_/);
    // Stored with the message: it is shown when the chat is opened again.
    await page.reload();
    for (const parts of [/^3 pages, /, /^2 sheets, /, /^1 slide, /]) await sent.getByText(parts).waitFor();
    await sent.getByRole('button', { name: 'Open sea.png' }).click();
    const shown = async (name: string, position: string): Promise<void> => {
      const dialog = page.getByRole('dialog', { name });
      await dialog.getByText(position, { exact: true }).waitFor();
      await expect
        .poll(() =>
          dialog
            .getByRole('img', { name })
            .evaluate((img) => (img as unknown as { naturalWidth: number }).naturalWidth),
        )
        .toBe(640);
    };
    await shown('sea.png', '1 of 2');
    await page.keyboard.press('ArrowRight');
    await shown('sun.png', '2 of 2');
    await page.keyboard.press('ArrowRight');
    await shown('sea.png', '1 of 2');
    await page.keyboard.press('ArrowLeft');
    await shown('sun.png', '2 of 2');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await expect
      .poll(() => page.evaluate<string | null>("document.activeElement.getAttribute('aria-label')"))
      .toBe('Open sea.png');
  });

  it('sends files by button, paste and drop, and a huge paste without freezing', async () => {
    await page.goto('/chat');
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Attach files' }).click();
    await (
      await chooser
    ).setFiles({ name: 'notes.md', mimeType: 'text/markdown', buffer: Buffer.from('Remember the milk.') });
    const chips = page.getByRole('list', { name: 'Attachments' });
    await chips.getByText('notes.md').waitFor();
    await chips.getByText('18 B').waitFor();
    await page.evaluate(`(() => {
      const transfer = (name) => { const data = new DataTransfer(); data.items.add(new File(['text of ' + name], name, { type: 'text/plain' })); return data; };
      document.querySelector('textarea').dispatchEvent(new ClipboardEvent('paste', { clipboardData: transfer('pasted.txt'), bubbles: true, cancelable: true }));
      document.querySelector('nav').dispatchEvent(new DragEvent('drop', { dataTransfer: transfer('dropped.txt'), bubbles: true, cancelable: true }));
      document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData: transfer('beside.txt'), bubbles: true, cancelable: true }));
      const text = new DataTransfer();
      text.setData('text/plain', 'word '.repeat(209_716));
      document.querySelector('textarea').dispatchEvent(new ClipboardEvent('paste', { clipboardData: text, bubbles: true, cancelable: true }));
    })()`);
    await chips.getByText('1,048,580 characters').waitFor();
    await page.getByRole('button', { name: 'Remove Pasted text' }).click();
    await chips.getByText('19 B').waitFor();
    await chips.getByText('beside.txt').waitFor();
    await expect.poll(() => chips.getByRole('progressbar').count()).toBe(0);
    await page.getByRole('button', { name: 'Remove dropped.txt' }).click();
    await page.getByRole('button', { name: 'Remove beside.txt' }).click();
    await ask(page, 'What is attached?');
    await whole(page);
    await expect.poll(() => questions(page).getByRole('link').allInnerTexts()).toEqual(['notes.md', 'pasted.txt']);
    await expect.poll(() => page.getByRole('list', { name: 'Attachments' }).count()).toBe(1);
  });

  it('refuses a file it cannot use beside the file, and still sends', async () => {
    await page.goto('/chat');
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Attach files' }).click();
    await (
      await chooser
    ).setFiles([
      { name: 'a.zip', mimeType: 'application/zip', buffer: Buffer.from([0x50, 0x4b, 3, 4, 0, 0]) },
      { name: 'a.bin', mimeType: '', buffer: Buffer.from([0x50, 0x4b, 3, 4, 0, 0]) },
    ]);
    // The one is known by its type before it is sent, the other by its content on the server.
    await page.getByText('Models cannot read this kind of file.').waitFor();
    await page.getByText('This file type is not supported.').waitFor();
    await page.getByRole('button', { name: 'Remove a.zip' }).click();
    await page.getByRole('button', { name: 'Remove a.bin' }).click();
    await expect.poll(() => page.getByRole('list', { name: 'Attachments' }).count()).toBe(0);
  });

  it('finds, renames and deletes chats', async () => {
    await page.goto('/chat');
    await ask(page, 'Something to find again');
    await whole(page);
    const list = page.getByRole('navigation', { name: 'Chats' });
    await page.getByRole('searchbox', { name: 'Search chats' }).fill('FIND AGAIN');
    await expect.poll(() => list.getByRole('region', { name: 'Titles' }).getByRole('link').count()).toBe(1);
    await list.getByRole('button', { name: /^Actions for / }).click();
    await page.getByRole('menuitem', { name: 'Rename' }).click();
    const dialog = page.getByRole('dialog', { name: 'Rename chat' });
    await dialog.waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => page.evaluate<string | null>('document.activeElement.ariaLabel')).toMatch(/^Actions for /);
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Rename' }).click();
    await dialog.getByLabel('Title').fill('Found it');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await heading(page, 'Found it');
    await page.getByRole('searchbox', { name: 'Search chats' }).fill('');
    await list.getByRole('button', { name: 'Actions for Found it' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('dialog', { name: 'Delete “Found it”?' }).getByRole('button', { name: 'Delete' }).click();
    await heading(page, 'New chat');
    await expect.poll(() => list.getByRole('link', { name: 'Found it' }).count()).toBe(0);
    await expect.poll(() => new URL(page.url()).pathname).toBe('/chat');
  });

  it('stays with its chat while another is opened: the answer goes on and is there on return', async () => {
    await page.goto('/chat');
    await ask(page, 'Write a long text of 120 words');
    await page.waitForURL(/\/chat\/thr_/);
    const path = new URL(page.url()).pathname;
    await field(page).fill('half a thought');
    await page.getByRole('link', { name: 'New chat' }).click();
    await heading(page, 'New chat');
    await expect.poll(() => field(page).inputValue()).toBe('');
    await page.goBack();
    await page.waitForURL((url) => url.pathname === path);
    await expect.poll(() => field(page).inputValue()).toBe('half a thought');
    await whole(page);
    await expect.poll(() => answers(page).count()).toBe(1);
  });

  it('pages back through a long chat without moving what is being read', async () => {
    const { threads } = await owner.call<{ threads: { id: string }[] }>(
      'GET',
      `/api/threads?organization=${organization.id}`,
    );
    const id = threads[0]?.id ?? '';
    await app.query(`delete from chat_message where thread_id = $1`, [id]);
    await app.query(
      `insert into chat_message (thread_id, position, id, role, parts, metadata)
       select $1, n, 'msg_long_' || n, case when n % 2 = 0 then 'user' else 'assistant' end, jsonb_build_array(jsonb_build_object('type', 'text', 'text', 'Message number ' || n)), '{}' from generate_series(0, 199) n`,
      [id],
    );
    await app.query('update chat_thread set messages = 200 where id = $1', [id]);
    await page.goto(`/chat/${id}`);
    await page.getByText('Message number 199').waitFor();
    await expect.poll(() => page.getByText('Message number 149', { exact: true }).count()).toBe(0);
    await page.getByRole('button', { name: 'Load earlier messages' }).waitFor();
    const scrollTo = (top: number): Promise<void> =>
      page.evaluate(`document.querySelector('.chat-scroll').scrollTo({ top: ${top}, behavior: 'instant' })`);
    const top = async (): Promise<number> =>
      (await page.getByText('Message number 152', { exact: true }).boundingBox())?.y ?? Number.NaN;
    // Only a person's own scrolling leaves the end.
    await page.locator('.chat-scroll').hover();
    await page.mouse.wheel(0, -250);
    await page.getByRole('button', { name: 'Jump to latest' }).waitFor();
    await scrollTo(300);
    // What comes into sight is laid out on the next frame.
    await transitionsEnded(page);
    const before = await top();
    // Near the top the page before is fetched by itself.
    await scrollTo(200);
    await page.getByText('Message number 50', { exact: true }).waitFor({ state: 'attached' });
    expect(Math.abs((await top()) - before - 100)).toBeLessThan(80);
    await expect.poll(() => page.getByText('Message number 49', { exact: true }).count()).toBe(0);
  });

  it('opens at a message that was found, with one page around it, and reads on to the latest', async () => {
    // A page may be read again when the chat has changed meanwhile; no other page may be read.
    const pages = new Set<string>();
    const note = (request: Request): void => {
      const { pathname, search } = new URL(request.url());
      if (/^\/api\/threads\/thr_[^/]+$/.test(pathname)) pages.add(search);
    };
    const { pathname } = new URL(page.url());
    page.on('request', note);
    await page.goto(`${pathname}?message=msg_long_90`);
    await page.locator('[data-found]').getByText('Message number 90', { exact: true }).waitFor();
    expect([...pages]).toEqual(['?limit=100&around=msg_long_90']);
    await expect.poll(() => page.getByText('Message number 199', { exact: true }).count()).toBe(0);
    await page.getByRole('button', { name: 'Load later messages' }).click();
    await page.getByText('Message number 199', { exact: true }).waitFor({ state: 'attached' });
    expect([...pages]).toEqual(['?limit=100&around=msg_long_90', '?limit=100&after=140']);
    // Without the message in its address the chat is at its end.
    await page.goto(`${pathname}?message=msg_long_10`);
    await page.locator('[data-found]').getByText('Message number 10', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Jump to latest' }).click();
    await page.getByText('Message number 199', { exact: true }).waitFor();
    page.off('request', note);
  });

  it('stays where the reader has scrolled to, and leads back to the latest', async () => {
    const measure = (what: string): Promise<number> =>
      page.evaluate<number>(
        `(({ scrollTop, scrollHeight, clientHeight }) => ${what})(document.querySelector('.chat-scroll'))`,
      );
    const bottom = (): Promise<number> => measure('scrollHeight - scrollTop - clientHeight');
    await ask(page, LONG_QUESTION);
    await answers(page).last().getByText('This sentence was not written by a model.').first().waitFor();
    await expect.poll(bottom).toBeLessThan(100);
    await page.locator('.chat-scroll').hover();
    await page.mouse.wheel(0, -250);
    const latest = page.getByRole('button', { name: 'Jump to latest' });
    await latest.waitFor();
    const [away, top] = [await bottom(), await measure('scrollTop')];
    await expect.poll(bottom, { timeout: 20_000 }).toBeGreaterThan(away + 60);
    expect(Math.abs((await measure('scrollTop')) - top)).toBeLessThan(40);
    await latest.click();
    await expect.poll(bottom).toBeLessThan(100);
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByText('You stopped this answer.').waitFor();
  });

  it('says how full the context is, when messages are left out, and what to do', async () => {
    const thread = newId('thr');
    const { user } = await owner.call<{ user: { id: string } }>('GET', '/api/me');
    await app.query(
      `insert into chat_thread (id, organization_id, workspace_id, user_id, title, title_from, messages)
       select $1, $2, w.id, $3, 'A long chat', 'person', 2 from workspace w where w.organization_id = $2 and w.kind = 'default'`,
      [thread, organization.id, user.id],
    );
    for (const [position, role, text] of [
      [0, 'user', 'word '.repeat(60_000)],
      [1, 'assistant', 'word '.repeat(13_000)],
    ] as const)
      await app.query(
        'insert into chat_message (thread_id, position, id, role, parts, metadata) values ($1, $2, $3, $4, $5, $6)',
        [
          thread,
          position,
          newId('msg'),
          role,
          JSON.stringify([{ type: 'text', text }]),
          role === 'user' ? {} : { finish: 'stop', model: 'openai/gpt-4o' },
        ],
      );
    await page.goto(`/chat/${thread}`);
    const figure = page.getByRole('button', { name: /^Context and cost of the next message/ });
    await page.getByText('The oldest messages will not be sent to the model.').waitFor();
    await expect.poll(() => figure.textContent()).toContain('100%');
    await ask(page, 'Go on');
    // What the page foretold is what the server then says that it did.
    await page.getByText('The oldest message is no longer sent to the model.').waitFor();
    await figure.focus();
    await page.keyboard.press('Enter');
    const details = page.getByRole('dialog', { name: /^Context and cost/ });
    await details.getByText(/^About [\d,]+ of [\d,]+ tokens$/).waitFor();
    await details.getByText('Demo models cost nothing.').waitFor();
    expect(await findFaults(page, 'the context', '.context-meter')).toEqual([]);
    await details.getByRole('button', { name: 'Ask for a summary for a new chat' }).click();
    await expect.poll(() => field(page).inputValue()).toContain('continue it in a new chat');
    await field(page).fill('');
    await figure.click();
    await details.getByRole('button', { name: /^Use / }).click();
    await expect.poll(() => page.getByText('is no longer sent to the model').count()).toBe(0);
    await expect.poll(() => figure.textContent()).not.toContain('100%');
  });

  it('loads at most 450 kB of compressed JavaScript', async () => {
    const fresh = await app.visitSignedIn(app.newPerson('Lee Load'));
    await createOrganization(fresh, 'Light');
    const sizes: Promise<number>[] = [];
    fresh.page.on('requestfinished', (request) => {
      if (request.resourceType() === 'script')
        sizes.push(request.sizes().then(({ responseBodySize }) => responseBodySize));
    });
    await fresh.page.goto('/chat', { waitUntil: 'networkidle' });
    expect((await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(450 * 1024);
    await fresh.context.close();
  });

  it('belongs to one person: no one else can open it', async () => {
    const { threads } = await owner.call<{ threads: { id: string }[] }>(
      'GET',
      `/api/threads?organization=${organization.id}`,
    );
    const stranger = await app.visitSignedIn(app.newPerson('Sam Stranger'));
    await createOrganization(stranger, 'Elsewhere');
    await stranger.page.goto(`/chat/${threads[0]?.id}`);
    await heading(stranger.page, 'Chat not found');
    await stranger.context.close();
  });

  it('asks in the workspace of its tab', async () => {
    const { id, slug } = await createWorkspace(owner, organization, 'Lab');
    await page.goto(`/chat?workspace=${slug}`);
    await ask(page, 'Where am I?');
    await whole(page);
    const { threads } = await owner.call<{ threads: { workspace: string }[] }>(
      'GET',
      `/api/threads?organization=${organization.id}`,
    );
    expect(threads[0]?.workspace).toBe(id);
  });

  const connect = (provider: string, status: string): Promise<unknown> =>
    app.query(
      `insert into org_connection_secret (id, organization_id, workspace_id, provider, name, kind, status, ciphertext, iv, auth_tag, key_version)
       select 'con_' || $2, $1, w.id, $2, 'default', 'code-host-token', $3, ''::bytea, decode(repeat('00', 12), 'hex'), decode(repeat('00', 16), 'hex'), 1 from workspace w where w.organization_id = $1 and w.kind = 'default'`,
      [organization.id, provider, status],
    );
  const card = (): Locator => page.getByRole('region', { name: 'Background run' });

  it(
    'hands a message to a background run, shows it to its end, and goes on from its answer',
    leaveOut(sandboxSkipReason),
    async () => {
      await page.goto('/chat?workspace=default');
      // Whatever was picked before.
      await page.evaluate('localStorage.clear()');
      await page.reload();
      await page.getByRole('button', { name: /^Model: Auto/ }).waitFor();
      await page.getByRole('radiogroup', { name: 'Response mode' }).getByText('Background').click();
      await page.getByText('A run works on it in the background').waitFor();
      await ask(page, 'Write a report about the files here');
      await page.getByRole('status').filter({ hasText: 'A background run has started.' }).waitFor();
      await card().getByText('Completed').waitFor({ timeout: 60_000 });
      await card().getByRole('status').filter({ hasText: 'The run is complete.' }).waitFor({ state: 'attached' });
      await card().locator('.markdown').waitFor();
      await card().getByRole('button', { description: 'Download' }).first().waitFor();
      const violations = await findViolations(page, { part: '.run-card' });
      expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
      await expect.poll(() => page.getByRole('radio', { name: 'Answer' }).isChecked()).toBe(true);

      await page.reload();
      await card().locator('.markdown').waitFor();
      await ask(page, 'Thank you');
      await answers(page).nth(1).locator('.markdown').waitFor();
      await card().getByRole('link', { name: 'Open run' }).click();
      await heading(page, 'Write a report about the files here');
    },
  );

  it('offers the capabilities of the workspace after an @, with the keyboard alone, and says why one cannot be used', async () => {
    await connect('github', 'valid');
    await connect('gitlab', 'expired');
    await page.goto('/chat?workspace=default');
    await field(page).pressSequentially('Look at @git');
    const list = page.getByRole('listbox', { name: 'Capabilities' });
    await list.getByRole('option', { name: /@github/ }).waitFor();
    await list
      .getByRole('option', { name: '@gitlab GitLab: The imported credentials have expired. Import new ones.' })
      .waitFor();
    await page.getByRole('status').filter({ hasText: '2 capabilities.' }).waitFor({ state: 'attached' });
    await expect
      .poll(() => field(page).getAttribute('aria-activedescendant'))
      .toBe(await list.getByRole('option', { name: /@github/ }).getAttribute('id'));
    const violations = await findViolations(page, { part: '.composer' });
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
    await page.keyboard.press('Escape');
    await expect.poll(() => list.count()).toBe(0);
    await field(page).fill('');
    await field(page).pressSequentially('Look at @git');
    await list.waitFor();
    await page.keyboard.press('Enter');
    await expect.poll(() => field(page).inputValue()).toBe('Look at @github ');
    await expect.poll(() => page.getByRole('radio', { name: 'Background' }).isChecked()).toBe(true);
  });

  it(
    'starts nothing for a capability that cannot be used, keeps the message, and answers it when told to',
    leaveOut(sandboxSkipReason),
    async () => {
      await page.goto('/chat?workspace=default');
      await ask(page, 'Ask @gitlab how it is');
      await page.getByText("The capability 'gitlab' is not available right now.").waitFor();
      await page.getByText('Connect the app under Integrations, or ask without it.').waitFor();
      await page.getByRole('button', { name: 'Answer without it' }).click();
      await answers(page).locator('.markdown').waitFor();
      await expect.poll(() => card().count()).toBe(0);
    },
  );

  it('has no fault that axe can find, in light and dark, and fits a phone', async () => {
    const faults: string[] = [];
    const look = async (where: string, part = 'body'): Promise<void> => {
      faults.push(...(await findFaults(page, where, part)));
    };
    await page.goto('/chat?workspace=default');
    await ask(page, 'Write some code');
    await whole(page);
    await look('an answer');
    await page.getByRole('button', { name: /^Model:/ }).click();
    await page.getByRole('option').first().waitFor();
    await look('the model picker');
    const gemini = page.getByRole('option', { name: /Gemini 2.5 Pro/ });
    await expect.poll(() => gemini.getAttribute('aria-disabled')).toBe('true');
    await gemini.getByText('Needs a Models account that serves it').waitFor();
    await page.getByRole('combobox', { name: 'Search models' }).fill('haiku');
    await page.keyboard.press('Alt+p');
    await page.getByRole('combobox', { name: 'Search models' }).fill('');
    await page.getByRole('group', { name: 'Pinned' }).getByRole('option', { name: /Haiku/ }).waitFor();
    await page.keyboard.press('Escape');
    await showOn(page, PHONE);
    await page.getByRole('button', { name: 'Chats' }).click();
    await page.getByRole('dialog', { name: 'Chats' }).getByRole('link', { name: 'New chat' }).waitFor();
    await look('the list on a phone', '[role="dialog"]');
    await page.keyboard.press('Escape');
    await showOn(page, NARROW);
    await expect.poll(() => widthOf(page)).toBeLessThanOrEqual(NARROW.width);
    await showOn(page, WIDE);
    expect(faults).toEqual([]);
  });
});
