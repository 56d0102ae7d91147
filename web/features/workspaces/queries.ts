import { infiniteQueryOptions } from '@tanstack/react-query';
import { byCursor, pageAt } from '../../api/by-cursor.ts';
import { api, client } from '../../api/client.ts';

export function workspaceMembersQuery(ws: string) {
  return infiniteQueryOptions({
    queryKey: [...api.workspaces.members.list.key(), ws],
    queryFn: ({ pageParam, signal }) => client.workspaces.members.list({ ws, ...pageAt(pageParam) }, { signal }),
    ...byCursor,
  });
}
