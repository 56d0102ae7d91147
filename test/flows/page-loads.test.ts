// What a first visit loads, as the build has compressed it, stays within its bounds.
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { PAGE_LOADS } from '../../web/page-loads.ts';

const dist = join(import.meta.dirname, '..', '..', 'dist');

it.each(Object.entries(PAGE_LOADS))('%s loads no more than it may', async (name, { scriptKb, files: most }) => {
  const loads = JSON.parse(await readFile(join(dist, 'page-loads.json'), 'utf8')) as Record<string, string[]>;
  const files = loads[name] ?? [];
  const sizes = await Promise.all(files.map(async (file) => (await stat(join(dist, 'public', `${file}.br`))).size));
  expect(files.length).toBeGreaterThan(0);
  expect(files.length).toBeLessThanOrEqual(most);
  expect(sizes.reduce((sum, size) => sum + size, 0) / 1_000).toBeLessThanOrEqual(scriptKb);
});
