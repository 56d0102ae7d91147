import { type CatalogModel, findModel } from '../catalog/model-catalog.ts';
import { decideTurn, unlistedNames } from './decide-turn.ts';
import { findContext, forgetContext, type OpenTurnDeps, refuseRevoked, scopeOf, type TurnCaller } from './open-turn.ts';

/**
 * What the caller could ask for now: every model for which the checks before the reservation find a way, those of
 * accounts last. With a name, the one model that it means; an account may serve a name that no list can have.
 */
export async function listAllowedModels(
  deps: Pick<OpenTurnDeps, 'contexts' | 'settings' | 'admit'>,
  caller: TurnCaller,
  name?: string,
): Promise<CatalogModel[]> {
  await refuseRevoked(deps, caller);
  // Not from memory: a list has no admission statement that would notice a change.
  forgetContext(deps, caller);
  const context = await findContext(deps, caller);
  const scope = scopeOf(deps, caller, {});
  const { catalog } = deps.settings;
  const names =
    name === undefined ? [...catalog.models.map(({ id }) => id), ...unlistedNames(catalog, context, scope)] : [name];
  return names.flatMap((model) => {
    const decision = decideTurn(deps.settings, context, {
      model,
      modality: findModel(catalog, model)?.modality ?? 'chat',
      scope,
    });
    return decision.refusal ? [] : [decision.route.model];
  });
}
