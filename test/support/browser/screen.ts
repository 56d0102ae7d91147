// The screens that pages are looked at on. A layout glides to its new width, so what is measured right after a change of
// size stands somewhere in between: showOn waits for its end, and the linter forbids to set a size in any other way.
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

export const WIDE = { width: 1280, height: 800 };
export const PHONE = { width: 390, height: 844 };
/** WCAG 1.4.10: at this width nothing may need scrolling sideways. */
export const NARROW = { width: 320, height: 640 };

export async function showOn(page: Page, screen: { width: number; height: number }): Promise<void> {
  // oxlint-disable-next-line no-restricted-properties -- This is the one place.
  await page.setViewportSize(screen);
  await transitionsEnded(page);
}

/** A page starts a transition on the next frame; endless animations do not count. */
export async function transitionsEnded(page: Page): Promise<void> {
  const running = (): Promise<number> =>
    page.evaluate<number>(`new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() =>
      resolve(document.getAnimations().filter((each) => each instanceof CSSTransition).length))))`);
  await expect.poll(running).toBe(0);
}

/** Asked from here, because the app's policy forbids the page to evaluate. */
export const widthOf = (page: Page): Promise<number> => page.evaluate<number>('document.documentElement.scrollWidth');
