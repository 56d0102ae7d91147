import type { IntegrationReference } from '../../connections/connection-types.ts';
import {
  deleteNotedConnections,
  noteWorkspaceConnections,
  type RemovalDeps,
} from '../../connections/remove-workspace-connections.ts';
import type { Database } from '../../store/database.ts';
import { changeWorkspace, deleteWorkspace } from '../../tenancy/change-workspace.ts';
import {
  addWorkspaceMember,
  changeWorkspaceMemberRole,
  removeWorkspaceMember,
} from '../../tenancy/change-workspace-member.ts';
import { createWorkspace } from '../../tenancy/create-workspace.ts';
import { getStanding } from '../../tenancy/get-standing.ts';
import { listWorkspaceMembers } from '../../tenancy/list-members.ts';
import { listWorkspaces } from '../../tenancy/list-workspaces.ts';
import { toWorkspace } from '../../tenancy/to-workspace.ts';
import { web } from './implement-web.ts';

const DONE = { ok: true } as const;

export function workspaceRoutes({ db, connections }: { db: Database; connections: RemovalDeps }) {
  const place = (user: { id: string }, ws: string): { userId: string; workspaceId: string } => ({
    userId: user.id,
    workspaceId: ws,
  });

  /** Answered once the workspace is gone here; the provider is told meanwhile. */
  async function remove(userId: string, ws: string): Promise<void> {
    let noted: { organizationId: string; references: readonly IntegrationReference[] } | undefined;
    await deleteWorkspace(db, place({ id: userId }, ws), async (tx, standing) => {
      noted = {
        organizationId: standing.organizationId,
        references: await noteWorkspaceConnections(connections, tx, standing),
      };
    });
    if (noted) void deleteNotedConnections(connections, noted.organizationId, noted.references);
  }

  return {
    workspaces: {
      list: web.workspaces.list.handler(async ({ context, input }) =>
        listWorkspaces(db, await getStanding(db, { userId: context.user.id, organizationId: input.org }), input),
      ),
      create: web.workspaces.create.handler(async ({ context, input }) => ({
        workspace: await createWorkspace(db, { userId: context.user.id, organizationId: input.org }, input),
      })),
      show: web.workspaces.show.handler(async ({ context, input }) => ({
        workspace: toWorkspace(await getStanding(db, place(context.user, input.ws))),
      })),
      update: web.workspaces.update.handler(async ({ context, input }) => ({
        workspace: await changeWorkspace(db, place(context.user, input.ws), input),
      })),
      remove: web.workspaces.remove.handler(async ({ context, input }) => {
        await remove(context.user.id, input.ws);
        return DONE;
      }),
      members: {
        list: web.workspaces.members.list.handler(async ({ context, input }) =>
          listWorkspaceMembers(db, await getStanding(db, place(context.user, input.ws)), input),
        ),
        add: web.workspaces.members.add.handler(async ({ context, input }) => ({
          member: await addWorkspaceMember(db, place(context.user, input.ws), input.user, input.role),
        })),
        update: web.workspaces.members.update.handler(async ({ context, input }) => ({
          member: await changeWorkspaceMemberRole(db, place(context.user, input.ws), input.user, input.role),
        })),
        remove: web.workspaces.members.remove.handler(async ({ context, input }) => {
          await removeWorkspaceMember(db, place(context.user, input.ws), input.user);
          return DONE;
        }),
      },
    },
  };
}
