import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { WAITING_REASONS } from './waiting-reasons.ts';

it.each(Object.keys(WAITING_REASONS))('%s is explained in the documentation for users', (reason) => {
  expect(readFileSync(join(import.meta.dirname, '..', '..', '..', 'docs', 'users', 'runs.md'), 'utf8')).toContain(
    `\`${reason}\``,
  );
});
