// The models that a chat request may name. A model lists its providers in order, with its id at each; price, traits and
// data retention differ by provider, so they are declared there.
import { ACCOUNT_TRAITS, type ModelTraits, type TraitEffort } from './model-traits.ts';

export type Modality = 'chat' | 'embedding';

/** US dollars per million tokens, which is micro-dollars per token. */
export interface TokenPrice {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  /** A cache entry with a lifetime of an hour. */
  readonly cacheWriteHour: number;
}

export interface ModelPrice extends TokenPrice {
  /** Some models cost more for the whole request if its input is longer than this. */
  readonly longInput?: TokenPrice & { readonly aboveTokens: number };
}

export interface DeclaredProvider {
  readonly provider: string;
  /** The model's id at the provider. */
  readonly model: string;
  /** Whether the provider keeps nothing of a request (zero data retention). */
  readonly zdr: boolean;
  readonly traits: ModelTraits;
  /** Undefined if unknown: such a model is never paid from platform credit. */
  readonly price: ModelPrice | undefined;
  /** Where the price comes from, and when it was checked there or from when it holds. */
  readonly priceFrom?: { readonly source: string; readonly date: string | undefined } | undefined;
}

export interface CatalogModel {
  readonly id: string;
  /** Other names, in addition to those from `modelAliases`. */
  readonly aliases: readonly string[];
  readonly name: string;
  readonly modality: Modality;
  /** The release date; undefined if the catalogue does not have it. */
  readonly released: string | undefined;
  readonly contextWindow: number;
  readonly maxOutputTokens: number;
  /** How fast it thinks, if the catalogue says: the charge for an answer that is left before its usage is known. */
  readonly thinkingTokensPerSecond?: number | undefined;
  /** In the order in which they are tried; at least one. */
  readonly providers: readonly DeclaredProvider[];
}

export interface ModelCatalog {
  readonly models: readonly CatalogModel[];
  /** By id, and by each unambiguous name from `modelAliases`. */
  readonly byName: ReadonlyMap<string, CatalogModel>;
  /** Every provider that some model declares, in order of first mention. */
  readonly providers: readonly string[];
  /** The ids of the models from SERVICE_MODEL_CATALOG; the others are built in. */
  readonly fromFile: ReadonlySet<string>;
}

/** Study Mode pins every turn to this id. It is in no catalogue, so nothing can execute it. */
export const STUDY_MODEL_ID = 'service/study';

/** A good general model at each of two providers; the first that can pay is used. */
export const AUTO_MODEL_ID = 'service/auto';

/**
 * Finds a model by any of its names. A dated name means the same without the date, unless the catalogue lists it with
 * it.
 */
export function findModel(catalog: ModelCatalog, name: string): CatalogModel | undefined {
  return catalog.byName.get(name) ?? catalog.byName.get(withoutDate(name));
}

/** Providers append the date of a snapshot: `-20251001`, `-2025-08-07`. `-latest` is the undated one. */
function withoutDate(name: string): string {
  return name.replace(/-(?:20\d{2}(?:[01]\d[0-3]\d|-[01]\d-[0-3]\d)|latest)$/, '');
}

export function declaredAt(model: CatalogModel, provider: string): DeclaredProvider | undefined {
  return model.providers.find((declared) => declared.provider === provider);
}

/** The traits of a model at a provider, or behind a Models account. */
export function traitsAt(
  model: CatalogModel,
  provider: string,
  account?: { readonly takesEffort: boolean; readonly isNative: boolean },
): ModelTraits {
  const declared = declaredAt(model, provider)?.traits ?? ACCOUNT_TRAITS;
  if (account === undefined) return declared;
  // Fields that the model is known to refuse are left out at an account too. Effort is sent for models whose own provider
  // speaks the protocol of the account, and where the account is configured to take it.
  const { sampling, stop, tools, vision, pdf } = declared;
  const traits = account.isNative ? declared : { ...ACCOUNT_TRAITS, sampling, stop, tools, vision, pdf };
  return account.takesEffort && traits.efforts.length === 0
    ? { ...traits, efforts: ['low', 'medium', 'high'] }
    : traits;
}

/**
 * Whether a request has to go to OpenAI's Responses API. On Chat Completions, newer models take tools only while they
 * do not reason, and do not take the highest effort at all.
 */
export function needsResponses(
  traits: ModelTraits,
  request: { readonly tools: boolean; readonly effort: TraitEffort | undefined },
): boolean {
  if (traits.api !== 'responses') return false;
  const effort = request.effort ?? traits.defaultEffort;
  return effort === 'max' || (request.tools && (effort !== 'none' || !traits.efforts.includes('none')));
}

/**
 * Every name of the model called at a provider: its id there, and the ids of catalogue models that are exactly that
 * one. A model with several providers is more than any one of them, so its id is not included.
 */
export function namesAt(
  { models }: Pick<ModelCatalog, 'models'>,
  { provider, model }: Pick<DeclaredProvider, 'provider' | 'model'>,
): string[] {
  const same = models.filter(
    ({ providers: [only, ...more] }) => only?.provider === provider && only.model === model && more.length === 0,
  );
  return [...new Set([model, `${provider}/${model}`, ...same.map(({ id }) => id)])];
}

/** The rate for a request with this many input tokens, including cached ones. */
export function rateFor(price: ModelPrice, inputTokens: number): TokenPrice {
  return price.longInput !== undefined && inputTokens > price.longInput.aboveTokens ? price.longInput : price;
}

/**
 * A provider's clients name its models without a prefix, so a model with one provider is also found by its id there,
 * and by each listed alias with and without the prefix. A model with several providers has only its own id and the
 * listed aliases.
 */
export function modelAliases({ id, aliases, providers }: Pick<CatalogModel, 'id' | 'aliases' | 'providers'>): string[] {
  const [only, ...more] = providers;
  const names =
    only === undefined || more.length > 0
      ? aliases
      : [only.model, ...aliases].flatMap((name) => [name, `${only.provider}/${name}`]);
  return [...new Set(names)].filter((alias) => alias !== id);
}
