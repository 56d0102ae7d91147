// What an identity provider says of a person. Attributes that are not here are accepted and not kept.
import { email as emailAddress } from '../../contract/common.ts';
import { ScimError } from '../scim-error.ts';

export interface UserRecord {
  readonly userName: string;
  readonly externalId?: string | undefined;
  readonly displayName?: string | undefined;
  readonly givenName?: string | undefined;
  readonly familyName?: string | undefined;
  readonly formattedName?: string | undefined;
  readonly email?: string | undefined;
  readonly active: boolean;
}

/** Of a person whom the service has not heard of. */
export const UNKNOWN_USER: UserRecord = { userName: '', active: true };

const MOST_NAME = 100;

/** The name that the account gets. */
export function nameOf({ displayName, formattedName, givenName, familyName, userName }: UserRecord): string {
  const parts = [givenName, familyName].filter((part) => part !== undefined && part.trim() !== '').join(' ');
  const name = [displayName, formattedName, parts, userName].find((each) => each !== undefined && each.trim() !== '');
  return (name ?? '').trim().slice(0, MOST_NAME).toWellFormed();
}

/** The address that the account gets: the mail address, or the user name if it is one. */
export function addressOf({ email, userName }: UserRecord): string {
  const address = email ?? findAddress(userName);
  if (address !== undefined) return address;
  throw new ScimError('invalidValue', 'An email address is needed: send emails, or a userName that is one.');
}

export function findAddress(text: string): string | undefined {
  const { data } = emailAddress.safeParse(text);
  return data;
}
