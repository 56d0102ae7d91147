import { AppError } from '../../base/errors.ts';
import { findInstructions, saveInstructions } from '../../threads/prompts/custom-instructions.ts';
import { changePrompt, createPrompt, listPrompts, removePrompt } from '../../threads/prompts/prompts.ts';
import type { Prompt } from '../../contract/prompts.ts';
import type { Database } from '../../store/database.ts';
import { cutPage, rowsToRead } from '../../tenancy/paging.ts';
import { decidedMembership, member, web } from './authorize.ts';

export function promptRoutes({ db }: { readonly db: Database }) {
  return {
    prompts: {
      list: member.prompts.list.handler(async ({ context: { membership }, input }) => {
        const { prompts, found } = await listPrompts(db, {
          userId: membership.userId,
          organizationId: membership.organizationId,
          workspace: input.workspace,
          search: input.search,
          after: readCursor(input.cursor),
          limit: rowsToRead(input),
        });
        const cursorOf = ({ name, id }: Prompt): string => Buffer.from(`${name}|${id}`).toString('base64url');
        const { rows, ...more } = cutPage(prompts, input, cursorOf, found);
        return { prompts: [...rows], ...more };
      }),
      create: web.prompts.create.handler(async ({ context, input: { workspace, name, text } }) => {
        const { organizationId, workspaceId } = decidedMembership(context);
        return {
          prompt: await createPrompt(db, context.user, {
            organizationId,
            workspaceId: workspace === undefined ? undefined : workspaceId,
            name,
            text,
          }),
        };
      }),
      update: web.prompts.update.handler(async ({ context, input: { prompt, ...change } }) => ({
        prompt: await changePrompt(db, context.user.id, prompt, change),
      })),
      remove: web.prompts.remove.handler(async ({ context, input }) => {
        await removePrompt(db, context.user.id, input.prompt);
        return { ok: true as const };
      }),
    },
    instructions: {
      show: member.instructions.show.handler(async ({ context: { membership } }) => ({
        instructions: await findInstructions(db, membership),
      })),
      save: web.instructions.save.handler(async ({ context, input: { text, enabled } }) => ({
        instructions: await saveInstructions(db, decidedMembership(context), { text, enabled }),
      })),
    },
  };
}

function readCursor(cursor: string | undefined): { name: string; id: string } | undefined {
  if (cursor === undefined) return undefined;
  const [, name, id] = /^([a-z0-9-]+)\|([\w-]+)$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  if (name === undefined || id === undefined)
    throw new AppError('invalid_request', { cursor: 'is not a cursor of this list' });
  return { name, id };
}
