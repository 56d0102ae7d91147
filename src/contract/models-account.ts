import { z } from 'zod';
import { type Need, route } from './authority.ts';
import { done, id, timestamp } from './common.ts';
import { ACCOUNT_PROTOCOLS, accountAuths, MOST_ACCOUNTS } from './accounts/account-kinds.ts';

const visible = z.string().regex(/^[\x21-\x7e]+$/, 'must be printable characters without spaces');

/** In a pattern of `models`, `*` stands for any run of characters. */
const modelsAccountInput = z.object({
  /** What is spoken with it; requests in another protocol are translated. */
  protocol: z.enum(ACCOUNT_PROTOCOLS).default('chat'),
  auth: z.enum(accountAuths()).default('bearer'),
  /** The paths of the protocol are appended to it; for `bearer` it includes `/v1`. */
  baseUrl: z.string().trim().min(1).max(2_000),
  key: z.string().trim().min(1).max(16_384),
  models: z.array(z.string().trim().min(1).max(200).pipe(visible)).min(1).max(200),
  /** Whether it accepts `reasoning_effort`; otherwise the effort is dropped from translated requests. */
  takesEffort: z.boolean().default(false),
});
export type ModelsAccountInput = z.output<typeof modelsAccountInput>;

/** The key is never returned. */
const shownAccount = z.object({
  id,
  protocol: z.enum(ACCOUNT_PROTOCOLS),
  auth: z.enum(accountAuths()),
  baseUrl: z.string(),
  models: z.array(z.string()),
  takesEffort: z.boolean(),
  fingerprint: z.string(),
  updatedAt: timestamp,
  /** The deployment's wrapping key has changed: save the account again. */
  undecryptable: z.boolean().optional(),
});
export type ShownAccount = z.infer<typeof shownAccount>;

const firstAccount = shownAccount.partial().extend({ configured: z.boolean() });
export type FirstAccount = z.infer<typeof firstAccount>;

const accountList = z.object({ accounts: z.array(shownAccount) });
const accountAnswer = z.object({ account: shownAccount });

interface Place<Scope> {
  readonly base: '/api/workspaces/{ws}' | '/api/organizations/{org}';
  readonly scope: Scope;
  /** Whose it is, in the summaries. */
  readonly of: string;
  readonly see: Need;
  readonly manage: Need;
}

/** The accounts of one scope, in the order in which they are tried; and, by itself, the first of them. */
function accountRoutes<Scope extends Readonly<Record<string, typeof id>>>({
  base,
  scope,
  of,
  see,
  manage,
}: Place<Scope>) {
  const first = `${base}/models-account` as const;
  const all = `${base}/models-accounts` as const;
  const one = `${all}/{account}` as const;
  const tags = ['Models account'];
  return {
    show: route('database', see)
      .route({ method: 'GET', path: first, tags, summary: `The first Models account of ${of}` })
      .input(z.strictObject(scope))
      .output(firstAccount),
    save: route('provider', manage)
      .route({
        method: 'PUT',
        path: first,
        tags,
        summary: `Set the first Models account of ${of}; every change includes the key`,
      })
      .input(z.strictObject({ ...scope, ...modelsAccountInput.shape }))
      .output(firstAccount),
    remove: route('database', manage)
      .route({ method: 'DELETE', path: first, tags, summary: `Remove the first Models account of ${of}` })
      .input(z.strictObject(scope))
      .output(firstAccount),
    accounts: {
      list: route('database', see)
        .route({
          method: 'GET',
          path: all,
          tags,
          summary: `The Models accounts of ${of}, in the order in which they are tried`,
        })
        .input(z.strictObject(scope))
        .output(accountList),
      create: route('provider', manage)
        .route({
          method: 'POST',
          path: all,
          tags,
          successStatus: 201,
          summary: `Add a Models account to ${of}, after the others`,
          description: `409 \`too_many_models_accounts\` beyond ${MOST_ACCOUNTS}.`,
        })
        .input(z.strictObject({ ...scope, ...modelsAccountInput.shape }))
        .output(accountAnswer),
      order: route('database', manage)
        .route({
          method: 'PUT',
          path: all,
          tags,
          summary: `Set the order in which the Models accounts of ${of} are tried; names each of them once`,
        })
        .input(z.strictObject({ ...scope, order: z.array(id).max(MOST_ACCOUNTS) }))
        .output(accountList),
      save: route('provider', manage)
        .route({
          method: 'PUT',
          path: one,
          tags,
          summary: `Change a Models account of ${of}; every change includes the key`,
        })
        .input(z.strictObject({ ...scope, account: id, ...modelsAccountInput.shape }))
        .output(accountAnswer),
      remove: route('database', manage)
        .route({ method: 'DELETE', path: one, tags, summary: `Remove a Models account of ${of}` })
        .input(z.strictObject({ ...scope, account: id }))
        .output(done),
    },
  };
}

export const modelsAccount = {
  ...accountRoutes({
    base: '/api/workspaces/{ws}',
    scope: { ws: id },
    of: 'the workspace',
    see: 'workspace',
    manage: 'models-account:manage',
  }),
  /** Used in every workspace, after its own. */
  organization: accountRoutes({
    base: '/api/organizations/{org}',
    scope: { org: id },
    of: 'the organization',
    see: 'organization-scope',
    manage: 'organization-scope:manage',
  }),
};
