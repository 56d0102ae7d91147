import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ATTACKERS, THREATS } from './threat-model.ts';

const root = join(import.meta.dirname, '..');

it.each(THREATS.map((row) => [row.attacker, row.wants, row.shownBy] as const))(
  '%s wants %s: the test exists',
  (_attacker, _wants, { file, test }) => {
    expect(readFileSync(join(root, file), 'utf8')).toContain(test);
  },
);

it('has every attacker', () => {
  expect(new Set(THREATS.map(({ attacker }) => attacker))).toEqual(new Set(Object.keys(ATTACKERS)));
});
