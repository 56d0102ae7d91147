import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { seal } from '../base/seal.ts';
import { createSecretCache } from './sealed-secrets.ts';

const KEY = randomBytes(32);
const CONTEXT = ['provider-key', 'org', 'ws', 'openai'];

it('opens a secret sealed with its key for its row, and nothing else', () => {
  expect(createSecretCache(KEY)(seal(KEY, 'sk-1', CONTEXT), CONTEXT)).toBe('sk-1');
  expect(
    createSecretCache(KEY)(seal(KEY, 'sk-1', CONTEXT), ['provider-key', 'org', 'other', 'openai']),
  ).toBeUndefined();
  expect(createSecretCache(randomBytes(32))(seal(KEY, 'sk-1', CONTEXT), CONTEXT)).toBeUndefined();
  expect(createSecretCache(undefined)(seal(KEY, 'sk-1', CONTEXT), CONTEXT)).toBeUndefined();
});

it('caches an opened secret briefly, then opens it again', () => {
  let now = 0;
  const open = createSecretCache(KEY, () => now);
  const sealed = seal(KEY, 'sk-1', CONTEXT);
  expect(open(sealed, CONTEXT)).toBe('sk-1');
  // Whether it is opened at all shows in what happens when it no longer can be.
  sealed.authTag.fill(0);
  now = 29_999;
  expect(open(sealed, CONTEXT)).toBe('sk-1');
  now = 30_000;
  expect(open(sealed, CONTEXT)).toBeUndefined();
});

it('does not mix up rows', () => {
  const open = createSecretCache(KEY);
  open(seal(KEY, 'sk-1', CONTEXT), CONTEXT);
  expect(open(seal(KEY, 'sk-2', CONTEXT), CONTEXT)).toBe('sk-2');
});
