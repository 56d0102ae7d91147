// Walks pages as axe sees them (WCAG 2.2 AA), in light and dark, and on a narrow screen.
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { heading } from './browser.ts';

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** WCAG 1.4.10: at this width nothing may need scrolling sideways. */
const NARROW = { width: 320, height: 640 };
const WIDE = { width: 1280, height: 800 };

export interface Stop {
  readonly path: string;
  readonly heading: string | RegExp;
  readonly act?: (page: Page) => Promise<void>;
  /** Opens something over the page; only that is then looked at, for the page itself is a stop of its own. */
  readonly open?: (page: Page) => Promise<void>;
}

/** Waits, because the layout glides to its new width; from here, because the app's policy forbids the page to evaluate. */
async function fitsNarrowScreen(page: Page): Promise<boolean> {
  await page.setViewportSize(NARROW);
  const width = (): Promise<number> => page.evaluate<number>('document.documentElement.scrollWidth');
  const fits = await expect
    .poll(width, { timeout: 5_000 })
    .toBeLessThanOrEqual(NARROW.width)
    .then(
      () => true,
      () => false,
    );
  await page.setViewportSize(WIDE);
  return fits;
}

/** What axe lets pass: two headings of one name, and a control that is called otherwise than the words on it say. */
const misnamedOn = (page: Page): Promise<string[]> =>
  page.evaluate<string[]>(`(() => {
    const headings = [...document.querySelectorAll('h1, h2')].map((heading) => heading.textContent);
    const controls = [...document.querySelectorAll('button[aria-label], a[aria-label]')].filter((control) => control.innerText.trim() !== '' && control.innerText.trim() !== control.ariaLabel);
    return [...headings.filter((name, at) => headings.indexOf(name) !== at).map((name) => 'two headings ' + name), ...controls.map((control) => control.innerText + ' is called ' + control.ariaLabel)];
  })()`);

/** There are no frames, so the extra page that gathers their results is not needed. */
function axe(page: Page, { open }: Stop): AxeBuilder {
  const builder = new AxeBuilder({ page }).setLegacyMode(true);
  return open === undefined ? builder : builder.include('[role="dialog"], [role="menu"]');
}

/** Goes to each, opens what is to be opened, and names every rule that is broken with the places that break it. */
export async function faultsOf(page: Page, stops: readonly Stop[]): Promise<string[]> {
  const faults: string[] = [];
  for (const stop of stops) {
    await page.emulateMedia({ colorScheme: 'light' });
    await page.goto(stop.path);
    await heading(page, stop.heading);
    await expect
      .poll(() => page.getByText('Loading…').or(page.getByLabel('Loading…')).count(), { timeout: 20_000 })
      .toBe(0);
    await stop.act?.(page);
    await stop.open?.(page);
    const light = await axe(page, stop).withTags(RULES).analyze();
    for (const fault of await misnamedOn(page)) faults.push(`${stop.path}: ${fault}`);
    if (stop.open === undefined && !(await fitsNarrowScreen(page)))
      faults.push(`${stop.path}: is wider than ${NARROW.width} pixels`);
    // Only colours differ in the dark.
    await page.emulateMedia({ colorScheme: 'dark' });
    const dark = await axe(page, stop).withRules('color-contrast').analyze();
    for (const [scheme, { violations }] of Object.entries({ light, dark })) {
      for (const { id, nodes } of violations)
        faults.push(
          `${stop.path} in ${scheme}: ${id}: ${nodes.map(({ html, any }) => `${html.slice(0, 160)} ${any[0]?.message ?? ''}`).join(' | ')}`,
        );
    }
  }
  return faults;
}
