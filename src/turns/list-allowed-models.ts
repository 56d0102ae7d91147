import { type CatalogModel, findModel } from '../catalog/model-catalog.ts';
import { decideTurn } from './decide-turn.ts';
import { unlistedNames } from './models-accounts.ts';
import { findContext, forgetContext, type OpenTurnDeps, scopeOf, type TurnCaller } from './open-turn.ts';
import { routeAsModel } from './routes/present-route.ts';
import { refuseRevoked } from './take-from-limit.ts';

/**
 * The models the caller could use now: those for which the checks before the reservation find a route, with those of
 * accounts and routes last. With a name, just the model it refers to; an account may serve names that no list can contain.
 */
export async function listAllowedModels(
  deps: Pick<OpenTurnDeps, 'contexts' | 'settings' | 'admit'>,
  caller: TurnCaller,
  name?: string,
): Promise<CatalogModel[]> {
  await refuseRevoked(deps, caller);
  // Not from the cache: listing has no admission statement that would notice a change.
  forgetContext(deps, caller);
  const context = await findContext(deps, caller);
  const scope = scopeOf(deps, caller, {});
  const { catalog } = deps.settings;
  const names =
    name === undefined
      ? [
          ...catalog.models.map(({ id }) => id),
          ...unlistedNames(catalog, context, scope),
          ...(context?.routes ?? []).map((route) => route.name),
        ]
      : [name];
  return names.flatMap((model) => {
    const decision = decideTurn(deps.settings, context, {
      model,
      modality: findModel(catalog, model)?.modality ?? 'chat',
      scope,
      models: caller.models,
    });
    if (decision.refusal) return [];
    const { course, route } = decision;
    const listed = findModel(catalog, model);
    return [course ? (listed ?? routeAsModel(catalog, course.route)) : route.model];
  });
}
