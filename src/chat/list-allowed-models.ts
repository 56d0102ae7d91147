import { AppError } from '../base/errors.ts';
import type { CatalogModel } from '../catalog/model-catalog.ts';
import { decideTurn } from './decide-turn.ts';
import { type OpenTurnDeps, refuseRevoked, scopeOf, type TurnCaller } from './open-turn.ts';

/** What the caller could ask for now: every model for which the checks before the reservation find a way. */
export async function listAllowedModels(deps: Pick<OpenTurnDeps, 'contexts' | 'settings' | 'admit'>, caller: TurnCaller): Promise<CatalogModel[]> {
  const { userId, organizationId, workspace } = caller;
  await refuseRevoked(deps, caller);
  // Not from memory: a list has no admission statement that would notice a change.
  if (organizationId !== undefined) deps.contexts.forget({ userId, organizationId, workspace });
  const context = organizationId === undefined ? undefined : await deps.contexts.find({ userId, organizationId, workspace });
  if (organizationId !== undefined && !context) throw new AppError('workspace_membership_required');
  const scope = scopeOf(deps, caller, {});
  return deps.settings.catalog.models.filter(({ id, modality }) => decideTurn(deps.settings, context, { model: id, modality, scope }).refusal === undefined);
}
