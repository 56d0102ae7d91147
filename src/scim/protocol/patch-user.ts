// Applies operations to what is known of a person. Both identity providers that matter send the same changes in different
// forms; what each means is decided here and nowhere else.
import { ScimError } from '../scim-error.ts';
import type { Equals } from './attribute-path.ts';
import { asFields, type Fields, fieldOf, type PatchOperation, readAttributes } from './read-patch.ts';
import { findAddress, UNKNOWN_USER, type UserRecord } from './user-record.ts';

const MOST_CHARACTERS = 254;

type Apply = (user: UserRecord, operation: PatchOperation) => UserRecord;

const text =
  (field: 'externalId' | 'displayName'): Apply =>
  (user, { op, value }) => ({ ...user, [field]: op === 'remove' ? undefined : readText(field, value) });

type NamePart = 'givenName' | 'familyName' | 'formattedName';
const NAME_PARTS: ReadonlyMap<string, NamePart> = new Map([
  ['givenname', 'givenName'],
  ['familyname', 'familyName'],
  ['formatted', 'formattedName'],
]);

const APPLY: Readonly<Record<string, Apply>> = {
  username: (user, { op, value }) => {
    const userName = op === 'remove' ? undefined : readText('userName', value);
    if (userName === undefined) throw new ScimError('invalidValue', 'userName is required.');
    return { ...user, userName };
  },
  externalid: text('externalId'),
  displayname: text('displayName'),
  active: (user, { op, value }) => {
    if (op === 'remove') throw new ScimError('mutability', 'active cannot be removed; set it to false.');
    return { ...user, active: readBoolean(value) };
  },
  name: (user, { op, path: { sub }, value }) => {
    const parts: Fields = sub === undefined ? (op === 'remove' ? ALL_PARTS : asFields(value ?? {})) : { [sub]: value };
    return Object.entries(parts).reduce((named, [part, given]) => {
      const field = NAME_PARTS.get(part.toLowerCase());
      if (field === undefined) return named;
      return { ...named, [field]: op === 'remove' ? undefined : readText(`name.${part}`, given) };
    }, user);
  },
  emails: (user, { op, path: { sub, where }, value }) => {
    if ((sub !== undefined && sub !== 'value') || (where && !isTheAddress(where, user))) return user;
    if (op === 'remove') return { ...user, email: undefined };
    return { ...user, email: readEmail(value) };
  },
};

const ALL_PARTS: Fields = { givenName: undefined, familyName: undefined, formatted: undefined };

export function patchUser(user: UserRecord, operations: readonly PatchOperation[]): UserRecord {
  return operations.reduce((changed, operation) => {
    const apply = Object.hasOwn(APPLY, operation.path.attribute) ? APPLY[operation.path.attribute] : undefined;
    return apply ? apply(changed, operation) : changed;
  }, user);
}

/** A person as a whole; without `before` a new one. What only an identity provider can know stays if it says nothing. */
export function readUser(body: unknown, before: UserRecord = UNKNOWN_USER): UserRecord {
  const { userName, externalId, active } = before;
  const user = patchUser({ userName, externalId, active }, readAttributes(asFields(body), 'replace'));
  if (user.userName === '') throw new ScimError('invalidValue', 'userName is required.');
  return user;
}

/** Null and the empty string mean that there is none. */
function readText(name: string, value: unknown): string | undefined {
  if (value === null || value === undefined) return undefined;
  if (typeof value !== 'string' || value.length > MOST_CHARACTERS)
    throw new ScimError('invalidValue', `${name} must be text of at most ${MOST_CHARACTERS} characters.`);
  return value.trim() === '' ? undefined : value;
}

/** Entra ID sends "True" and "False" unless it is told not to. */
function readBoolean(value: unknown): boolean {
  const given = typeof value === 'string' ? value.toLowerCase() : value;
  if (given === true || given === 'true') return true;
  if (given === false || given === 'false') return false;
  throw new ScimError('invalidValue', 'active must be true or false.');
}

function isTheAddress({ attribute, value }: Equals, { email }: UserRecord): boolean {
  if (attribute === 'type') return typeof value === 'string' && value.toLowerCase() === 'work';
  if (attribute === 'primary') return value === true;
  return attribute === 'value' && typeof value === 'string' && value.toLowerCase() === email;
}

/** An address, or the one of several that counts: the primary one, that of work, or the first. */
function readEmail(value: unknown): string | undefined {
  if (value === null) return undefined;
  if (typeof value === 'string') return value.trim() === '' ? undefined : requireAddress(value);
  const all = (Array.isArray(value) ? value : [value]).map(asFields);
  const chosen =
    all.find((one) => ['true', true].includes(fieldOf(one, 'primary') as string | boolean)) ??
    all.find((one) => String(fieldOf(one, 'type')).toLowerCase() === 'work') ??
    all[0];
  const address = chosen && fieldOf(chosen, 'value');
  return address === undefined || address === null || address === '' ? undefined : requireAddress(address);
}

function requireAddress(value: unknown): string {
  const address = typeof value === 'string' ? findAddress(value) : undefined;
  if (address !== undefined) return address;
  throw new ScimError('invalidValue', 'emails must hold email addresses.');
}
