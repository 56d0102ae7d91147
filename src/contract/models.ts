import { z } from 'zod';
import { route } from './authority.ts';
import { id } from './common.ts';

const modality = z.enum(['chat', 'embedding']);

export const listedModel = z.object({
  id,
  name: z.string(),
  modality,
  /** In the order in which they are tried. */
  providers: z.array(z.string()),
  /** By provider: whether it keeps nothing of a request. */
  zdr: z.record(z.string(), z.boolean()),
  contextWindow: z.number(),
  maxOutputTokens: z.number(),
  /** US dollars per million tokens, at the first declared provider; null when it is not known. */
  price: z.object({ input: z.number(), output: z.number() }).nullable(),
  /** Whether a turn of this scope passes the policy and, in strict mode, finds a key; `denials` says why not. */
  allowed: z.boolean(),
  denials: z.array(z.string()),
  /** Whether a declared provider has an executable key in the organization scope or in this one. */
  hasProviderKey: z.boolean(),
});
export type ListedModel = z.infer<typeof listedModel>;

export const models = {
  list: route('database', 'turn-scope', 'query')
    .route({
      method: 'GET',
      path: '/api/models',
      tags: ['Models'],
      summary: 'The model catalogue, with what the policy allows',
      description:
        'Judged as a turn in `workspace` would be, or as one of `organization` that picks no workspace. Lists chat models; embedding models with `modality=embedding`.',
    })
    .input(z.strictObject({ workspace: id.optional(), organization: id.optional(), modality: modality.optional() }))
    .output(
      z.object({
        models: z.array(listedModel),
        /** The organization asks its members to see only models with a key of their own; clients filter, the server does not. */
        requireProviderKey: z.boolean(),
        /** Every turn is pinned to the Study Mode model, whatever is chosen here. */
        enforceStudyMode: z.boolean(),
        /** The deployment runs on demo providers. */
        demo: z.boolean(),
      }),
    ),
};
