// The catalogue as one scope sees it: each model is judged as a turn there would be, by the policy and, in strict mode,
// by the keys. The Study Mode pin is reported beside the list, because it applies to all models alike.
import { AppError } from '../base/errors.ts';
import type { CatalogModel, Modality, TokenPrice } from '../catalog/model-catalog.ts';
import { unlistedModel } from '../catalog/unlisted-model.ts';
import type { ListedModel } from '../contract/models.ts';
import type { ZdrBypass } from '../enforcement/policy-checkpoint.ts';
import { readPolicy } from '../enforcement/read-policy.ts';
import { openKey } from '../keys/find-provider-key.ts';
import type { ModelSettings } from '../keys/model-settings.ts';
import { declaredForRuns, isProviderId } from '../model-providers/providers.ts';
import { createSecretCache, providerKeyContext } from '../keys/sealed-secrets.ts';
import type { Queryable } from '../store/database.ts';
import { settingsFrom, settingsOf } from './answer-settings.ts';
import { type Decision, decideTurn, type TurnSettings } from './decide-turn.ts';
import { unlistedNames } from './models-accounts.ts';
import { scopeOf } from './open-turn.ts';
import { modelsOf, routeAsListed } from './routes/present-route.ts';
import { findTurnContext, type TurnContext } from './turn-context.ts';

export interface ModelListRequest {
  readonly userId: string;
  readonly organizationId: string;
  /** As given in the request; undefined if none was. */
  readonly workspace?: string | undefined;
  readonly modality?: Modality | undefined;
}

export interface ModelList {
  readonly models: ListedModel[];
  readonly requireProviderKey: boolean;
  readonly enforceStudyMode: boolean;
  readonly demo: boolean;
}

export async function listModels(
  db: Queryable,
  settings: ModelSettings,
  request: ModelListRequest,
): Promise<ModelList> {
  const context = await getContext(db, request);
  const { requireProviderKey, enforceStudyMode } = await readPolicy(db, context.organizationId);
  const hasKey = executableKeys(context, settings.wrappingKey);
  const turns: TurnSettings = {
    catalog: settings.catalog,
    strict: settings.strict,
    open: createSecretCache(settings.wrappingKey),
    platformKeys: settings.platformKeys,
  };
  const unpinned = { ...context, policy: { ...context.policy, enforceStudyMode: false } };
  const scope = scopeOf({ settings: turns }, request, {});
  const wanted = request.modality ?? 'chat';
  const judge = (model: CatalogModel, isPaid: ZdrBypass): ListedModel =>
    present(model, decideTurn(turns, unpinned, { model: model.id, modality: model.modality, scope }), isPaid);
  const judged = settings.catalog.models
    .filter(({ modality }) => modality === wanted)
    .map((model) => judge(model, hasKey));
  // Everything an account serves counts as chat, as its patterns do not say otherwise; the account pays for it.
  const unlisted =
    wanted === 'chat'
      ? unlistedNames(settings.catalog, context, scope).map((name) =>
          judge(unlistedModel(settings.catalog, name, wanted), () => true),
        )
      : [];
  const routes =
    wanted === 'chat'
      ? context.routes.flatMap(
          (route) =>
            routeAsListed(
              route,
              modelsOf(settings.catalog, route).map((model) => judge(model, hasKey)),
            ) ?? [],
        )
      : [];
  return { models: [...judged, ...unlisted, ...routes], requireProviderKey, enforceStudyMode, demo: settings.demo };
}

/** The denials that a turn would be refused with. Other obstacles, such as a missing route, are not denials. */
function denialsOf({ refusal }: Decision): string[] {
  if (refusal?.code === 'policy_denied') return [...(refusal.details['denials'] as readonly string[])];
  return refusal?.code === 'provider_key_denied' ? [String(refusal.details['denial'])] : [];
}

async function getContext(
  db: Queryable,
  { userId, organizationId, workspace }: ModelListRequest,
): Promise<TurnContext> {
  const context = await findTurnContext(db, { userId, organizationId, workspace });
  if (!context) throw new AppError('not_found');
  return context;
}

function present(model: CatalogModel, decision: Decision, hasKey: ZdrBypass): ListedModel {
  const [first] = model.providers;
  const denials = denialsOf(decision);
  const traits = (decision.refusal ? undefined : decision.route.declared?.traits) ?? first?.traits;
  const settings = decision.refusal ? first && settingsFrom(first.traits, first.provider) : settingsOf(decision.route);
  return {
    id: model.id,
    name: model.name,
    modality: model.modality,
    providers: model.providers.map(({ provider }) => provider),
    zdr: Object.fromEntries(model.providers.map(({ provider, zdr }) => [provider, zdr])),
    contextWindow: model.contextWindow,
    maxOutputTokens: model.maxOutputTokens,
    price: first?.price
      ? {
          ...ratesOf(first.price),
          ...(first.price.longInput && {
            longInput: { aboveTokens: first.price.longInput.aboveTokens, ...ratesOf(first.price.longInput) },
          }),
        }
      : null,
    prices: model.providers.flatMap(({ provider, price: one, priceFrom }) =>
      one
        ? [
            {
              provider,
              ...allRatesOf(one),
              ...(one.longInput && {
                longInput: { aboveTokens: one.longInput.aboveTokens, ...allRatesOf(one.longInput) },
              }),
              source: priceFrom?.source ?? '',
              ...(priceFrom?.date === undefined ? {} : { date: priceFrom.date }),
            },
          ]
        : [],
    ),
    allowed: denials.length === 0,
    denials,
    hasProviderKey: model.providers.some(({ provider }) => hasKey(provider)),
    takesOwnKey: model.providers.some(({ provider }) => isProviderId(provider)),
    forRuns: declaredForRuns(model) !== undefined,
    credential: decision.refusal ? null : decision.route.credential.kind,
    capabilities: {
      images: traits?.vision ?? false,
      pdf: traits?.pdf ?? false,
      tools: traits?.tools ?? false,
      efforts: [...(settings?.efforts ?? [])],
      ...(settings?.defaultEffort === undefined ? {} : { defaultEffort: settings.defaultEffort }),
      temperature: settings?.temperature?.when === 'always',
      ...(settings?.temperature === undefined ? {} : { temperatures: settings.temperature }),
    },
  };
}

type Rates = NonNullable<ListedModel['price']>;

const ratesOf = ({ input, output }: TokenPrice): Pick<Rates, 'input' | 'output'> => ({ input, output });
const allRatesOf = (price: TokenPrice): Pick<TokenPrice, 'input' | 'output' | 'cacheRead' | 'cacheWrite'> => ({
  ...ratesOf(price),
  cacheRead: price.cacheRead,
  cacheWrite: price.cacheWrite,
});

/** Keys of the organization scope and of the scope itself, which are all that the context holds. */
function executableKeys({ organizationId, keys }: TurnContext, wrappingKey: Buffer | undefined): ZdrBypass {
  const open = keys.filter(
    ({ workspaceId, provider, sealed }) =>
      isProviderId(provider) &&
      openKey(wrappingKey, sealed, providerKeyContext({ organizationId, workspaceId, provider })).status === 'present',
  );
  const providers = new Set(open.map(({ provider }) => provider));
  return (provider) => providers.has(provider);
}
