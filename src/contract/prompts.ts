// Saved prompts, and the instructions that a person wants every answer to follow.
import { z } from 'zod';
import { route } from './authority.ts';
import { done, id, nextCursor, page, slug, timestamp } from './common.ts';

const promptText = z
  .string()
  .max(20_000)
  .refine((text) => text.trim() !== '', 'must not be empty');

const prompt = z.object({
  id,
  /** What is typed after the slash. */
  name: z.string(),
  /** May have variables: `{{name}}` and `{{name:default}}`. */
  text: z.string(),
  /** The workspace that it is shared in; absent if it is the caller's own. */
  workspace: z.object({ id, slug: z.string(), name: z.string() }).optional(),
  createdBy: z.object({ id, name: z.string() }),
  createdAt: timestamp,
  updatedAt: timestamp,
  /** Whether the caller may change and delete it. */
  editable: z.boolean(),
});
export type Prompt = z.infer<typeof prompt>;

export const prompts = {
  list: route('database', 'member', 'query')
    .route({
      method: 'GET',
      path: '/api/prompts',
      tags: ['Prompts'],
      summary: 'Prompts that the caller can use, by name',
      description:
        "The caller's own, and those shared in workspaces that they see; with `workspace` only those shared there. `search` finds them by name and text.",
    })
    .input(
      z.strictObject({
        organization: id,
        workspace: id.optional(),
        search: z.string().max(200).optional(),
        ...page,
      }),
    )
    .output(z.object({ prompts: z.array(prompt), ...nextCursor })),
  create: route('database', 'workspace-member', 'body')
    .route({
      method: 'POST',
      path: '/api/prompts',
      successStatus: 201,
      tags: ['Prompts'],
      summary: 'Save a prompt, for oneself or for a workspace',
      description:
        "With `workspace` its members can use it; otherwise it is the caller's own. 409 `prompt_name_taken` if there is one of that name already, 409 `too_many_prompts` beyond 500 per person or workspace.",
    })
    .input(z.strictObject({ organization: id, workspace: id.optional(), name: slug, text: promptText }))
    .output(z.object({ prompt })),
  update: route('database', 'prompt:change')
    .route({
      method: 'PATCH',
      path: '/api/prompts/{prompt}',
      tags: ['Prompts'],
      summary: 'Change a prompt',
      description: 'Omitted fields stay as they are.',
    })
    .input(z.strictObject({ prompt: id, name: slug.optional(), text: promptText.optional() }))
    .output(z.object({ prompt })),
  remove: route('database', 'prompt:change')
    .route({ method: 'DELETE', path: '/api/prompts/{prompt}', tags: ['Prompts'], summary: 'Delete a prompt' })
    .input(z.strictObject({ prompt: id }))
    .output(done),
};

const customInstructions = z.object({ text: z.string(), enabled: z.boolean() });
export type CustomInstructions = z.infer<typeof customInstructions>;

export const instructions = {
  show: route('database', 'member', 'query')
    .route({
      method: 'GET',
      path: '/api/me/instructions',
      tags: ['Prompts'],
      summary: "The caller's custom instructions in an organization",
    })
    .input(z.strictObject({ organization: id }))
    .output(z.object({ instructions: customInstructions })),
  save: route('database', 'member', 'body')
    .route({
      method: 'PUT',
      path: '/api/me/instructions',
      tags: ['Prompts'],
      summary: "Save the caller's custom instructions in an organization",
      description:
        'While they are enabled, every direct answer of `/api/chat` gets them before the conversation. Background runs and `/v1` do not.',
    })
    .input(
      z.strictObject({
        organization: id,
        text: z.string().max(8_000),
        enabled: z.boolean(),
      }),
    )
    .output(z.object({ instructions: customInstructions })),
};
