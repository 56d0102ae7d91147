import { AppError } from '../base/errors.ts';
import type { CatalogModel } from '../catalog/model-catalog.ts';
import { decideTurn, type TurnSettings } from './decide-turn.ts';
import type { TurnCaller } from './open-turn.ts';
import type { TurnContextCache } from './turn-context-cache.ts';

/** What the caller could ask for now: every model for which the checks before the reservation find a way. */
export async function listAllowedModels(deps: { readonly contexts: TurnContextCache; readonly settings: TurnSettings }, caller: TurnCaller): Promise<CatalogModel[]> {
  const { userId, organizationId, workspace } = caller;
  // Not from memory: a list has no admission statement that would notice a change.
  if (organizationId !== undefined) deps.contexts.forget({ userId, organizationId, workspace });
  const context = organizationId === undefined ? undefined : await deps.contexts.find({ userId, organizationId, workspace });
  if (organizationId !== undefined && !context) throw new AppError('workspace_membership_required');
  const scope = deps.settings.strict && workspace === undefined ? 'organization' : 'workspace';
  return deps.settings.catalog.models.filter(({ id, modality }) => decideTurn(deps.settings, context, { model: id, modality, scope }).refusal === undefined);
}
