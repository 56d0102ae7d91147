// Writes passwords/common-passwords.bin from the list in the package. Run it when the package changes: a test compares.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { dictionary } from '@zxcvbn-ts/language-common';
import { PASSWORD_LENGTH } from '../src/contract/account/account.ts';
import { makeFilter } from '../src/identity/passwords/password-filter.ts';
import { COMMON_PASSWORDS } from '../src/identity/passwords/password-rules.ts';

const long = dictionary['passwords-common'].filter((password) => password.length >= PASSWORD_LENGTH.min);
writeFileSync(join(import.meta.dirname, '..', 'passwords', COMMON_PASSWORDS), makeFilter(long));
