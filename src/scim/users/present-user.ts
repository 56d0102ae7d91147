import { SCHEMA } from '../protocol/schema-names.ts';
import type { FoundUser } from './find-users.ts';

/** `base` is the address of the interface. */
export function presentUser(user: FoundUser, base: string): Readonly<Record<string, unknown>> {
  const { id, record, name, email, createdAt, changedAt, groups } = user;
  const displayName = record.displayName ?? name;
  return {
    schemas: [SCHEMA.user],
    id,
    externalId: record.externalId,
    userName: record.userName,
    name: {
      formatted: record.formattedName ?? displayName,
      ...(record.givenName === undefined ? {} : { givenName: record.givenName }),
      ...(record.familyName === undefined ? {} : { familyName: record.familyName }),
    },
    displayName,
    emails: [{ value: record.email ?? email, type: 'work', primary: true }],
    active: record.active,
    groups: groups.map((group) => ({ value: group.id, display: group.name, $ref: `${base}/Groups/${group.id}` })),
    meta: {
      resourceType: 'User',
      created: createdAt.toISOString(),
      lastModified: changedAt.toISOString(),
      location: `${base}/Users/${id}`,
    },
  };
}
