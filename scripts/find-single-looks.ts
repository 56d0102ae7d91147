// Finds browser tests that look at a page once. What a page shows comes when it comes, so a test asks until it is there:
// `await expect.poll(() => rows.count()).toBe(2)`, never `expect(await rows.count()).toBe(2)`.
import type { TestFile } from './find-source-starts.ts';

/** What Playwright reads off an element at once, without waiting for what is expected of it. */
const LOOKS =
  'count|innerText|allInnerTexts|allTextContents|textContent|inputValue|isChecked|isDisabled|isEnabled|isVisible|getAttribute';
const SINGLE_LOOK = new RegExp(String.raw`\bexpect\(\s*await\s[^;]*?\.(?:${LOOKS})\([^;]*?\),?\s*\)\s*\.`, 'g');

export function findSingleLooks(files: readonly TestFile[]): string[] {
  return files
    .filter(({ path }) => path.startsWith('test/browser/'))
    .flatMap(({ path, text }) =>
      Array.from(
        text.matchAll(SINGLE_LOOK),
        ({ index }) =>
          `${path}:${text.slice(0, index).split('\n').length}: looks once; await expect.poll(() => …) waits for the page`,
      ),
    );
}
