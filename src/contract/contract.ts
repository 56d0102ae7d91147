// The whole typed interface, by the process that serves it. Clients and the OpenAPI document are generated from it.
import type { WebRoutes } from './authority.ts';
import { account } from './account/account.ts';
import { caller } from './caller/caller.ts';
import { connections } from './connections.ts';
import { feedback } from './feedback/feedback.ts';
import { environments } from './environments/environments.ts';
import { enforcement } from './enforcement.ts';
import { guardrails } from './guardrails.ts';
import { imports } from './imports/imports.ts';
import { jobs } from './jobs.ts';
import { leaving } from './leaving/leaving.ts';
import { models } from './models.ts';
import { modelsAccount } from './models-account.ts';
import { invitations, me, organizations } from './organizations.ts';
import type { ScopedRoutes } from './needs-scope.ts';
import { routes } from './routes/model-routes.ts';
import { policy } from './policy.ts';
import { projects } from './projects.ts';
import { instructions, prompts } from './prompts.ts';
import { providerKeys } from './provider-keys.ts';
import { receipts } from './receipts.ts';
import { recipes } from './recipes/recipes.ts';
import { sandbox } from './sandbox.ts';
import { schedules } from './standing/schedules.ts';
import { shares } from './shares.ts';
import { subscriptions } from './subscriptions/subscriptions.ts';
import { spend } from './spend.ts';
import { chat, threads } from './threads.ts';
import { tokens } from './tokens.ts';
import { triggers } from './standing/triggers.ts';
import { usage } from './usage.ts';
import { workspaces } from './workspaces.ts';

/** Served by the web server, at `/` of the gateway; the caller is a session. */
export const webContract = {
  me,
  account,
  organizations,
  leaving,
  invitations,
  workspaces,
  tokens,
  providerKeys,
  modelsAccount,
  models,
  routes,
  policy,
  enforcement,
  usage,
  spend,
  guardrails,
  projects,
  threads,
  shares,
  chat,
  feedback,
  prompts,
  instructions,
  imports,
} satisfies WebRoutes;

/** Served by the runtime, at `/runtime` of the gateway; the caller is a connect token. */
export const runtimeContract = {
  caller,
  jobs,
  schedules,
  triggers,
  subscriptions,
  recipes,
  environments,
  receipts,
  sandbox,
} satisfies ScopedRoutes;

/** Served by the runtime, at `/connect` of the gateway, unstripped; the caller is a connect token. */
export const connectContract = { connections } satisfies ScopedRoutes;
