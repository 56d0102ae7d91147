import { z } from 'zod';
import { route } from './authority.ts';
import { id, timestamp } from './common.ts';

const visible = z.string().regex(/^[\x21-\x7e]+$/, 'must be printable characters without spaces');

/** An OpenAI-compatible account. In a pattern of `models`, `*` stands for any run of characters. */
const modelsAccountInput = z.object({
  /** Includes `/v1`. */
  baseUrl: z.string().trim().min(1).max(2_000),
  key: z.string().trim().min(1).max(4_096).pipe(visible),
  models: z.array(z.string().trim().min(1).max(200).pipe(visible)).min(1).max(200),
  /** Whether it accepts `reasoning_effort`; otherwise the effort is dropped from translated requests. */
  takesEffort: z.boolean().default(false),
});
export type ModelsAccountInput = z.output<typeof modelsAccountInput>;

/** The key is never returned. */
const modelsAccountState = z.object({
  configured: z.boolean(),
  baseUrl: z.string().optional(),
  models: z.array(z.string()).optional(),
  takesEffort: z.boolean().optional(),
  fingerprint: z.string().optional(),
  updatedAt: timestamp.optional(),
  /** The deployment's wrapping key has changed: save the account again. */
  undecryptable: z.boolean().optional(),
});
export type ModelsAccountState = z.infer<typeof modelsAccountState>;

const path = '/api/workspaces/{ws}/models-account' as const;
const organizationPath = '/api/organizations/{org}/models-account' as const;

export const modelsAccount = {
  show: route('database', 'workspace')
    .route({ method: 'GET', path, tags: ['Models account'], summary: "The workspace's Models account" })
    .input(z.strictObject({ ws: id }))
    .output(modelsAccountState),
  save: route('provider', 'models-account:manage')
    .route({
      method: 'PUT',
      path,
      tags: ['Models account'],
      summary: 'Set the Models account; every change includes the key',
    })
    .input(z.strictObject({ ws: id, ...modelsAccountInput.shape }))
    .output(modelsAccountState),
  remove: route('database', 'models-account:manage')
    .route({ method: 'DELETE', path, tags: ['Models account'], summary: 'Remove the Models account' })
    .input(z.strictObject({ ws: id }))
    .output(modelsAccountState),
  /** For every workspace of the organization that has none of its own. */
  organization: {
    show: route('database', 'organization-scope')
      .route({
        method: 'GET',
        path: organizationPath,
        tags: ['Models account'],
        summary: "The organization's Models account",
      })
      .input(z.strictObject({ org: id }))
      .output(modelsAccountState),
    save: route('provider', 'organization-scope:manage')
      .route({
        method: 'PUT',
        path: organizationPath,
        tags: ['Models account'],
        summary: "Set the organization's Models account; the key is given at every change",
      })
      .input(z.strictObject({ org: id, ...modelsAccountInput.shape }))
      .output(modelsAccountState),
    remove: route('database', 'organization-scope:manage')
      .route({
        method: 'DELETE',
        path: organizationPath,
        tags: ['Models account'],
        summary: "Remove the organization's Models account",
      })
      .input(z.strictObject({ org: id }))
      .output(modelsAccountState),
  },
};
