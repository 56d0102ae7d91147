// The catalogue as one scope sees it: each model judged by the same checkpoint that judges a request. The Study Mode
// pin does not show model by model, because it leaves no choice: it is said beside the list.
import { AppError } from '../base/errors.ts';
import type { CatalogModel } from '../catalog/model-catalog.ts';
import type { ListedModel } from '../contract/models.ts';
import { checkPolicy, type ZdrBypass } from '../enforcement/policy-checkpoint.ts';
import { readPolicy } from '../enforcement/read-policy.ts';
import { openKey } from '../keys/find-provider-key.ts';
import type { ModelSettings } from '../keys/model-settings.ts';
import { isOwnKeyProvider } from '../keys/resolve-credential.ts';
import { providerKeyContext } from '../keys/seal-contexts.ts';
import type { Queryable } from '../store/database.ts';
import { findStanding } from '../tenancy/find-standing.ts';
import { findTurnContext, type TurnContext } from './turn-context.ts';

export interface ModelsPlace {
  readonly userId: string;
  readonly organization?: string | undefined;
  readonly workspace?: string | undefined;
}

export interface ModelList {
  readonly models: ListedModel[];
  readonly requireProviderKey: boolean;
  readonly enforceStudyMode: boolean;
  readonly demo: boolean;
}

export async function listModels(db: Queryable, settings: ModelSettings, place: ModelsPlace): Promise<ModelList> {
  const context = await getContext(db, place);
  const { requireProviderKey, enforceStudyMode } = await readPolicy(db, context.organizationId);
  const hasKey = executableKeys(context, settings.wrappingKey);
  return { models: settings.catalog.models.map((model) => judgeModel(model, context, hasKey)), requireProviderKey, enforceStudyMode, demo: settings.demo };
}

async function getContext(db: Queryable, { userId, organization, workspace }: ModelsPlace): Promise<TurnContext> {
  if (organization === undefined && workspace === undefined) throw new AppError('invalid_request', { workspace: 'is required unless organization is given' });
  const organizationId = organization ?? (await findStanding(db, { userId, workspaceId: workspace }))?.organizationId;
  const context = organizationId === undefined ? undefined : await findTurnContext(db, { userId, organizationId, workspace });
  if (!context) throw new AppError('not_found');
  return context;
}

function judgeModel(model: CatalogModel, { policy }: TurnContext, hasKey: ZdrBypass): ListedModel {
  const decision = checkPolicy({ ...policy, enforceStudyMode: false }, model, hasKey);
  const price = model.providers[0]?.price;
  return {
    id: model.id,
    name: model.name,
    modality: model.modality,
    providers: model.providers.map(({ provider }) => provider),
    zdr: Object.fromEntries(model.providers.map(({ provider, zdr }) => [provider, zdr])),
    contextWindow: model.contextWindow,
    maxOutputTokens: model.maxOutputTokens,
    price: price ? { input: price.input, output: price.output } : null,
    allowed: decision.outcome === 'allowed',
    denials: decision.outcome === 'denied' ? [...decision.denials] : [],
    hasProviderKey: model.providers.some(({ provider }) => hasKey(provider)),
  };
}

/** Keys of the organization scope and of the scope itself, which are all that the context holds. */
function executableKeys({ organizationId, keys }: TurnContext, wrappingKey: Buffer | undefined): ZdrBypass {
  const open = keys.filter(({ workspaceId, provider, sealed }) => isOwnKeyProvider(provider) && openKey(wrappingKey, sealed, providerKeyContext({ organizationId, workspaceId, provider })).status === 'present');
  const providers = new Set(open.map(({ provider }) => provider));
  return (provider) => providers.has(provider);
}
