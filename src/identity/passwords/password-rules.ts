// Which new passwords are refused although they are long enough: those that are guessed first. Asked when a password is
// chosen (sign-up, change, reset), never when one is given.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '../../base/errors.ts';
import { releaseDirectory } from '../../process/package-root.ts';
import { normalizePassword, type PasswordFilter, readFilter } from './password-filter.ts';

export const COMMON_PASSWORDS = 'common-passwords.bin';

/** Whose password it becomes. */
export interface PasswordOwner {
  readonly email: string;
  readonly name?: string | undefined;
}

/** Throws `password_refused`. */
export type RequireGoodPassword = (password: string, owner: PasswordOwner) => void;

/** The names of this software, which would be somebody's first idea. */
const SERVICE_NAMES = ['service', 'servicectl', 'agentplatform', 'agentplatformservice'];
/** Shorter parts of a name say nothing about a password that contains only them. */
const LEAST_PART = 3;

export function createPasswordRules(publicUrl: string): RequireGoodPassword {
  let filter: PasswordFilter | undefined;
  const host = new URL(publicUrl).hostname;
  return (password, { email, name = '' }) => {
    filter ??= readFilter(readFileSync(join(releaseDirectory('passwords'), COMMON_PASSWORDS)));
    if (filter.has(password) || isOneCharacter(password)) throw new AppError('password_refused', { reason: 'common' });
    const [local = '', domain = ''] = email.split('@');
    const known = [
      email,
      local,
      domain,
      name,
      host,
      ...name.split(/\s+/),
      ...local.split(/[._+-]/),
      ...host.split('.'),
    ];
    if (isMadeOf(password, [...known, ...SERVICE_NAMES]))
      throw new AppError('password_refused', { reason: 'personal' });
  };
}

/** One of the words, whatever digits and signs are around it, or repeated. */
function isMadeOf(password: string, words: readonly string[]): boolean {
  const core = lettersOf(password);
  if (core === '') return false;
  return words
    .map(lettersOf)
    .some(
      (word) =>
        word.length >= LEAST_PART && core.length % word.length === 0 && word.repeat(core.length / word.length) === core,
    );
}

function lettersOf(text: string): string {
  return normalizePassword(text).replace(/\P{L}/gu, '');
}

function isOneCharacter(password: string): boolean {
  return new Set(password).size === 1;
}
