import { SCHEMA } from '../protocol/schema-names.ts';
import type { FoundGroup } from './find-groups.ts';

/** `base` is the address of the interface. */
export function presentGroup(group: FoundGroup, base: string): Readonly<Record<string, unknown>> {
  const { id, externalId, name, members, createdAt, changedAt } = group;
  return {
    schemas: [SCHEMA.group],
    id,
    externalId,
    displayName: name,
    members: members?.map((member) => ({
      value: member.id,
      display: member.name,
      type: 'User',
      $ref: `${base}/Users/${member.id}`,
    })),
    meta: {
      resourceType: 'Group',
      created: createdAt.toISOString(),
      lastModified: changedAt.toISOString(),
      location: `${base}/Groups/${id}`,
    },
  };
}
