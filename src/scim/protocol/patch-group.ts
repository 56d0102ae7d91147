// What operations do to a group, summed up: however many there are, its members are written in one go.
import { ScimError } from '../scim-error.ts';
import { asFields, fieldOf, type PatchOperation, readAttributes } from './read-patch.ts';

export interface GroupChange {
  readonly displayName?: string;
  /** Null if it is taken away. */
  readonly externalId?: string | null;
  readonly members: MemberChange;
}

export interface MemberChange {
  /** Whether those who were in it before stay, unless they are removed. */
  readonly keepsOthers: boolean;
  readonly added: ReadonlySet<string>;
  readonly removed: ReadonlySet<string>;
}

const MOST_NAME = 100;
const MOST_ID = 254;

export function readGroupPatch(operations: readonly PatchOperation[]): GroupChange {
  const change: { displayName?: string; externalId?: string | null } = {};
  const members = { keepsOthers: true, added: new Set<string>(), removed: new Set<string>() };
  for (const operation of operations) {
    const { op, path, value } = operation;
    if (path.attribute === 'displayname') {
      if (op === 'remove') throw new ScimError('invalidValue', 'displayName is required.');
      change.displayName = readName(value);
    }
    if (path.attribute === 'externalid') change.externalId = op === 'remove' ? null : readExternalId(value);
    if (path.attribute === 'members') changeMembers(members, operation);
  }
  return { ...change, members };
}

export interface GroupRecord {
  readonly displayName: string;
  readonly externalId?: string | null;
  readonly members: MemberChange;
}

/** A group as a whole. Without `members` it keeps those that it has. */
export function readGroup(body: unknown): GroupRecord {
  const { displayName, ...rest } = readGroupPatch(readAttributes(asFields(body), 'replace'));
  if (displayName === undefined) throw new ScimError('invalidValue', 'displayName is required.');
  return { displayName, ...rest };
}

/** In place: there may be an operation for each of thousands of members. */
function changeMembers(
  members: { keepsOthers: boolean; added: Set<string>; removed: Set<string> },
  { op, path: { where, sub }, value }: PatchOperation,
): void {
  if (where && (where.attribute !== 'value' || typeof where.value !== 'string'))
    throw new ScimError('invalidPath', 'Members are found by their value, such as members[value eq "usr_1"].');
  // The only part of a member that could be changed is who it is.
  if (where && op !== 'remove') throw new ScimError('mutability', 'A member cannot be changed, only added or removed.');
  if (sub !== undefined && sub !== 'value') return;
  const ids = where ? [String(where.value)] : value === undefined ? undefined : readIds(value);
  if (op === 'replace' || ids === undefined) {
    members.keepsOthers = false;
    members.added.clear();
    members.removed.clear();
  }
  const [into, outOf] = op === 'remove' ? [members.removed, members.added] : [members.added, members.removed];
  for (const id of ids ?? []) {
    into.add(id);
    outOf.delete(id);
  }
}

/** `[{value}]`, and what comes near to it. */
function readIds(value: unknown): string[] {
  if (value === null) return [];
  return (Array.isArray(value) ? value : [value]).map((one: unknown) => {
    const id = typeof one === 'string' ? one : fieldOf(asFields(one), 'value');
    if (typeof id !== 'string' || id === '' || id.length > MOST_ID)
      throw new ScimError('invalidValue', 'Each member needs the id of a user as its value.');
    return id;
  });
}

function readName(value: unknown): string {
  const name = typeof value === 'string' ? value.trim() : '';
  if (name === '' || name.length > MOST_NAME)
    throw new ScimError('invalidValue', `displayName must be text of 1 to ${MOST_NAME} characters.`);
  return name;
}

function readExternalId(value: unknown): string | null {
  if (value === null || value === '') return null;
  if (typeof value === 'string' && value.length <= MOST_ID) return value;
  throw new ScimError('invalidValue', `externalId must be text of at most ${MOST_ID} characters.`);
}
