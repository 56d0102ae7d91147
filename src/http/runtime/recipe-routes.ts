// Recipes over HTTP. The scope that the contract names for a route is checked first, then the caller's membership.
import { implement } from '@orpc/server';
import { AppError } from '../../base/errors.ts';
import { runtimeContract } from '../../contract/contract.ts';
import type { UnknownHere } from '../../contract/recipes/recipes.ts';
import type { StandingRequest } from '../../contract/standing/standing-runs.ts';
import { findUnstartable, requireStartable } from '../../runs/delivery/start-run.ts';
import { presentRun, storedWaiting } from '../../runs/reading/present-run.ts';
import { changeRecipe, createRecipe, removeRecipe } from '../../runs/recipes/change-recipe.ts';
import { fillObjective } from '../../runs/recipes/fill-objective.ts';
import { getRecipe, listRecipes } from '../../runs/recipes/find-recipes.ts';
import { presentRecipe, toRecipeFile } from '../../runs/recipes/recipe.ts';
import { type PlannedRun, planRun } from '../../runs/standing/planned-run.ts';
import type { Membership } from '../../tenancy/members/membership.ts';
import { type Caller, findCallerMembership } from '../../tenancy/tokens/find-caller.ts';
import { getMember, startForCaller, type StartForCallerDeps } from './start-for-caller.ts';

export function recipesRouter(deps: StartForCallerDeps) {
  const { db } = deps;
  const route = implement(runtimeContract.recipes).$context<{ caller: Caller }>();
  const planFor = async (caller: Caller, run: StandingRequest): Promise<PlannedRun> => {
    const { fundingWorkspace } = run;
    const funding = fundingWorkspace === undefined ? undefined : await getMember(db, caller, fundingWorkspace);
    return planRun(run, funding?.workspaceId);
  };

  /** Owners and admins of the organization see a workspace that they are not in. */
  const getSeen = async (caller: Caller, workspace: string): Promise<Membership> => {
    const membership = await findCallerMembership(db, caller, workspace);
    if (!membership || (!membership.isWorkspaceMember && membership.organizationRole === 'member'))
      throw new AppError('workspace_membership_required');
    return membership;
  };

  return route.router({
    list: route.list.handler(async ({ input: { workspace, ...query }, context: { caller } }) => {
      const membership = workspace === undefined ? undefined : await getSeen(caller, workspace);
      const { recipes, ...more } = await listRecipes(db, caller, { ...query, workspaceId: membership?.workspaceId });
      return { recipes: recipes.map(presentRecipe), ...more };
    }),

    get: route.get.handler(async ({ input, context: { caller } }) => ({
      recipe: presentRecipe(await getRecipe(db, caller, input.id)),
    })),

    create: route.create.handler(async ({ input: { name, description = '', run }, context: { caller } }) => {
      const membership = await getMember(db, caller, run.workspace);
      const planned = await planFor(caller, run);
      await requireStartable(deps, membership, planned);
      return { recipe: presentRecipe(await createRecipe(db, membership, { name, description, run: planned })) };
    }),

    update: route.update.handler(async ({ input: { id, run, ...change }, context: { caller } }) => {
      const planned = run === undefined ? undefined : await planFor(caller, run);
      if (planned) {
        const { workspaceId } = await getRecipe(db, caller, id);
        await requireStartable(deps, await getSeen(caller, workspaceId), planned);
      }
      return { recipe: presentRecipe(await changeRecipe(db, caller, id, { ...change, run: planned })) };
    }),

    remove: route.remove.handler(async ({ input, context: { caller } }) => {
      await removeRecipe(db, caller, input.id);
      return { ok: true as const };
    }),

    run: route.run.handler(async ({ input: { id, fields = {}, idempotencyKey }, context: { caller } }) => {
      const { workspaceId, run } = await getRecipe(db, caller, id);
      const { fundingWorkspaceId, ...planned } = run;
      const started = await startForCaller(deps, caller, {
        ...planned,
        objective: fillObjective(run.objective, fields),
        workspace: workspaceId,
        fundingWorkspace: fundingWorkspaceId,
        idempotencyKey,
        startedBy: id,
      });
      return { job: presentRun(started, storedWaiting(started)) };
    }),

    export: route.export.handler(async ({ input, context: { caller } }) =>
      toRecipeFile(await getRecipe(db, caller, input.id)),
    ),

    import: route.import.handler(async ({ input, context: { caller } }) => {
      const { name, description = '', run } = input.recipe;
      const membership = await getMember(db, caller, input.workspace);
      const planned = await planFor(caller, { ...run, fundingWorkspace: input.fundingWorkspace });
      const recipe = await createRecipe(db, membership, { name: input.name ?? name, description, run: planned });
      const faults = await findUnstartable(deps, membership, planned);
      return { recipe: presentRecipe(recipe), unknown: faults.map((fault) => toUnknown(fault, planned)) };
    }),
  });
}

function toUnknown({ code, details }: AppError, { environment = '' }: PlannedRun): UnknownHere {
  // Its environment has no repository here, or one that cannot be pushed to.
  if (code === 'push_not_allowed' || code === 'invalid_request') return { code: 'push_not_allowed', name: environment };
  return {
    code: code as UnknownHere['code'],
    name: String(details['model'] ?? details['capability'] ?? details['environment']),
  };
}
