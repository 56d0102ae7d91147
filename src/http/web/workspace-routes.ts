import type { IntegrationReference } from '../../connections/connection-types.ts';
import {
  deleteNotedConnections,
  noteWorkspaceConnections,
  type RemovalDeps,
} from '../../connections/remove-workspace-connections.ts';
import { systemClock } from '../../base/clock.ts';
import { askErasure } from '../../leaving/erasures.ts';
import type { Database } from '../../store/database.ts';
import { changeWorkspace, deleteWorkspace } from '../../tenancy/workspaces/change-workspace.ts';
import {
  addWorkspaceMember,
  changeWorkspaceMemberRole,
  removeWorkspaceMember,
} from '../../tenancy/workspaces/change-workspace-member.ts';
import { createWorkspace } from '../../tenancy/workspaces/create-workspace.ts';
import { listWorkspaceMembers } from '../../tenancy/members/list-members.ts';
import { listWorkspaces } from '../../tenancy/workspaces/list-workspaces.ts';
import type { Membership } from '../../tenancy/members/membership.ts';
import { toWorkspace } from '../../tenancy/workspaces/to-workspace.ts';
import { member } from './authorize.ts';

const DONE = { ok: true } as const;

export function workspaceRoutes({ db, connections }: { db: Database; connections: RemovalDeps }) {
  /** Returns once the workspace is deleted here; its connections are deleted at the provider in the background, and what
   * its runs wrote is erased. */
  async function remove(membership: Membership): Promise<void> {
    let noted: { organizationId: string; references: readonly IntegrationReference[] } | undefined;
    await deleteWorkspace(db, membership, async (tx, membership) => {
      noted = {
        organizationId: membership.organizationId,
        references: await noteWorkspaceConnections(connections, tx, membership),
      };
      const { workspaceId, userId } = membership;
      await askErasure(tx, { kind: 'workspace', id: workspaceId, askedBy: `user:${userId}`, at: systemClock() });
    });
    if (noted) void deleteNotedConnections(connections, noted.organizationId, noted.references);
  }

  return {
    workspaces: {
      list: member.workspaces.list.handler(async ({ context: { membership }, input }) =>
        listWorkspaces(db, membership, input),
      ),
      create: member.workspaces.create.handler(async ({ context: { membership }, input }) => ({
        workspace: await createWorkspace(db, membership, input),
      })),
      show: member.workspaces.show.handler(({ context: { membership } }) => ({
        workspace: toWorkspace(membership),
      })),
      update: member.workspaces.update.handler(async ({ context: { membership }, input }) => ({
        workspace: await changeWorkspace(db, membership, input),
      })),
      remove: member.workspaces.remove.handler(async ({ context: { membership } }) => {
        await remove(membership);
        return DONE;
      }),
      members: {
        list: member.workspaces.members.list.handler(async ({ context: { membership }, input }) =>
          listWorkspaceMembers(db, membership, input),
        ),
        add: member.workspaces.members.add.handler(async ({ context: { membership }, input }) => ({
          member: await addWorkspaceMember(db, membership, input.user, input.role),
        })),
        update: member.workspaces.members.update.handler(async ({ context: { membership }, input }) => ({
          member: await changeWorkspaceMemberRole(db, membership, input.user, input.role),
        })),
        remove: member.workspaces.members.remove.handler(async ({ context: { membership }, input }) => {
          await removeWorkspaceMember(db, membership, input.user);
          return DONE;
        }),
      },
    },
  };
}
