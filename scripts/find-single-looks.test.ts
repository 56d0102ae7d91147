import { expect, it } from 'vitest';
import { findSingleLooks } from './find-single-looks.ts';

const faultsOf = (text: string, path = 'test/browser/x.test.ts'): string[] => findSingleLooks([{ path, text }]);

it.each([
  ["expect(await page.getByRole('link', { name: 'Runs' }).count()).toBe(0);"],
  ["expect(await where.locator('option').allInnerTexts()).toEqual(['Lab']);"],
  ["expect(\n  await form.getByLabel('Name').inputValue(),\n).not.toBe('');"],
  ["for (const each of all) expect(await each.getAttribute('href')).toBe('/');"],
])('%s looks once', (text) => {
  expect(faultsOf(`\n${text}\n`)).toEqual([
    'test/browser/x.test.ts:2: looks once; await expect.poll(() => …) waits for the page',
  ]);
});

it.each([
  ["await expect.poll(() => page.getByRole('link').count()).toBe(0);"],
  ["expect(await findFaults(page, 'the form')).toEqual([]);\nawait expect.poll(() => field.inputValue()).toBe('');"],
  ["expect(await call('GET', '/api/me')).toEqual({});"],
])('%s does not', (text) => {
  expect(faultsOf(text)).toEqual([]);
});

it('is about browser tests only', () => {
  expect(faultsOf('expect(await rows.count()).toBe(1);', 'test/flows/x.test.ts')).toEqual([]);
});
