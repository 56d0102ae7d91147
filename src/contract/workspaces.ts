import { z } from 'zod';
import { route } from './authority.ts';
import { done, id, name, nextCursor, page, role, slug, timestamp } from './common.ts';

/**
 * `role` is the caller's role in the workspace; absent for organization owners and admins who are not members of it.
 */
export const workspace = z.object({
  id,
  organization: id,
  slug: z.string(),
  name: z.string(),
  kind: z.enum(['global', 'default', 'named']),
  role: role.optional(),
  /** Whether the caller may change it: its owner or admin, otherwise the organization's. */
  canManage: z.boolean(),
  createdAt: timestamp,
});
export type Workspace = z.infer<typeof workspace>;

const workspaceMember = z.object({ user: id, name: z.string(), email: z.string(), role, createdAt: timestamp });

export const workspaces = {
  list: route('database', 'member')
    .route({
      method: 'GET',
      path: '/api/organizations/{org}/workspaces',
      tags: ['Workspaces'],
      summary: 'List the workspaces the caller may see',
    })
    .input(z.strictObject({ org: id, ...page }))
    .output(z.object({ workspaces: z.array(workspace), ...nextCursor })),
  create: route('database', 'member')
    .route({
      method: 'POST',
      path: '/api/organizations/{org}/workspaces',
      successStatus: 201,
      tags: ['Workspaces'],
      summary: 'Create a named workspace; the caller becomes its owner',
    })
    .input(z.strictObject({ org: id, name, slug: slug.optional() }))
    .output(z.object({ workspace })),
  show: route('database', 'workspace')
    .route({ method: 'GET', path: '/api/workspaces/{ws}', tags: ['Workspaces'], summary: 'One workspace' })
    .input(z.strictObject({ ws: id }))
    .output(z.object({ workspace })),
  update: route('database', 'workspace:manage')
    .route({ method: 'PATCH', path: '/api/workspaces/{ws}', tags: ['Workspaces'], summary: 'Rename a workspace' })
    .input(z.strictObject({ ws: id, name: name.optional(), slug: slug.optional() }))
    .output(z.object({ workspace })),
  remove: route('provider', 'workspace:manage')
    .route({
      method: 'DELETE',
      path: '/api/workspaces/{ws}',
      tags: ['Workspaces'],
      summary: 'Delete a named workspace',
    })
    .input(z.strictObject({ ws: id }))
    .output(done),

  members: {
    list: route('database', 'workspace')
      .route({
        method: 'GET',
        path: '/api/workspaces/{ws}/members',
        tags: ['Workspaces'],
        summary: 'List the members of a workspace',
      })
      .input(z.strictObject({ ws: id, ...page }))
      .output(z.object({ members: z.array(workspaceMember), ...nextCursor })),
    add: route('database', 'workspace:manage')
      .route({
        method: 'POST',
        path: '/api/workspaces/{ws}/members',
        successStatus: 201,
        tags: ['Workspaces'],
        summary: 'Add an organization member',
      })
      .input(z.strictObject({ ws: id, user: id, role }))
      .output(z.object({ member: workspaceMember })),
    update: route('database', 'workspace:manage')
      .route({
        method: 'PATCH',
        path: '/api/workspaces/{ws}/members/{user}',
        tags: ['Workspaces'],
        summary: "Change a member's role",
      })
      .input(z.strictObject({ ws: id, user: id, role }))
      .output(z.object({ member: workspaceMember })),
    remove: route('database', 'workspace:manage-or-oneself')
      .route({
        method: 'DELETE',
        path: '/api/workspaces/{ws}/members/{user}',
        tags: ['Workspaces'],
        summary: 'Remove a member; members may remove themselves',
      })
      .input(z.strictObject({ ws: id, user: id }))
      .output(done),
  },
};
