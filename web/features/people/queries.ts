import { infiniteQueryOptions } from '@tanstack/react-query';
import { byCursor, pageAt } from '../../api/by-cursor.ts';
import { api, client } from '../../api/client.ts';

export function organizationMembersQuery(org: string) {
  return infiniteQueryOptions({
    queryKey: [...api.organizations.members.list.key(), 'paged', org],
    queryFn: ({ pageParam, signal }) => client.organizations.members.list({ org, ...pageAt(pageParam) }, { signal }),
    ...byCursor,
  });
}

export function invitationsQuery(org: string) {
  return infiniteQueryOptions({
    queryKey: [...api.organizations.invitations.list.key(), org],
    queryFn: ({ pageParam, signal }) =>
      client.organizations.invitations.list({ org, ...pageAt(pageParam) }, { signal }),
    ...byCursor,
  });
}
