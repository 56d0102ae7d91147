// A workspace of which one person is the only member, for a mailbox or a drive that others should not read.
import type { QueryClient } from '@tanstack/react-query';
import type { Workspace } from '../../../src/contract/workspaces.ts';
import { api, client } from '../../api/client.ts';
import { workspacesQuery } from '../../session/queries.ts';
import { askStrings } from './strings.ts';

interface Owner {
  readonly organization: string;
  readonly user: { readonly id: string; readonly name: string };
}

/** The person's own workspace; made if there is none, or if others have been added to it since. */
export async function openPersonalWorkspace(
  queryClient: QueryClient,
  { organization: org, user }: Owner,
): Promise<Workspace> {
  const name = askStrings.ownName(user.name).slice(0, 100);
  const known = await queryClient.fetchQuery(workspacesQuery(org));
  for (const workspace of known) {
    if (workspace.kind !== 'named' || workspace.role !== 'owner' || workspace.name !== name) continue;
    const { members } = await client.workspaces.members.list({ ws: workspace.id, limit: 2 });
    if (members.every((member) => member.user === user.id)) return workspace;
  }
  const { workspace } = await client.workspaces.create({ org, name });
  await queryClient.invalidateQueries({ queryKey: api.workspaces.list.key() });
  return workspace;
}
