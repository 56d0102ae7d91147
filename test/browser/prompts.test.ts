// Saved prompts, custom instructions and answer settings, as a person uses them: with the keyboard, and on a phone.
import type { Page, Route } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { faultsOf, findFaults } from '../support/browser/axe.ts';
import {
  createOrganization,
  describeInBrowser,
  failUntilPressed,
  heading,
  openWebApp,
  type WebAppUnderTest,
  openAsOwner,
  type OwnersApp,
} from '../support/browser/browser.ts';
import { answers, field, whole } from '../support/browser/chat-page.ts';
import { NARROW, PHONE, showOn, widthOf } from '../support/browser/screen.ts';

const focused = (page: Page): Promise<string> =>
  page.evaluate<string>('document.activeElement.labels?.[0]?.innerText ?? document.activeElement.innerText');

describeInBrowser('prompts', () => {
  let { owner, organization, page } = {} as OwnersApp;
  openAsOwner('Petra Prompt', 'Prompters', (at) => ({ owner, organization, page } = at));

  it('start with an example, by keyboard', async () => {
    await page.goto('/prompts');
    await heading(page, 'Prompts');
    await page.getByRole('button', { name: 'Start with this example' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'New prompt' }).waitFor();
    await expect.poll(() => page.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('translate');
    await page.getByText('Asks for: language, text').waitFor();
    await page.getByRole('textbox', { name: 'Name' }).press('Enter');
    await page.getByRole('listitem').filter({ hasText: '/translate' }).waitFor();
    // What is refused stays, with the reason.
    await page.getByRole('button', { name: 'New prompt' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('translate');
    await page.getByRole('textbox', { name: 'Text' }).fill('Another');
    await page.getByRole('button', { name: 'Save prompt' }).click();
    await page.getByRole('alert').filter({ hasText: 'There is a prompt with this name already.' }).waitFor();
    await page.getByRole('textbox', { name: 'Name' }).fill('Not a name');
    await page.getByRole('button', { name: 'Save prompt' }).click();
    await page.getByText('Use lower-case letters').waitFor();
    await page.keyboard.press('Escape');
  });

  it('are used with a slash: filtered, filled in, put into the message and not sent', async () => {
    await owner.call('POST', '/api/prompts', { organization: organization.id, name: 'brief', text: 'Be brief:' });
    await page.goto('/chat');
    await heading(page, 'New chat');
    await field(page).focus();
    await page.keyboard.type('/');
    const list = page.getByRole('listbox', { name: 'Prompts' });
    await expect
      .poll(() => list.getByRole('option').locator('.mention-key').allInnerTexts())
      .toEqual(['/brief', '/translate', '/run', 'Manage prompts']);
    await expect.poll(() => list.getByRole('option', { selected: true }).innerText()).toContain('/brief');
    expect(await findFaults(page, 'the list of prompts')).toEqual([]);
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => list.getByRole('option', { selected: true }).innerText()).toContain('/translate');
    await expect
      .poll(() =>
        page.evaluate<string>(
          'document.getElementById(document.activeElement.getAttribute("aria-activedescendant"))?.innerText ?? ""',
        ),
      )
      .toContain('/translate');
    await page.keyboard.press('Escape');
    await expect.poll(() => list.count()).toBe(0);
    await page.keyboard.press('Backspace');
    await page.keyboard.type('/tra');
    await expect.poll(() => list.getByRole('option').count()).toBe(1);
    await page.keyboard.press('Tab');

    const fields = page.getByRole('group', { name: 'Fill in /translate' });
    await fields.waitFor();
    await expect.poll(() => focused(page)).toBe('language');
    expect(await findFaults(page, 'the fields of a prompt')).toEqual([]);
    await page.keyboard.type('French');
    await page.keyboard.press('Tab');
    await page.keyboard.type('Good morning');
    await page.keyboard.press('Enter');
    await expect.poll(() => field(page).inputValue()).toBe('Translate into French:\n\nGood morning');
    await expect.poll(() => focused(page)).toBe('Message');
    await expect.poll(() => answers(page).count()).toBe(0);
    await page.keyboard.press('Enter');
    await whole(page);
  });

  it('without variables are put in at once, before what follows; Escape leaves the message alone', async () => {
    await page.goto('/chat');
    await field(page).fill('this text');
    await field(page).press('Home');
    await page.keyboard.type('/br');
    await page.getByRole('option', { name: /brief/ }).waitFor();
    await page.keyboard.press('Backspace');
    await page.keyboard.press('Backspace');
    await page.keyboard.press('Backspace');
    await page.keyboard.type('/br ');
    await field(page).press('Home');
    for (const _ of '/br') await page.keyboard.press('ArrowRight');
    await page.getByRole('option', { name: /brief/ }).click();
    await expect.poll(() => field(page).inputValue()).toBe('Be brief:\n\nthis text');
    await field(page).fill('');
    await page.keyboard.type('/translate');
    await page.keyboard.press('Enter');
    await page.getByRole('group', { name: 'Fill in /translate' }).waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => page.getByRole('group', { name: 'Fill in /translate' }).count()).toBe(0);
    await expect.poll(() => focused(page)).toBe('Message');
    await expect.poll(() => field(page).inputValue()).toBe('/translate');
    await field(page).fill('');
  });

  it('are not sent as a message when Enter is faster than their list', async () => {
    await page.goto('/chat');
    const read = Promise.withResolvers<void>();
    await page.route('**/api/prompts?*', async (route) => {
      await read.promise;
      await route.continue();
    });
    await field(page).pressSequentially('/translate');
    await page.keyboard.press('Enter');
    await expect.poll(() => field(page).inputValue()).toBe('/translate');
    read.resolve();
    await page.getByRole('group', { name: 'Fill in /translate' }).waitFor();
    await expect.poll(() => answers(page).count()).toBe(0);
    await page.keyboard.press('Escape');
    await page.unroute('**/api/prompts?*');
    await field(page).fill('');
  });

  it.each([
    ['it names none of them', (route: Route) => route.continue()],
    ['they cannot be read', (route: Route) => route.fulfill({ status: 500, body: '{}' })],
  ])('one Enter sends the message once their list is there, if %s', async (_, answer) => {
    await page.goto('/chat');
    const read = Promise.withResolvers<void>();
    await page.route('**/api/prompts?*', async (route) => {
      await read.promise;
      await answer(route);
    });
    await field(page).pressSequentially('/nothing-like-it');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await expect.poll(() => field(page).inputValue()).toBe('/nothing-like-it');
    read.resolve();
    await whole(page);
    await expect
      .poll(() => page.locator('[data-role="user"]').allInnerTexts())
      .toEqual([expect.stringContaining('/nothing-like-it')]);
    await expect.poll(() => field(page).inputValue()).toBe('');
    await page.unroute('**/api/prompts?*');
  });

  it('are saved from a message, edited, and deleted after a confirmation', async () => {
    await page.goto('/chat');
    await field(page).fill('Summarize the meeting notes');
    await page.keyboard.press('Enter');
    await whole(page);
    await page.locator('[data-role="user"]').getByRole('button', { name: 'More actions for this message' }).click();
    await page.getByRole('menuitem', { name: 'Save as prompt' }).click();
    await expect
      .poll(() => page.getByRole('textbox', { name: 'Name' }).inputValue())
      .toBe('summarize-the-meeting-notes');
    await page.getByRole('combobox', { name: 'Who can use it' }).selectOption({ label: 'Everyone in Default' });
    await page.getByRole('button', { name: 'Save prompt' }).click();
    await page.getByText('Saved. Type /summarize-the-meeting-notes').waitFor();

    await page.keyboard.press('Control+k');
    await page.getByRole('dialog', { name: 'Command palette' }).waitFor();
    await page.keyboard.type('prompts');
    await page.getByRole('button', { name: 'Prompts', exact: true }).click();
    await heading(page, 'Prompts');
    const row = page.getByRole('listitem').filter({ hasText: '/summarize-the-meeting-notes' });
    await row.getByText('Shared in Default').waitFor();
    await row.getByRole('button', { name: 'Edit' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('summarize');
    await page.getByRole('button', { name: 'Save changes' }).click();
    const renamed = page.getByRole('listitem').filter({ hasText: '/summarize' });
    await renamed.getByRole('button', { name: 'Delete /summarize' }).click();
    await page.getByRole('dialog').getByText('for everyone in Default').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('searchbox', { name: 'Search prompts' }).fill('meeting');
    await expect.poll(() => page.getByRole('list', { name: 'Prompts' }).getByRole('listitem').count()).toBe(1);
    await renamed.getByRole('button', { name: 'Delete /summarize' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('No prompts match').waitFor();
  });

  it('and custom instructions have no fault that axe can find, and fit a narrow screen', async () => {
    const opens = (button: string, dialog: string) => async (on: Page) => {
      await on.getByRole('button', { name: button }).click();
      await on.getByRole('dialog', { name: dialog }).waitFor();
    };
    expect(
      await faultsOf(page, [
        { path: '/prompts', heading: 'Prompts' },
        { path: '/prompts', heading: 'Prompts', open: opens('New prompt', 'New prompt') },
        { path: '/prompts', heading: 'Prompts', open: opens('Edit /brief', 'Edit /brief') },
        { path: '/prompts', heading: 'Prompts', open: opens('Delete /brief', 'Delete /brief?') },
        { path: '/account', heading: 'Account' },
        { path: '/chat', heading: 'New chat', open: opens('Answer settings', 'Answer settings') },
      ]),
    ).toEqual([]);
  });

  it('say what could not be loaded, and load it on request; the greeting does not wait for the models', async () => {
    const reads = /\/api\/(?:prompts|threads|models)\?/;
    await failUntilPressed(page, reads, 500);
    await page.goto('/chat');
    await page.getByRole('alert').filter({ hasText: 'Your chats could not be loaded' }).waitFor();
    await page.getByRole('alert').filter({ hasText: 'The models could not be loaded' }).waitFor();
    await page.getByText('so demo models answer').waitFor();
    await page.goto('/prompts');
    const failure = page.getByRole('alert').filter({ hasText: 'Your prompts could not be loaded' });
    await failure.waitFor();
    await failure.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('listitem').filter({ hasText: '/brief' }).waitFor();
    await page.unroute(reads);
  });

  it('custom instructions are kept, on or off', async () => {
    await page.goto('/account');
    await page.getByRole('textbox', { name: 'Instructions' }).fill('Answer in German.');
    await page.getByRole('button', { name: 'Save instructions' }).click();
    await page.getByText('Custom instructions saved.').waitFor();
    await page.reload();
    await expect.poll(() => page.getByRole('textbox', { name: 'Instructions' }).inputValue()).toBe('Answer in German.');
    await page.getByRole('checkbox', { name: 'Use them for every answer' }).uncheck();
    await page.getByRole('button', { name: 'Save instructions' }).click();
    await expect
      .poll(() => owner.call<{ instructions: object }>('GET', `/api/me/instructions?organization=${organization.id}`))
      .toEqual({ instructions: { text: 'Answer in German.', enabled: false } });
  });
});

describeInBrowser('answer settings', () => {
  let app: WebAppUnderTest;
  let page: Page;
  beforeAll(async () => {
    app = await openWebApp();
    const owner = await app.visitSignedIn(app.newPerson('Effie Effort'));
    await createOrganization(owner, 'Thinkers');
    page = owner.page;
  });
  afterAll(() => app?.close());

  const settings = () => page.getByRole('button', { name: /^Answer settings/ });
  async function pick(model: string): Promise<void> {
    await page.getByRole('button', { name: /^Model:/ }).click();
    await page.getByRole('combobox', { name: 'Search models' }).fill(model);
    await page.getByRole('option', { name: model }).first().click();
    await page.getByRole('button', { name: `Model: ${model}` }).waitFor();
  }

  it('are set with the keyboard, sent with the message, and kept with the chat', async () => {
    await page.goto('/chat');
    await heading(page, 'New chat');
    await pick('GPT-5 mini');
    await settings().focus();
    await page.keyboard.press('Enter');
    await page.getByRole('radio', { name: 'Default (Medium)' }).focus();
    for (const _ of ['Minimal', 'Low', 'Medium', 'High']) await page.keyboard.press('ArrowDown');
    await expect.poll(() => page.getByRole('radio', { name: 'High' }).isChecked()).toBe(true);
    await expect.poll(() => page.getByRole('slider').count()).toBe(0);
    await page.keyboard.press('Escape');
    await expect.poll(() => settings().innerText()).toContain('High');
    await field(page).fill('Make a list');
    await field(page).press('Enter');
    await whole(page);
    await answers(page).getByText('Effort: High').waitFor();
    await page.reload();
    await expect.poll(() => settings().innerText()).toContain('High');
    // A new chat starts without.
    await page.getByRole('link', { name: 'New chat' }).click();
    await heading(page, 'New chat');
    await expect.poll(() => settings().innerText()).not.toContain('High');
  });

  it('are shown only if the model takes them, and what it does not take is not sent', async () => {
    await page.goto('/chat');
    await pick('GPT-4.1');
    await settings().click();
    await expect.poll(() => page.getByRole('dialog').getByRole('radio').count()).toBe(0);
    await page.getByRole('checkbox', { name: 'Set a temperature' }).check();
    await page.getByRole('slider', { name: 'Temperature' }).focus();
    for (let step = 0; step < 5; step++) await page.keyboard.press('ArrowLeft');
    await expect.poll(() => settings().innerText()).toContain('0.5');
    await page.getByRole('button', { name: 'Done' }).click();
    await pick('GPT-5 mini');
    await expect.poll(() => settings().innerText()).not.toContain('0.5');
    await field(page).fill('Hello');
    await field(page).press('Enter');
    await whole(page);
    await expect.poll(() => answers(page).getByText('Temperature').count()).toBe(0);
  });
});

describeInBrowser('the composer on a phone', () => {
  let app: WebAppUnderTest;
  let page: Page;
  beforeAll(async () => {
    app = await openWebApp();
    const owner = await app.visitSignedIn(app.newPerson('Phil Phone'), {
      viewport: PHONE,
      hasTouch: true,
      isMobile: true,
    });
    await createOrganization(owner, 'Phones');
    page = owner.page;
  });
  afterAll(() => app?.close());

  /** The controls under the text, by row, each with its box. */
  const rows = async (): Promise<{ name: string; x: number; width: number; height: number; y: number }[]> =>
    page.evaluate(`[...document.querySelectorAll('.composer-bar > *')]
      .flatMap((each) => each.matches('.composer-send') ? [...each.children] : [each])
      .map((each) => ({ each, box: each.getBoundingClientRect() }))
      .filter(({ box }) => box.width > 0)
      .map(({ each, box }) => ({ name: each.innerText.trim() || each.ariaLabel, x: box.x, y: Math.round(box.y + box.height / 2), width: box.width, height: box.height }))`);

  it.each([390, 320])(
    'has at most two rows at %i pixels, Send first at the right, and targets of 40 pixels',
    async (width) => {
      await showOn(page, { width, height: 720 });
      await page.goto('/chat');
      await heading(page, 'New chat');
      await page.getByRole('button', { name: /^Model:/ }).waitFor();
      expect((await rows()).map(({ y }) => y)).toSatisfy((ys: number[]) => new Set(ys).size === 1);
      await field(page).fill('Write a long text of 1500 words');
      await page.getByRole('button', { name: /^Answer settings/ }).waitFor();
      const check = async (last: string): Promise<void> => {
        await expect.poll(async () => (await rows()).some(({ name }) => name === last)).toBe(true);
        const controls = await rows();
        const ys = [...new Set(controls.map(({ y }) => y))].toSorted((a, b) => a - b);
        expect(ys.length).toBeLessThanOrEqual(2);
        const first = controls.filter(({ y }) => y === ys[0]);
        const rightmost = first.toSorted((a, b) => b.x - a.x)[0];
        expect(rightmost?.name).toBe(last);
        expect((rightmost?.x ?? 0) + (rightmost?.width ?? 0)).toBeGreaterThan(width - 40);
        for (const { name, width: wide, height } of controls)
          expect([name, wide >= 40, height >= 40]).toEqual([name, true, true]);
        await expect.poll(() => widthOf(page)).toBeLessThanOrEqual(width);
      };
      await check('Send');
      await page.getByRole('button', { name: 'Send' }).click();
      await page.getByRole('button', { name: 'Stop' }).waitFor();
      await field(page).fill('And another');
      await check('Queue');
      await page.getByRole('button', { name: 'Stop' }).click();
      await whole(page);
    },
  );

  it('the list of models fits the screen', async () => {
    await showOn(page, NARROW);
    await page.goto('/chat');
    await page.getByRole('button', { name: /^Model:/ }).click();
    const search = page.getByRole('combobox', { name: 'Search models' });
    await expect.poll(() => search.boundingBox()).toSatisfy((box) => box.x >= 0 && box.x + box.width <= NARROW.width);
    await expect.poll(() => widthOf(page)).toBeLessThanOrEqual(320);
  });

  it('the list of chats is a drawer', async () => {
    await showOn(page, PHONE);
    await page.goto('/chat');
    await page.getByRole('button', { name: 'Chats' }).click();
    const drawer = page.getByRole('dialog', { name: 'Chats' });
    await drawer.getByRole('link', { name: 'New chat' }).waitFor();
    expect(await findFaults(page, 'the drawer', '[role="dialog"]')).toEqual([]);
    await page.keyboard.press('Escape');
    await expect.poll(() => drawer.count()).toBe(0);
  });
});
