// Walks pages as axe sees them (WCAG 2.2 AA), in light and dark, and on a narrow screen.
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { heading } from './browser.ts';
import { NARROW, showOn, transitionsEnded, WIDE, widthOf } from './screen.ts';

const RULES = { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] };
/** All that can differ between light and dark. */
const COLOR_RULES = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] };
const LOADING = /^(?:Loading…|Wird geladen\s…)$/;

export interface Stop {
  readonly path: string;
  readonly heading: string | RegExp;
  readonly act?: (page: Page) => Promise<void>;
  /** Opens something over the page; only that is then looked at, for the page itself is a stop of its own. */
  readonly open?: (page: Page) => Promise<void>;
}

/** What axe lets pass: two headings of one name, and a control that is called otherwise than the words on it say. */
const misnamedOn = (page: Page): Promise<string[]> =>
  page.evaluate<string[]>(`(() => {
    const headings = [...document.querySelectorAll('h1, h2')].map((heading) => heading.textContent);
    const controls = [...document.querySelectorAll('button[aria-label], a[aria-label]')].filter((control) => control.innerText.trim() !== '' && control.innerText.trim() !== control.ariaLabel);
    return [...headings.filter((name, at) => headings.indexOf(name) !== at).map((name) => 'two headings ' + name), ...controls.map((control) => control.innerText + ' is called ' + control.ariaLabel)];
  })()`);

export interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly any: readonly { readonly message: string }[] }[];
}

/**
 * Which rules the page breaks, or a part of it, and where. Without rules axe applies its default set. Its source
 * is handed to a document once: most of the time of a look would otherwise go into loading it again.
 */
export async function findViolations(
  page: Page,
  { part, rules }: { part?: string | undefined; rules?: typeof RULES } = {},
): Promise<Violation[]> {
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(axe.source);
  const options = { resultTypes: ['violations'], ...(rules ? { runOnly: rules } : {}) };
  const context = part === undefined ? 'document' : JSON.stringify({ include: [part] });
  return page.evaluate<Violation[]>(
    `axe.run(${context}, ${JSON.stringify(options)}).then(({ violations }) =>
      violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html, any }) => ({ html, any: any.map(({ message }) => ({ message })) })) })))`,
  );
}

/** What breaks a rule in light and in dark: one line per rule. */
export async function findFaults(page: Page, where: string, part?: string): Promise<string[]> {
  const faults: string[] = [];
  for (const [scheme, rules] of [
    ['light', RULES],
    ['dark', COLOR_RULES],
  ] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    // Colors fade from one scheme to the other, and in between their contrast is too low.
    await transitionsEnded(page);
    for (const { id, nodes } of await findViolations(page, { part, rules }))
      faults.push(
        `${where} in ${scheme}: ${id}: ${nodes.map(({ html, any }) => `${html.slice(0, 160)} ${any[0]?.message ?? ''}`).join(' | ')}`,
      );
  }
  await page.emulateMedia({ colorScheme: 'light' });
  return faults;
}

/** Goes to each, opens what is to be opened, and names every rule that is broken with the places that break it. */
export async function faultsOf(page: Page, stops: readonly Stop[]): Promise<string[]> {
  const faults: string[] = [];
  for (const stop of stops) {
    await page.emulateMedia({ colorScheme: 'light' });
    await page.goto(stop.path);
    await heading(page, stop.heading);
    await expect.poll(() => page.getByText(LOADING).or(page.getByLabel(LOADING)).count(), { timeout: 20_000 }).toBe(0);
    await stop.act?.(page);
    await stop.open?.(page);
    faults.push(...(await findFaults(page, stop.path, stop.open && '[role="dialog"], [role="menu"]')));
    for (const fault of await misnamedOn(page)) faults.push(`${stop.path}: ${fault}`);
    if (stop.open !== undefined) continue;
    await showOn(page, NARROW);
    await expect
      .poll(() => widthOf(page), { timeout: 5_000 })
      .toBeLessThanOrEqual(NARROW.width)
      .catch(() => faults.push(`${stop.path}: is wider than ${NARROW.width} pixels`));
    await showOn(page, WIDE);
  }
  return faults;
}
