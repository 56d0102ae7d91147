// Pictures of a page for people to look at: in light and dark, and on a phone. Written only when SERVICE_TEST_PICTURES names
// a directory; no test depends on them.
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { PHONE, showOn, WIDE } from './screen.ts';

const DIRECTORY = process.env['SERVICE_TEST_PICTURES'];
const LOOKS = [
  { name: 'light', scheme: 'light', size: { width: 1440, height: 900 } },
  { name: 'dark', scheme: 'dark', size: { width: 1440, height: 900 } },
  { name: 'phone', scheme: 'light', size: PHONE },
] as const;

export async function takePictures(page: Page, name: string): Promise<void> {
  if (DIRECTORY === undefined) return;
  for (const { name: look, scheme, size } of LOOKS) {
    await page.emulateMedia({ colorScheme: scheme });
    await showOn(page, size);
    await page.screenshot({ path: join(DIRECTORY, `${name}-${look}.png`), fullPage: true });
  }
  await page.emulateMedia({ colorScheme: 'light' });
  await showOn(page, WIDE);
}
