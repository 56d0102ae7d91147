import { z } from 'zod';
import { route } from './authority.ts';
import { done, id, nextCursor, page, timestamp } from './common.ts';
import { PROJECT_LIMITS } from './project-limits.ts';

const text = (most: number) => z.string().trim().max(most);

const sharing = z
  .enum(['private', 'use', 'edit'])
  .describe(
    'Who else in its workspace has it: nobody (`private`), everyone to chat in it (`use`), or everyone to change it too (`edit`).',
  );
export type ProjectSharing = z.infer<typeof sharing>;

const right = z.enum(['use', 'edit', 'manage']);
export type ProjectRight = z.infer<typeof right>;

const project = z.object({
  id,
  organization: id,
  workspace: id,
  name: z.string(),
  description: z.string(),
  instructions: z.string(),
  /** The model that a new chat in it starts with, if the policy allows it. */
  model: z.string().optional(),
  /** How many files it has. */
  files: z.number().int(),
  sharing,
  /** What the caller may do: chat in it, change what it holds, share and delete it. */
  rights: z.array(right),
  /** The person who started it, or took it over, and whether they have left the workspace. */
  managedBy: z.object({ id, name: z.string(), left: z.boolean() }),
  createdAt: timestamp,
  updatedAt: timestamp,
});
export type Project = z.infer<typeof project>;

export const projectFile = z.object({
  id,
  name: z.string(),
  type: z.string(),
  /** In bytes. */
  size: z.number().int(),
  /** The name of the person who added it. */
  addedBy: z.string(),
  /** A file is searched once it is `ready`. */
  state: z.enum(['waiting', 'ready', 'failed']),
  /** Why its text could not be read: the code of an error. */
  reason: z.string().optional(),
  createdAt: timestamp,
});
export type ProjectFile = z.infer<typeof projectFile>;

const fields = {
  name: text(PROJECT_LIMITS.name).min(1),
  description: text(PROJECT_LIMITS.description),
  instructions: text(PROJECT_LIMITS.instructions),
  model: z.string().min(1).max(200),
};

export const projects = {
  list: route('database', 'member', 'query')
    .route({
      method: 'GET',
      path: '/api/projects',
      tags: ['Projects'],
      summary: "The caller's projects and those shared in workspaces that they see, the latest first",
      description: '`workspace` names one of them. `search` finds projects by their names.',
    })
    .input(z.strictObject({ organization: id, workspace: id.optional(), search: text(100).optional(), ...page }))
    .output(z.object({ projects: z.array(project), ...nextCursor })),
  create: route('database', 'workspace-member', 'body')
    .route({
      method: 'POST',
      path: '/api/projects',
      successStatus: 201,
      tags: ['Projects'],
      summary: 'Create a project',
      description: `In Default unless \`workspace\` names another one, and the caller's own unless \`sharing\` shares it. A workspace shares at most ${PROJECT_LIMITS.projects}, and each person keeps as many in it.`,
    })
    .input(
      z.strictObject({
        organization: id,
        workspace: id.optional(),
        name: fields.name,
        description: fields.description.optional(),
        instructions: fields.instructions.optional(),
        model: fields.model.optional(),
        sharing: sharing.optional(),
      }),
    )
    .output(z.object({ project })),
  show: route('database', 'project')
    .route({ method: 'GET', path: '/api/projects/{project}', tags: ['Projects'], summary: 'A project' })
    .input(z.strictObject({ project: id }))
    .output(z.object({ project })),
  update: route('database', 'project:change')
    .route({
      method: 'PATCH',
      path: '/api/projects/{project}',
      tags: ['Projects'],
      summary: 'Change a project',
      description: 'Omitted fields stay as they are; `model: null` removes the default model.',
    })
    .input(
      z.strictObject({
        project: id,
        name: fields.name.optional(),
        description: fields.description.optional(),
        instructions: fields.instructions.optional(),
        model: fields.model.nullable().optional(),
      }),
    )
    .output(z.object({ project })),
  share: route('database', 'project:manage')
    .route({
      method: 'PUT',
      path: '/api/projects/{project}/sharing',
      tags: ['Projects'],
      summary: 'Share a project with its workspace, or stop sharing it',
      description:
        'Instructions and files are shared, never chats. Chats that others have in a project that is no longer shared stay theirs; their next questions are answered without it.',
    })
    .input(z.strictObject({ project: id, sharing }))
    .output(z.object({ project })),
  takeOver: route('database', 'project:take-over')
    .route({
      method: 'POST',
      path: '/api/projects/{project}/take-over',
      tags: ['Projects'],
      summary: 'Manage a project whose manager has left its workspace',
      description: '409 `project_still_managed` while that person is in the workspace.',
    })
    .input(z.strictObject({ project: id }))
    .output(z.object({ project })),
  remove: route('database', 'project:manage')
    .route({
      method: 'DELETE',
      path: '/api/projects/{project}',
      tags: ['Projects'],
      summary: 'Delete a project and its files',
      description: 'Its chats stay, without a project.',
    })
    .input(z.strictObject({ project: id }))
    .output(done),
  files: {
    list: route('database', 'project')
      .route({
        method: 'GET',
        path: '/api/projects/{project}/files',
        tags: ['Projects'],
        summary: 'The files of a project, the latest first',
      })
      .input(z.strictObject({ project: id, ...page }))
      .output(z.object({ files: z.array(projectFile), ...nextCursor })),
    remove: route('database', 'project:change')
      .route({
        method: 'DELETE',
        path: '/api/projects/{project}/files/{file}',
        tags: ['Projects'],
        summary: 'Delete a file of a project',
        description: 'It is no longer searched. What earlier answers quote from it stays in those answers.',
      })
      .input(z.strictObject({ project: id, file: id }))
      .output(done),
  },
};
