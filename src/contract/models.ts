import { z } from 'zod';
import { route } from './authority.ts';
import { id } from './common.ts';

/** Levels of reasoning effort, from lowest to highest. */
export const EFFORTS = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const;

const modality = z.enum(['chat', 'embedding']);

const rates = { input: z.number(), output: z.number() };
const allRates = { ...rates, cacheRead: z.number(), cacheWrite: z.number() };

/** `longInput`: what the whole request costs if its input is longer than `aboveTokens`. */
const listedModel = z.object({
  id,
  name: z.string(),
  modality,
  /** In the order in which they are tried. */
  /** Of a route: the models that it tries, in order. */
  models: z.array(z.string()).optional(),
  providers: z.array(z.string()),
  /** By provider: whether it retains no request data. */
  zdr: z.record(z.string(), z.boolean()),
  contextWindow: z.number(),
  maxOutputTokens: z.number(),
  /** US dollars per million tokens at the first declared provider; null when unknown. */
  price: z.object({ ...rates, longInput: z.object({ aboveTokens: z.number(), ...rates }).optional() }).nullable(),
  /** The same at every provider that has one, with its source and the day it was checked or holds from. */
  prices: z
    .array(
      z.object({
        provider: z.string(),
        ...allRates,
        longInput: z.object({ aboveTokens: z.number(), ...allRates }).optional(),
        source: z.string(),
        date: z.string().optional(),
      }),
    )
    .optional(),
  /** Whether a turn in this scope passes the policy and, in strict mode, finds a key; `denials` says why not. */
  allowed: z.boolean(),
  denials: z.array(z.string()),
  /** Whether a declared provider has an executable key in the organization scope or in this one. */
  hasProviderKey: z.boolean(),
  /** Whether a key of one of its providers would make it available. */
  takesOwnKey: z.boolean(),
  /** Whether background runs can use it. */
  forRuns: z.boolean(),
  /** What would pay for a turn now; null when nothing could, or when the turn would be refused. */
  credential: z.enum(['models-account', 'own-key', 'platform']).nullable(),
  capabilities: z.object({
    images: z.boolean(),
    pdf: z.boolean(),
    tools: z.boolean(),
    /** The levels of reasoning effort that it takes, lowest first; empty if it takes none. */
    efforts: z.array(z.enum(EFFORTS)),
    /** The effort of an answer for which none is set; absent if the model decides. */
    defaultEffort: z.enum(EFFORTS).optional(),
    /** Whether it takes a temperature at every effort. */
    temperature: z.boolean(),
    /** The temperatures that it takes, from 0; absent if it takes none. */
    temperatures: z.object({ max: z.number(), when: z.enum(['always', 'unless-reasoning']) }).optional(),
  }),
});
export type ListedModel = z.infer<typeof listedModel>;

export const models = {
  list: route('database', 'turn-scope', 'query')
    .route({
      method: 'GET',
      path: '/api/models',
      tags: ['Models'],
      summary: 'List models and whether the policy allows them',
      description:
        'Evaluated like a turn in `workspace`, or one in `organization` without a workspace. Lists chat models, or embedding models with `modality=embedding`.',
    })
    .input(z.strictObject({ workspace: id.optional(), organization: id.optional(), modality: modality.optional() }))
    .output(
      z.object({
        models: z.array(listedModel),
        /**
         * The organization wants its members to see only models that have a provider key; clients filter, the server
         * does not.
         */
        requireProviderKey: z.boolean(),
        /** Every turn uses the Study Mode model, whichever is selected here. */
        enforceStudyMode: z.boolean(),
        /** The deployment runs on demo providers. */
        demo: z.boolean(),
      }),
    ),
};
