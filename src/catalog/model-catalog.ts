// The models that a chat request may name. A model declares its providers in order and the id it has at each; what
// it costs, what it takes and whether its data is kept differ by provider, so they are said there.
import { ACCOUNT_TRAITS, type ModelTraits, type TraitEffort } from './model-traits.ts';

export type Modality = 'chat' | 'embedding';

/** US dollars per million tokens, which is micro-dollars per token. */
export interface TokenPrice {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  /** A cache entry that is asked to live an hour. */
  readonly cacheWriteHour: number;
}

export interface ModelPrice extends TokenPrice {
  /** Some models cost more for a whole request whose input is longer than this. */
  readonly longInput?: TokenPrice & { readonly aboveTokens: number };
}

export interface DeclaredProvider {
  readonly provider: string;
  /** The model's id at the provider. */
  readonly model: string;
  /** Whether the provider keeps nothing of a request (zero data retention). */
  readonly zdr: boolean;
  readonly traits: ModelTraits;
  /** Undefined when nobody knows it: such a model is never paid from platform credit. */
  readonly price: ModelPrice | undefined;
}

export interface CatalogModel {
  readonly id: string;
  /** Other names of it, beside those of `modelAliases`. */
  readonly aliases: readonly string[];
  readonly name: string;
  readonly modality: Modality;
  /** The day it came out, as a date; undefined when the catalogue does not say. */
  readonly released: string | undefined;
  readonly contextWindow: number;
  readonly maxOutputTokens: number;
  /** In the order in which they are tried; at least one. */
  readonly providers: readonly DeclaredProvider[];
}

export interface ModelCatalog {
  readonly models: readonly CatalogModel[];
  /** By id, and by each name from `modelAliases` that is not ambiguous. */
  readonly byName: ReadonlyMap<string, CatalogModel>;
  /** Every provider that some model declares, in order of first mention. */
  readonly providers: readonly string[];
}

/** Study Mode pins every turn to this id. It is in no catalogue, so nothing can execute it. */
export const STUDY_MODEL_ID = 'service/study';

/** Two providers, a good general model at each; the first that can pay is used. */
export const AUTO_MODEL_ID = 'service/auto';

/** By any of its names. A name that ends in a date means what it means without, unless the catalogue has it as it is. */
export function findModel(catalog: ModelCatalog, name: string): CatalogModel | undefined {
  return catalog.byName.get(name) ?? catalog.byName.get(withoutDate(name));
}

/** Providers put the day of a snapshot behind its name: `-20251001`, `-2025-08-07`. `-latest` is the undated one. */
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
  account?: { readonly takesEffort: boolean },
): ModelTraits {
  const declared = declaredAt(model, provider)?.traits ?? ACCOUNT_TRAITS;
  if (account === undefined) return declared;
  // An account takes Chat Completions for every model. Fields that the model is known to refuse are left out there too.
  // Effort is sent for OpenAI's models, which have the field, and where the account is configured to take it.
  const { sampling, stop, tools, vision, pdf } = declared;
  const traits = provider === 'openai' ? declared : { ...ACCOUNT_TRAITS, sampling, stop, tools, vision, pdf };
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
 * Every name of what is called at a provider: the id it has there, and the ids of the models that are nothing else.
 * A model with several providers is more than what it calls at one of them, so its id is not among them.
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

/** The rate for a request of this many input tokens, cached ones included. */
export function rateFor(price: ModelPrice, inputTokens: number): TokenPrice {
  return price.longInput !== undefined && inputTokens > price.longInput.aboveTokens ? price.longInput : price;
}

/**
 * Clients of a provider name its models without a prefix, so a model with one provider is found by the id it has
 * there too, and by each listed alias with and without the prefix. One with several providers has its own id only,
 * and what is listed.
 */
export function modelAliases({ id, aliases, providers }: Pick<CatalogModel, 'id' | 'aliases' | 'providers'>): string[] {
  const [only, ...more] = providers;
  const names =
    only === undefined || more.length > 0
      ? aliases
      : [only.model, ...aliases].flatMap((name) => [name, `${only.provider}/${name}`]);
  return [...new Set(names)].filter((alias) => alias !== id);
}
