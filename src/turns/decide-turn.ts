// Decides a turn from what is known about it, without I/O: catalogue, policy, credential; of a route, the first model that
// passes them. Refusals are returned as values, because the per-user limit takes precedence and only the database knows
// it.
import { AppError } from '../base/errors.ts';
import {
  type CatalogModel,
  type DeclaredProvider,
  declaredAt,
  findModel,
  type Modality,
  type ModelCatalog,
  modelAliases,
  namesAt,
  STUDY_MODEL_ID,
} from '../catalog/model-catalog.ts';
import { namesOfUnlisted, unlistedAtProvider, unlistedModel } from '../catalog/unlisted-model.ts';
import { checkPolicy, isPinned, type PolicyModel, type PolicySettings } from '../enforcement/policy-checkpoint.ts';
import { type KeyLookup, resolveCredential } from '../keys/resolve-credential.ts';
import {
  findProvider,
  findProviderByName,
  isProviderId,
  type ProviderId,
  providerIds,
  PROVIDERS,
} from '../model-providers/providers.ts';
import { modelsAccountContext, type OpenSealed, providerKeyContext } from '../keys/sealed-secrets.ts';
import { isPriceable } from './estimate-cost.ts';
import { accountsFor, findAtAccounts, matchesPattern, type TurnScope } from './models-accounts.ts';
import { afterHop, chooseNextHop, type HopCourse, startCourse } from './routes/choose-next-hop.ts';
import type { ModelsAccount, TurnContext } from './turn-context.ts';

export interface TurnSettings {
  readonly catalog: ModelCatalog;
  /** `CHAT_REQUIRE_BYOK`. */
  readonly strict: boolean;
  /** Opens provider keys and Models accounts. */
  readonly open: OpenSealed;
  /** The deployment's own keys, by provider. */
  readonly platformKeys: Readonly<Record<string, string | undefined>>;
}

export interface TurnQuery {
  readonly model: string;
  readonly modality: Modality;
  readonly scope: TurnScope;
  /** Restricts the turn to providers that background runs can use. */
  readonly forRun?: boolean | undefined;
  /** The patterns of the models that the caller's token may be used for. */
  readonly models?: readonly string[] | undefined;
  /** Whether the surface is passed on as it is: never on platform credit, as nobody knows what it costs. */
  readonly passes?: boolean | undefined;
  /** Of a request that is on its way through a route. */
  readonly course?: HopCourse | undefined;
}

/** What the body of a request to a Models account depends on. */
type AccountTarget = { readonly kind: 'models-account' } & Pick<ModelsAccount, 'protocol' | 'auth' | 'takesEffort'>;

export type Credential =
  | (AccountTarget & { readonly baseUrl: string; readonly key: string })
  | { readonly kind: 'own-key'; readonly key: string }
  | { readonly kind: 'platform'; readonly key: string };

export interface Route {
  readonly model: CatalogModel;
  /** What the request named, if that was a route. */
  readonly asked?: string | undefined;
  /** The catalogue provider that is called or, behind a Models account, the one that declares the model. */
  readonly provider: string;
  readonly upstreamModel: string;
  /** As the catalogue names the model that is called, if the request named an automatic one or a route. */
  readonly served?: string | undefined;
  readonly credential: Credential;
  /** Present if the catalogue has a price. */
  readonly declared: DeclaredProvider | undefined;
  /** The provider may keep nothing of the request, whichever credential pays. */
  readonly requireZdr?: boolean;
}

/** A route without its secrets: what the body of a request depends on. */
export interface RouteTarget extends Omit<Route, 'credential'> {
  readonly credential: AccountTarget | { readonly kind: 'own-key' | 'platform' };
}

/** With the way through the route, if one was named: its `tried` are the models that were passed over. */
export type Decision = { readonly course?: HopCourse | undefined } & (
  | { readonly refusal: AppError }
  | { readonly refusal?: undefined; readonly route: Route }
);

const refuse = (...args: ConstructorParameters<typeof AppError>): Decision => ({ refusal: new AppError(...args) });

/** The name that a request is counted and answered under. */
export const nameOf = ({ asked, model }: Pick<Route, 'asked' | 'model'>): string => asked ?? model.id;

export function decideTurn(settings: TurnSettings, context: TurnContext | undefined, asked: TurnQuery): Decision {
  const begun = asked.course ?? findCourse(context, asked);
  if (!begun) return decideModel(settings, context, asked);
  // Who may use a route may use it whole.
  const models = asked.models?.some((pattern) => matchesPattern(pattern, begun.asked)) ? undefined : asked.models;
  for (let course = begun; ;) {
    const { model, error } = chooseNextHop(course);
    if (model === undefined) return { refusal: error, course };
    const decision = decideModel(settings, context, { ...asked, models, model });
    if (decision.refusal) {
      course = afterHop(course, { kind: 'refused', error: decision.refusal });
      continue;
    }
    const { route } = decision;
    return { route: { ...route, asked: course.asked, served: route.served ?? route.model.id }, course };
  }
}

/** Runs and passed surfaces use one provider only, so they follow no route; embeddings of two models are not alike. */
function findCourse(
  context: TurnContext | undefined,
  { model, modality, forRun, passes }: TurnQuery,
): HopCourse | undefined {
  return context && modality === 'chat' && !forRun && !passes ? startCourse(context.routes, model) : undefined;
}

function decideModel(settings: TurnSettings, context: TurnContext | undefined, asked: TurnQuery): Decision {
  const rules = policyFor(settings.catalog, context);
  if (asked.model === STUDY_MODEL_ID || isPinned(rules)) return refuse('study_mode_unavailable');
  const accounts = accountsFor(context, asked.scope, asked.passes ? 'passed' : asked.modality);
  const keys = readKeys(settings, context, asked.scope);
  const listed = findModel(settings.catalog, asked.model);
  const model = asked.passes
    ? findPassed(settings.catalog, accounts, listed, asked)
    : (listed ??
      findUnlisted(settings.catalog, accounts, asked) ??
      (context?.allowUnlistedModels ? findForOwnKey(settings.catalog, keys, asked) : undefined));
  const notFound = (): Decision => refuse('model_not_found', { model: asked.model });
  if (!model || model.modality !== asked.modality) return notFound();
  if (asked.models && !isNamedBy(asked.models, model)) return refuse('token_model_denied', { model: model.id });

  const policy = checkPolicy(
    rules,
    candidatesOf(settings.catalog, rules, asked.forRun ? forRuns(model) : model),
    keys.bypassesZdr,
  );
  if (policy.outcome === 'denied') return refuse('policy_denied', { denials: policy.denials });

  const atAccount = findAtAccounts(accounts, model, policy.providers, asked.model);
  const resolution = resolveCredential({
    providers: policy.providers,
    strict: settings.strict,
    hasOrganization: context !== undefined,
    modelsAccountRoutes: atAccount !== undefined,
    summary: context?.summary ?? null,
    keyAtScope: (provider) => keys.at(provider).status,
    platformServes: (provider) => !asked.passes && platformServes(settings, model, provider),
  });

  switch (resolution.credential) {
    case 'models-account': {
      const { account, name, provider } = atAccount ?? {};
      const key =
        account &&
        settings.open(
          account.sealed,
          modelsAccountContext({ ...account, organizationId: context?.organizationId ?? '' }),
        );
      if (!account || !name || !provider || key === undefined)
        return refuse('provider_key_undecryptable', { provider: 'models-account' });
      return {
        route: {
          model,
          provider,
          upstreamModel: name,
          served: servedBy(settings.catalog, model, { provider, model: name }),
          credential: { kind: 'models-account', ...targetOfAccount(account), baseUrl: account.baseUrl, key },
          declared: undefined,
          requireZdr: rules.requireZdr,
        },
      };
    }
    case 'own-key':
      return routeTo(
        settings.catalog,
        { model, provider: resolution.provider, rules },
        {
          kind: 'own-key',
          key: keys.at(resolution.provider).key ?? '',
        },
      );
    case 'platform':
      return routeTo(
        settings.catalog,
        { model, provider: resolution.provider, rules },
        {
          kind: 'platform',
          key: settings.platformKeys[resolution.provider] ?? '',
        },
      );
    case 'none':
      if (resolution.reason === 'undecryptable')
        return refuse('provider_key_undecryptable', { provider: resolution.provider });
      if (asked.passes) return refuse('not_on_platform_credit', { model: asked.model });
      if (!listed) return notFound();
      if (resolution.reason === 'denied') return refuse('provider_key_denied', { denial: resolution.denial });
      return refuse('model_not_routable', { model: model.id });
  }
}

const targetOfAccount = ({ protocol, auth, takesEffort }: ModelsAccount): Omit<AccountTarget, 'kind'> => ({
  protocol,
  auth,
  takesEffort,
});

function isNamedBy(patterns: readonly string[], model: CatalogModel): boolean {
  const names = [model.id, ...modelAliases(model)];
  return patterns.some((pattern) => names.some((name) => matchesPattern(pattern, name)));
}

/**
 * A model that is not in the catalogue but that an account serves by name. Never used if the turn is restricted to one
 * provider.
 */
function findUnlisted(
  catalog: ModelCatalog,
  accounts: readonly ModelsAccount[],
  { model, modality, forRun }: TurnQuery,
): CatalogModel | undefined {
  if (forRun || !accounts.some(({ models }) => models.some((pattern) => matchesPattern(pattern, model))))
    return undefined;
  return unlistedModel(catalog, model, modality);
}

/** Models of surfaces that are passed on are mostly in no catalogue. Their provider is the one that has such surfaces. */
function findPassed(
  catalog: ModelCatalog,
  accounts: readonly ModelsAccount[],
  listed: CatalogModel | undefined,
  asked: TurnQuery,
): CatalogModel | undefined {
  const passing = providerIds().find((id) => PROVIDERS[id].passes);
  if (!listed || !passing)
    return (
      findUnlisted(catalog, accounts, asked) ??
      (passing && unlistedAtProvider(passing, withoutPrefix(asked.model, passing)))
    );
  const at = declaredAt(listed, passing);
  // What it costs there is not in the catalogue's prices.
  return at && { ...listed, providers: [{ ...at, price: undefined }] };
}

const withoutPrefix = (name: string, provider: string): string =>
  name.startsWith(`${provider}/`) ? name.slice(provider.length + 1) : name;

/** A model that is not in the catalogue, but by its name is one of a provider that there is a key for. */
function findForOwnKey(
  catalog: ModelCatalog,
  keys: ReadKeys,
  { model, modality, forRun }: TurnQuery,
): CatalogModel | undefined {
  const found = forRun || modality !== 'chat' ? undefined : findProviderByName(model);
  if (!found || keys.at(found.provider).status === 'absent') return undefined;
  // A name of two catalogue models names neither, but the policy knows both.
  if (catalog.models.some((listed) => declaredAt(listed, found.provider)?.model === found.model)) return undefined;
  return unlistedAtProvider(found.provider, found.model);
}

/** The model as if it had no other providers, so that policy and keys are judged for these alone. */
function forRuns(model: CatalogModel): CatalogModel {
  return { ...model, providers: model.providers.filter(({ provider }) => findProvider(provider)?.runsAgents) };
}

const OPEN_POLICY = { disabledProviders: [], disabledModels: [], requireZdr: false, enforceStudyMode: false };

/** A model may have been disabled under one of its other names. */
function policyFor(catalog: ModelCatalog, context: TurnContext | undefined): PolicySettings {
  if (!context) return OPEN_POLICY;
  const { policy } = context;
  return policy.disabledModels.length === 0
    ? policy
    : {
        ...policy,
        disabledModels: policy.disabledModels.flatMap((name) => [name, findModel(catalog, name)?.id ?? name]),
      };
}

/** The input of the policy checkpoint. Names are looked up only if some models are disabled. */
function candidatesOf(
  catalog: ModelCatalog,
  { disabledModels }: PolicySettings,
  { id, providers }: CatalogModel,
): PolicyModel {
  const names = (declared: DeclaredProvider): string[] =>
    findModel(catalog, id) ? namesAt(catalog, declared) : namesOfUnlisted(catalog, id);
  return {
    id,
    providers: providers.map((declared) => ({
      provider: declared.provider,
      zdr: declared.zdr,
      names: disabledModels.length === 0 ? [] : names(declared),
    })),
  };
}

interface Destination {
  readonly model: CatalogModel;
  readonly provider: string;
  readonly rules: PolicySettings;
}

function routeTo(catalog: ModelCatalog, { model, provider, rules }: Destination, credential: Credential): Decision {
  const declared = declaredAt(model, provider);
  if (!declared) return refuse('model_not_routable', { model: model.id });
  const { requireZdr } = rules;
  const served = servedBy(catalog, model, declared);
  return { route: { model, provider, upstreamModel: declared.model, served, credential, declared, requireZdr } };
}

/** A model with several providers is another model at each; one with a single provider is what its name says. */
function servedBy(
  catalog: ModelCatalog,
  { providers }: CatalogModel,
  { provider, model }: Pick<DeclaredProvider, 'provider' | 'model'>,
): string | undefined {
  if (providers.length === 1) return undefined;
  const name = `${provider}/${model}`;
  return findModel(catalog, name)?.id ?? name;
}

/**
 * The deployment has a key for the provider and the catalogue has a price. Platform credit never pays for unpriced
 * models.
 */
function platformServes(settings: TurnSettings, model: CatalogModel, provider: string): boolean {
  const declared = declaredAt(model, provider);
  return (
    declared !== undefined &&
    isPriceable(declared) &&
    isProviderId(provider) &&
    settings.platformKeys[provider] !== undefined
  );
}

interface ReadKey {
  readonly status: KeyLookup;
  readonly key?: string;
}

interface ReadKeys {
  at(provider: ProviderId): ReadKey;
  bypassesZdr(provider: string): boolean;
}

/** The keys that a turn can see. A scope without its own key reads the organization's only if inheritance is on. */
function readKeys(settings: TurnSettings, context: TurnContext | undefined, scope: TurnQuery['scope']): ReadKeys {
  const inScope = (workspaceId: string, provider: string): ReadKey => {
    const stored = context?.keys.find((key) => key.workspaceId === workspaceId && key.provider === provider);
    if (!stored || !context) return { status: 'absent' };
    const key = settings.open(
      stored.sealed,
      providerKeyContext({ organizationId: context.organizationId, workspaceId, provider }),
    );
    return key === undefined ? { status: 'undecryptable' } : { status: 'present', key };
  };
  const global = context?.globalWorkspaceId ?? '';
  const own = scope === 'workspace' ? (context?.workspaceId ?? '') : global;
  const at = (provider: ProviderId): ReadKey => {
    const found = inScope(own, provider);
    return found.status === 'absent' && context?.inheritOrganizationKeys ? inScope(global, provider) : found;
  };
  return {
    at,
    bypassesZdr: (provider) =>
      isProviderId(provider) && (at(provider).status === 'present' || inScope(global, provider).status === 'present'),
  };
}
