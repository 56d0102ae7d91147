import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { dictionary } from '@zxcvbn-ts/language-common';
import { expect, it } from 'vitest';
import { AppError } from '../../base/errors.ts';
import { releaseDirectory } from '../../process/package-root.ts';
import { COMMON_PASSWORDS, createPasswordRules } from './password-rules.ts';
import { readFilter } from './password-filter.ts';

const PASSWORD_MIN = 8;
const listed = dictionary['passwords-common'].filter((password) => password.length >= PASSWORD_MIN);
const filter = readFilter(readFileSync(join(releaseDirectory('passwords'), COMMON_PASSWORDS)));
const require = createPasswordRules('https://chat.example.com');

function refusal(password: string): unknown {
  try {
    require(password, { email: 'ada.lovelace@example.com', name: 'Ada Lovelace' });
    return 'taken';
  } catch (error) {
    return error instanceof AppError && error.code === 'password_refused' ? error.details['reason'] : error;
  }
}

it('knows every password of the list that is long enough, in any case', () => {
  expect(listed.length).toBeGreaterThan(10_000);
  expect(listed.filter((password) => !filter.has(password))).toEqual([]);
  expect(filter.has('PassWord')).toBe(true);
});

it('takes next to no other password for one of them', () => {
  const others = Array.from({ length: 20_000 }, (_, at) => `correct horse ${at} battery`);
  expect(others.filter((password) => filter.has(password)).length).toBeLessThan(3);
});

it.each([
  ['password1', 'common'],
  ['aaaaaaaaaaaa', 'common'],
  ['ada.lovelace@example.com', 'personal'],
  ['Lovelace1815!', 'personal'],
  ['adalovelace', 'personal'],
  ['lovelacelovelace', 'personal'],
  ['example2026', 'personal'],
  ['service-2026', 'personal'],
  ['correct horse battery', 'taken'],
  ['lovelace and her engine', 'taken'],
  ['83719462037', 'taken'],
])('judges %s: %s', (password, expected) => expect(refusal(password)).toBe(expected));
