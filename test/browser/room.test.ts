// Room for the answer, whichever way it is written: right to left, rails that fold, a composer of one row, and keys for
// all of it.
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { findFaults } from '../support/browser/axe.ts';
import {
  createWorkspace,
  describeInBrowser,
  heading,
  openAsOwner,
  type OwnersApp,
} from '../support/browser/browser.ts';
import { answers, field, storeChat } from '../support/browser/chat-page.ts';
import { showOn, WIDE } from '../support/browser/screen.ts';

const FENCE = '```';
const ZOOMED = { width: 640, height: 400 };

const SCRIPTS = {
  Arabic: { title: 'عنوان المحادثة', text: 'مرحبا بالعالم', other: 'تفاح' },
  Hebrew: { title: 'כותרת השיחה', text: 'שלום עולם', other: 'תפוח' },
} as const;

const answerIn = ({ text, other }: (typeof SCRIPTS)[keyof typeof SCRIPTS]): string => `${text}

An English paragraph.

\`npm ci\` ${text} with English

- ${text}
- second

> ${text}

| ${text} | ${other} |
|---|---|
| ${other} | 3 |

${FENCE}js
const a = 1;
${FENCE}
`;

/** The direction of every block, and on which side of its box its text begins. */
const LAYOUT = `(() => {
  const answer = document.querySelector('.answer .markdown');
  const side = (element) => {
    const range = document.createRange();
    range.selectNodeContents(element);
    const [text, box] = [range.getBoundingClientRect(), element.getBoundingClientRect()];
    return text.left - box.left < box.right - text.right ? 'left' : 'right';
  };
  const look = (element) => getComputedStyle(element).direction + ' ' + side(element);
  const all = (selector) => [...answer.querySelectorAll(selector)];
  const [quote] = all('blockquote');
  const [first, second] = all('th');
  return {
    paragraphs: all(':scope > p').map(look),
    items: all('li').map(look),
    marks: all('li').map((item) => {
      const [own, list] = [item.getBoundingClientRect(), item.parentElement.getBoundingClientRect()];
      return Math.round(own.left - list.left) + ' ' + Math.round(list.right - own.right);
    }),
    quote: getComputedStyle(quote).borderRightWidth + ' ' + getComputedStyle(quote).borderLeftWidth,
    columns: first.getBoundingClientRect().x > second.getBoundingClientRect().x ? 'from the right' : 'from the left',
    number: getComputedStyle(all('td')[1]).direction,
    code: [...all('p > code'), ...all('pre')].map((element) => getComputedStyle(element).direction),
  };
})()`;

/** The sides at which the lines of the person's message begin. */
const LINES = `(() => {
  const bubble = document.querySelector('.question-text');
  const box = bubble.getBoundingClientRect();
  const text = bubble.firstChild;
  return text.data.split('\\n').map((line) => {
    const range = document.createRange();
    range.setStart(text, text.data.indexOf(line));
    range.setEnd(text, text.data.indexOf(line) + line.length);
    const { left, right } = range.getBoundingClientRect();
    return Math.abs(left - box.left) < Math.abs(box.right - right) ? 'left' : 'right';
  });
})()`;

/** The order on the screen, from the left, of pieces of the text of the element of this kind that has the first of them. */
const orderOf = (page: Page, selector: string, pieces: readonly string[]): Promise<string[]> =>
  page.evaluate<string[]>(`(() => {
    const pieces = ${JSON.stringify(pieces)};
    const root = [...document.querySelectorAll('${selector}')].find((each) => each.textContent.includes(pieces[0]));
    const leftOf = (piece) => {
      const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
      while (texts.nextNode()) {
        const at = texts.currentNode.data.indexOf(piece);
        if (at < 0) continue;
        const range = document.createRange();
        range.setStart(texts.currentNode, at);
        range.setEnd(texts.currentNode, at + piece.length);
        return range.getBoundingClientRect().left;
      }
    };
    return pieces.toSorted((one, other) => leftOf(one) - leftOf(other));
  })()`);

describeInBrowser('room for an answer', () => {
  let at = {} as OwnersApp;
  let page: Page;
  openAsOwner('Romy Room', 'Rooms', (opened) => {
    at = opened;
    page = opened.page;
  });
  const open = async (chat: Parameters<typeof storeChat>[1]): Promise<string> => {
    const thread = await storeChat(at, chat);
    await page.goto(`/chat/${thread}`);
    await answers(page).locator('.markdown').waitFor();
    return thread;
  };
  const directionOf = (selector: string): Promise<string> =>
    page.evaluate<string>(`getComputedStyle(document.querySelector('${selector}')).direction`);
  const focused = (): Promise<string> => page.evaluate<string>('document.activeElement.textContent');
  const text = (content: string): { type: string; text: string } => ({ type: 'text', text: content });

  it.each(Object.entries(SCRIPTS))(
    'lays out %s from right to left, and what is not where it stands',
    async (_, script) => {
      await open({
        title: script.title,
        question: `${script.text}\nand a much longer line in English, as wide as the others together\nshort`,
        answer: [text(answerIn(script))],
      });
      await expect
        .poll(() => page.evaluate(LAYOUT))
        .toEqual({
          paragraphs: ['rtl right', 'ltr left', 'rtl right'],
          items: ['rtl right', 'ltr left'],
          marks: ['0 24', '24 0'],
          quote: '3px 0px',
          columns: 'from the right',
          number: 'rtl',
          code: ['ltr', 'ltr'],
        });
      const lines = await page.evaluate<string[]>(LINES);
      expect([lines[0], lines[2]]).toEqual(['right', 'left']);
      await heading(page, script.title);
      await expect.poll(() => directionOf('h1')).toBe('rtl');
      await expect.poll(() => directionOf('.thread[data-current] .thread-link')).toBe('rtl');
      await field(page).fill(script.text);
      await expect.poll(() => directionOf('#prompt')).toBe('rtl');
      await field(page).fill('English');
      await expect.poll(() => directionOf('#prompt')).toBe('ltr');
      await field(page).fill('');
      expect(await findFaults(page, 'a chat from right to left')).toEqual([]);
    },
  );

  it('keeps a name from right to left together in menus, dialogs and notices', async () => {
    const { title } = SCRIPTS.Hebrew;
    await open({ title: `${title}!`, answer: [text('Yes.')] });
    const workspace = await createWorkspace(at.owner, at.organization, `${SCRIPTS.Arabic.other}!`);
    await page.goto(`/workspaces?org=${at.organization.slug}&workspace=${workspace.slug}`);
    await page.getByRole('button', { name: /^Workspace:/ }).click();
    const { other } = SCRIPTS.Arabic;
    await page.getByRole('menuitem', { name: other }).waitFor();
    await expect.poll(() => orderOf(page, '[role="menuitem"]', [other, '!'])).toEqual(['!', other]);
    await page.keyboard.press('Escape');

    await page.goto('/chat');
    const chat = page.getByRole('navigation', { name: 'Chats' }).locator('.thread', { hasText: `${title}!` });
    await chat.getByRole('button').click();
    await page.getByRole('menuitem', { name: /^Delete/ }).click();
    await page.getByRole('dialog').waitFor();
    await expect
      .poll(() => orderOf(page, '.mantine-Modal-title', [title, '?', 'Delete', '!']))
      .toEqual(['Delete', '!', title, '?']);
    await page.keyboard.press('Escape');
  });

  it('moves the navigation at once for those who want less motion', async () => {
    const duration = (): Promise<string> =>
      page.evaluate<string>(
        "getComputedStyle(document.querySelector('.mantine-AppShell-root')).getPropertyValue('--app-shell-transition-duration')",
      );
    await expect.poll(duration).toBe('0ms');
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    await expect.poll(duration).toBe('200ms');
    await page.emulateMedia({ reducedMotion: 'reduce' });
  });

  it.each([{ width: 1024, height: 768 }, ZOOMED])(
    'has two thirds of $width × $height pixels, and a composer of one row that grows',
    async (screen) => {
      await showOn(page, screen);
      await open({ title: 'A long answer', answer: [text('Many words. '.repeat(400))] });
      const boxOf = async (selector: string): Promise<{ width: number; height: number }> => {
        const box = await page.locator(selector).boundingBox();
        return box ?? { width: 0, height: 0 };
      };
      await page.getByRole('button', { name: /^Model:/ }).waitFor();
      expect((await boxOf('.answer .markdown')).width).toBeGreaterThanOrEqual((screen.width * 2) / 3);
      expect((await boxOf('.chat-scroll')).height).toBeGreaterThanOrEqual((screen.height * 2) / 3);
      const before = (await boxOf('.composer')).height;
      expect(before).toBeLessThan(64);
      await field(page).fill('A message that has no room beside the buttons. '.repeat(4));
      expect((await boxOf('.composer')).height).toBeGreaterThan(before + 30);
      await field(page).fill('');
      await expect.poll(async () => (await boxOf('.composer')).height).toBe(before);
      await showOn(page, WIDE);
    },
  );

  it('folds both rails by button and by key, and a reload never shows them otherwise', async () => {
    await open({ title: 'Wide', answer: [text('Some words.')] });
    const navigation = page.getByRole('navigation', { name: 'Main navigation' });
    const list = page.getByRole('navigation', { name: 'Chats' });
    const widthOf = async (): Promise<number | undefined> => (await navigation.boundingBox())?.width;
    await page.getByRole('button', { name: 'Fold the navigation' }).click();
    await expect.poll(widthOf).toBe(56);
    await page.getByRole('button', { name: 'Fold the list of chats' }).click();
    await list.waitFor({ state: 'detached' });
    expect(await findFaults(page, 'a chat between folded rails')).toEqual([]);
    // Folded, its links still have their names.
    await navigation.getByRole('link', { name: 'Receipts' }).waitFor();

    await page.addInitScript(`window.widths = new Set();
      new MutationObserver(() => {
        for (const rail of document.querySelectorAll('nav.rail')) window.widths.add(rail.offsetWidth);
        if (document.querySelector('.chat-side')) window.widths.add('list');
      }).observe(document, { subtree: true, childList: true, attributes: true })`);
    await page.reload();
    await answers(page).locator('.markdown').waitFor();
    await expect.poll(() => page.evaluate('[...window.widths]')).toEqual([56]);

    await field(page).focus();
    await page.keyboard.press('Control+.');
    await page.keyboard.press('Control+Shift+.');
    await list.waitFor();
    await expect.poll(widthOf).toBe(264);
    await expect.poll(() => field(page).inputValue()).toBe('');
  });

  it('is reached by keys: a new chat, the chats around it, the last answer, the list of all keys', async () => {
    await at.owner.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await open({ title: 'The earlier', answer: [text('**Earlier**')] });
    await open({ title: 'The later', answer: [text('**Later**')] });
    await field(page).focus();
    await page.keyboard.press('Control+Alt+x');
    await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toBe('**Later**');
    await page.getByText('The last answer is copied.').waitFor();
    await page.keyboard.press('Alt+PageDown');
    await heading(page, 'The earlier');
    await page.keyboard.press('Alt+PageUp');
    await heading(page, 'The later');
    await field(page).fill('');
    await page.keyboard.type('? g c /');
    await expect.poll(() => field(page).inputValue()).toBe('? g c /');
    await field(page).fill('');
    await page.keyboard.press('Control+Alt+o');
    await heading(page, 'New chat');
    await expect.poll(() => page.evaluate<string>('document.activeElement.id')).toBe('prompt');

    await page.goto('/workspaces');
    await heading(page, 'Workspaces');
    await page.keyboard.press('?');
    const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await help.getByText('Copy the last answer').waitFor();
    expect(await findFaults(page, 'the list of keys', '[role="dialog"]')).toEqual([]);
    // What is open keeps the page behind it as it is.
    await page.keyboard.press('Control+Alt+o');
    await help.waitFor();
    await page.keyboard.press('Escape');
    await help.waitFor({ state: 'hidden' });
    await page.keyboard.press('Control+Alt+o');
    await heading(page, 'New chat');
    await expect.poll(() => page.evaluate<string>('document.activeElement.id')).toBe('prompt');
  });

  it('the list of chats is one stop, with arrow keys inside, and is skipped by a link', async () => {
    for (const title of ['First chat', 'Second chat']) await storeChat(at, { title, answer: [text('Words.')] });
    await open({ title: 'Third chat', answer: [text('Words.')] });
    const stops = page.locator('.threads [data-stop]');
    await expect.poll(() => stops.count()).toBeGreaterThan(2);
    await expect
      .poll(() => page.locator('.thread [tabindex="0"], .thread button:not([tabindex="-1"])').count())
      .toBe(1);
    await page.locator('.threads [data-stop][tabindex="0"]').focus();
    await expect.poll(() => focused()).toBe('Third chat');
    await page.keyboard.press('End');
    const last = await focused();
    await page.keyboard.press('Home');
    await expect.poll(() => focused()).toBe('Third chat');
    expect(last).not.toBe('Third chat');
    await page.keyboard.press('ArrowDown');
    const second = await focused();
    expect(second).not.toBe('Third chat');
    await page.keyboard.press('ArrowRight');
    await page.getByRole('menuitem', { name: 'Rename' }).waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => page.evaluate<string>('document.activeElement.ariaLabel')).toContain(second);
    await page.keyboard.press('ArrowUp');
    await expect.poll(() => focused()).toBe('Third chat');

    await page.reload();
    await answers(page).locator('.markdown').waitFor();
    await page.keyboard.press('Tab');
    await expect.poll(focused).toBe('Skip to the conversation');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.evaluate<string>('document.activeElement.id')).toBe('conversation');
    await page.keyboard.press('Tab');
    await expect.poll(focused).toBe('Skip to the message field');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.evaluate<string>('document.activeElement.id')).toBe('prompt');
  });

  it('finds a chat that was opened before the page of the same name', async () => {
    const thread = await open({ title: 'Runs', answer: [text('Words.')] });
    // What is typed before the chats are here keeps what it selected first.
    const listed = page.waitForResponse((response) => new URL(response.url()).pathname.endsWith('/threads'));
    await page.goto('/workspaces');
    await heading(page, 'Workspaces');
    await page.keyboard.press('Control+k');
    const palette = page.getByRole('dialog', { name: 'Command palette' });
    await (await listed).finished();
    await palette.getByPlaceholder('Search and go to…').fill('runs');
    await expect.poll(() => palette.getByText('Runs', { exact: true }).count()).toBe(2);
    await page.keyboard.press('Enter');
    await page.waitForURL(new RegExp(`/chat/${thread}`));
  });
});
