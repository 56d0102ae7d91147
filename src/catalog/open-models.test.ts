import { mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { quiet } from '../../test/support/database.ts';
import { findModel } from './model-catalog.ts';
import { type OpenModels, openModels } from './open-models.ts';

const model = (id: string): object => ({
  id,
  name: id,
  contextWindow: 1000,
  providers: [{ provider: 'acme', model: id, zdr: false }],
});
const contentOf = (...ids: string[]): string => JSON.stringify({ models: ids.map(model) });

let directory: string;
let file: string;
let opened: OpenModels;
const log = { ...quiet, info: vi.fn(), error: vi.fn() };
const has = (id: string): boolean => findModel(opened.catalog, id) !== undefined;

beforeEach(async () => {
  vi.clearAllMocks();
  directory = await mkdtemp(join(tmpdir(), 'service-models-'));
  file = join(directory, 'models.json');
  // As a mounted ConfigMap: the path is a link, and the link is replaced.
  await writeFile(join(directory, 'first'), contentOf('a'));
  await symlink('first', file);
  opened = openModels({ SERVICE_MODEL_CATALOG: file, SERVICE_MODEL_PRICES: undefined }, log, 5);
});
afterEach(async () => {
  await opened.close();
  await rm(directory, { recursive: true });
});

async function replaceBy(content: string): Promise<void> {
  await writeFile(join(directory, 'next'), content);
  await symlink('next', join(directory, 'link'));
  await rename(join(directory, 'link'), file);
}

it('follows its file while it changes, beside the built-in models', async () => {
  expect([has('a'), has('openai/gpt-5')]).toEqual([true, true]);
  await replaceBy(contentOf('b'));
  await vi.waitUntil(() => has('b'));
  expect([has('a'), has('openai/gpt-5')]).toEqual([false, true]);
});

it('keeps the former catalogue if the file cannot be used, says so once, and recovers', async () => {
  await replaceBy('{"models":[{}]}');
  await vi.waitUntil(() => log.error.mock.calls.length > 0);
  expect(log.error.mock.calls[0]).toEqual([
    { reason: expect.stringMatching(/^SERVICE_MODEL_CATALOG takes a model catalogue .* models\.0\.id: /) },
    'model catalogue cannot be used; the former one stays in force',
  ]);
  expect(has('a')).toBe(true);
  await rm(file);
  await vi.waitUntil(() => log.error.mock.calls.length > 1);
  await symlink('first', file);
  await vi.waitUntil(() => log.info.mock.calls.length > 0);
  expect([has('a'), log.error.mock.calls.length]).toEqual([true, 2]);
});

it('is read again on request', async () => {
  opened.reload();
  expect(log.info).toHaveBeenCalledWith(expect.objectContaining({ fromFile: 1 }), 'model catalogue was read again');
});
