import type { CatalogModel } from '../catalog/model-catalog.ts';
import { decideTurn } from './decide-turn.ts';
import { findContext, forgetContext, type OpenTurnDeps, refuseRevoked, scopeOf, type TurnCaller } from './open-turn.ts';

/** What the caller could ask for now: every model for which the checks before the reservation find a way. */
export async function listAllowedModels(deps: Pick<OpenTurnDeps, 'contexts' | 'settings' | 'admit'>, caller: TurnCaller): Promise<CatalogModel[]> {
  await refuseRevoked(deps, caller);
  // Not from memory: a list has no admission statement that would notice a change.
  forgetContext(deps, caller);
  const context = await findContext(deps, caller);
  const scope = scopeOf(deps, caller, {});
  return deps.settings.catalog.models.filter(({ id, modality }) => decideTurn(deps.settings, context, { model: id, modality, scope }).refusal === undefined);
}
