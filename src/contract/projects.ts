import { z } from 'zod';
import { route } from './authority.ts';
import { done, id, nextCursor, page, timestamp } from './common.ts';
import { PROJECT_LIMITS } from './project-limits.ts';

const text = (most: number) => z.string().trim().max(most);

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
      summary: 'The projects of the workspaces that the caller sees, the latest first',
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
      description: `In Default unless \`workspace\` names another one. A workspace has at most ${PROJECT_LIMITS.projects}.`,
    })
    .input(
      z.strictObject({
        organization: id,
        workspace: id.optional(),
        name: fields.name,
        description: fields.description.optional(),
        instructions: fields.instructions.optional(),
        model: fields.model.optional(),
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
  remove: route('database', 'project:change')
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
