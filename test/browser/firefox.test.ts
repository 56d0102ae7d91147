// Every page in a second browser engine: it opens, fits its window, and nothing fails on the way. What the pages do is
// tested in Chromium.
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { type Firefox, launchFirefox } from '../support/browser/firefox.ts';
import { needs } from '../support/needs.ts';
import { FOR_ALL, INSIDE, OUTSIDE, SETTINGS } from '../support/page-stops.ts';
import { askForSharedStack } from '../support/stack/shared-stack.ts';

const SIZES = [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
] as const;

type Page = readonly [path: string, heading: string | RegExp];

const outside: readonly Page[] = OUTSIDE.map(({ path, heading }) => [path, heading]);
const inside: Readonly<Record<string, readonly Page[]>> = {
  'of an organization': [
    ...new Map<string, string | RegExp>([
      ...Object.values(INSIDE)
        .flat()
        .map(({ path, heading }) => [path, heading] as const),
      ...Object.entries(FOR_ALL),
    ]),
  ],
  'of its settings': Object.entries(SETTINGS).map(([name, heading]) => [`/organization/settings/${name}`, heading]),
};
/** Answers that the pages ask for: whether anyone is signed in, and what the stops at missing things lead to. */
const isExpected = (complaint: string): boolean =>
  /^401 \S+\/api\/me$|^404 \S+\/(?:api|runtime|connect)\/\S*(?:nowhere|none)/.test(complaint);

describe('Firefox', needs('firefox-esr'), () => {
  let firefox: Firefox;
  let origin: string;
  beforeAll(async () => {
    const [stack, launched] = await Promise.all([askForSharedStack(inject('sharedStackUrl')), launchFirefox()]);
    origin = stack.url;
    firefox = launched;
  });
  afterAll(() => firefox?.close());

  /** What is wrong with a page, at both sizes. */
  async function faultsOf([path, heading]: Page): Promise<string[]> {
    const { page } = firefox;
    await page.resize(SIZES[0]);
    await page.goto(`${origin}${path}`);
    const shown = (): Promise<string[]> =>
      page.evaluate("[...document.querySelectorAll('h1')].map((heading) => heading.textContent.trim())");
    const matches = (names: readonly string[]): boolean =>
      names.some((name) => (typeof heading === 'string' ? name === heading : heading.test(name)));
    await expect.poll(shown, { message: path }).toSatisfy(matches);
    const faults: string[] = [];
    for (const size of SIZES) {
      await page.resize(size);
      const width = (): Promise<number> => page.evaluate('document.documentElement.scrollWidth');
      await expect
        .poll(width, { timeout: 5_000 })
        .toBeLessThanOrEqual(size.width)
        .catch(() => faults.push(`${path} scrolls sideways at ${size.width}`));
    }
    const complaints = page.takeComplaints().filter((complaint) => !isExpected(complaint));
    return [...faults, ...complaints.map((complaint) => `${path}: ${complaint}`)];
  }

  async function faultsOfAll(pages: readonly Page[]): Promise<string[]> {
    const faults: string[] = [];
    for (const page of pages) faults.push(...(await faultsOf(page)));
    return faults;
  }

  /** A call of the API with the session of the browser. */
  function post<T>(path: string, body: unknown): Promise<T> {
    const options = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
    return firefox.page.evaluate<T>(
      `fetch(${JSON.stringify(path)}, ${JSON.stringify(options)}).then((answer) => answer.json())`,
    );
  }

  it('opens the pages before signing in', async () => {
    expect(await faultsOfAll(outside)).toEqual([]);
  });

  it('signs up', async () => {
    const { user } = await post<{ user: { id: string } }>('/api/auth/sign-up/email', {
      name: 'Finn Fox',
      email: `finn.${randomBytes(4).toString('hex')}@example.test`,
      password: 'correct horse battery',
    });
    expect(user.id).toEqual(expect.any(String));
    const { organization } = await post<{ organization: { id: string } }>('/api/organizations', { name: 'Foxes' });
    await post(`/api/organizations/${organization.id}/workspaces`, { name: 'Lab' });
    expect(firefox.page.takeComplaints()).toEqual([]);
  });

  it.each(Object.entries(inside))('opens every page %s', async (_, pages) => {
    expect(await faultsOfAll(pages)).toEqual([]);
  });

  it('shows an answer as it is written', async () => {
    const { page } = firefox;
    await page.resize(SIZES[0]);
    await page.goto(`${origin}/chat`);
    await expect.poll(() => page.evaluate<boolean>("document.querySelector('.composer-field') !== null")).toBe(true);
    await page.evaluate(`(() => {
      window.lengths = new Set();
      new MutationObserver(() => {
        const answer = document.querySelector('[data-role="assistant"] .markdown');
        if (answer) window.lengths.add(answer.textContent.length);
      }).observe(document.body, { subtree: true, childList: true, characterData: true });
      document.querySelector('.composer textarea').focus();
    })()`);
    await page.type('Write a long text of 80 words\uE007');
    const done = (): Promise<boolean> =>
      page.evaluate(
        "[...document.querySelectorAll('output, [role=status]')].some((said) => said.textContent.includes('The answer is complete.'))",
      );
    await expect.poll(done).toBe(true);
    await expect.poll(() => page.evaluate<number>('window.lengths.size')).toBeGreaterThan(5);
    expect(page.takeComplaints()).toEqual([]);
  });
});
