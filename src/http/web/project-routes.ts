// Projects over HTTP. Uploads and downloads are plain routes: their bodies are not JSON.
import type { Context } from 'hono';
import { AppError } from '../../base/errors.ts';
import { addFile, getFile, listFiles, removeFile } from '../../documents/projects/project-files.ts';
import {
  changeProject,
  createProject,
  getEditableProject,
  getProject,
  listProjects,
  removeProject,
  shareProject,
  takeOverProject,
} from '../../documents/projects/projects.ts';
import { id } from '../../contract/common.ts';
import type { Database } from '../../store/database.ts';
import { cutPage, readIdCursor, rowsToRead } from '../../tenancy/paging.ts';
import type { PlainRoutes } from '../shell/plain-routes.ts';
import { answerWithFile, disposition, readParts } from './attachment-routes.ts';
import { decidedMembership, member, web } from './authorize.ts';

export function projectRoutes({ db }: { readonly db: Database }) {
  return {
    projects: {
      list: member.projects.list.handler(async ({ context: { membership }, input }) => {
        const { projects, found } = await listProjects(db, {
          userId: membership.userId,
          organizationId: membership.organizationId,
          workspace: input.workspace,
          search: input.search,
          after: readIdCursor(input.cursor, 'prj'),
          limit: rowsToRead(input),
        });
        const { rows, ...more } = cutPage(projects, input, ({ id: last }) => last, found);
        return { projects: [...rows], ...more };
      }),
      create: web.projects.create.handler(async ({ context, input }) => {
        const { userId, organizationId, workspaceId } = decidedMembership(context);
        const { name, description, instructions, model, sharing } = input;
        const fields = { name, description, instructions, model, sharing };
        return { project: await createProject(db, { userId, organizationId, workspaceId, ...fields }) };
      }),
      show: web.projects.show.handler(async ({ context, input }) => ({
        project: await getProject(db, context.user.id, input.project),
      })),
      update: web.projects.update.handler(async ({ context, input: { project, ...change } }) => ({
        project: await changeProject(db, context.user.id, project, change),
      })),
      share: web.projects.share.handler(async ({ context, input: { project, sharing } }) => ({
        project: await shareProject(db, context.user.id, project, sharing),
      })),
      takeOver: web.projects.takeOver.handler(async ({ context, input }) => ({
        project: await takeOverProject(db, context.user.id, input.project),
      })),
      remove: web.projects.remove.handler(async ({ context, input }) => {
        await removeProject(db, context.user.id, input.project);
        return { ok: true as const };
      }),
      files: {
        list: web.projects.files.list.handler(async ({ context, input }) => {
          const found = await listFiles(db, {
            userId: context.user.id,
            projectId: input.project,
            after: readIdCursor(input.cursor, 'pfl'),
            limit: rowsToRead(input),
          });
          const { rows, ...more } = cutPage(found, input, ({ id: last }) => last);
          return { files: [...rows], ...more };
        }),
        remove: web.projects.files.remove.handler(async ({ context, input: { project, file } }) => {
          await removeFile(db, context.user.id, project, file);
          return { ok: true as const };
        }),
      },
    },
  };
}

export interface ProjectFileDeps {
  readonly db: Database;
  readonly storageBytes: number;
  /** The person of the session; throws without one, and for writes from other origins. */
  readonly findUser: (request: Request) => Promise<{ readonly id: string; readonly name: string }>;
}

export function mountProjectFiles(routes: PlainRoutes, { db, storageBytes, findUser }: ProjectFileDeps): void {
  const identify = async (c: Context) => {
    const user = await findUser(c.req.raw);
    return { userId: user.id, user };
  };
  routes.on({
    method: 'POST',
    path: '/api/projects/:project/files',
    cost: 'cpu',
    body: 'project-file',
    identify,
    async handle(c, { user }, body) {
      const projectId = readName(c, 'project');
      await getEditableProject(db, user.id, projectId);
      const sent = readParts(body, c.req.header('content-type')).find(({ name }) => name === 'file');
      if (sent?.filename === undefined) throw new AppError('invalid_request', { file: 'must be a file' });
      const { filename: name, content } = sent;
      const file = await addFile(db, { user, projectId, name, content, storageBytes });
      return Response.json({ file }, { status: 201, headers: { 'cache-control': 'no-store' } });
    },
  });
  routes.on({
    method: 'GET',
    path: '/api/projects/:project/files/:file',
    cost: 'database',
    identify,
    async handle(c, { userId }) {
      const file = await getFile(db, userId, readName(c, 'project'), readName(c, 'file'));
      return answerWithFile(file, {
        'content-disposition': disposition(file.name),
        'cache-control': 'private, no-store',
      });
    },
  });
}

function readName(c: Context, name: string): string {
  const asked = id.safeParse(c.req.param(name));
  if (!asked.success) throw new AppError('not_found');
  return asked.data;
}
