// The models that a chat request may name. A model declares its providers in order and the id it has at each; what
// it costs and whether its data is kept differ by provider, so both are said there.

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
  /** Undefined when nobody knows it: such a model is never paid from platform credit. */
  readonly price: ModelPrice | undefined;
}

export interface CatalogModel {
  readonly id: string;
  readonly name: string;
  readonly modality: Modality;
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

export function findModel(catalog: ModelCatalog, name: string): CatalogModel | undefined {
  return catalog.byName.get(name);
}

export function declaredAt(model: CatalogModel, provider: string): DeclaredProvider | undefined {
  return model.providers.find((declared) => declared.provider === provider);
}

/**
 * Every name of what is called at a provider: the id it has there, and the ids of the models that are nothing else.
 * A model with several providers is more than what it calls at one of them, so its id is not among them.
 */
export function namesAt({ models }: Pick<ModelCatalog, 'models'>, { provider, model }: Pick<DeclaredProvider, 'provider' | 'model'>): string[] {
  const same = models.filter(({ providers: [only, ...more] }) => only?.provider === provider && only.model === model && more.length === 0);
  return [...new Set([model, `${provider}/${model}`, ...same.map(({ id }) => id)])];
}

/** The rate for a request of this many input tokens, cached ones included. */
export function rateFor(price: ModelPrice, inputTokens: number): TokenPrice {
  return price.longInput !== undefined && inputTokens > price.longInput.aboveTokens ? price.longInput : price;
}

/**
 * Clients of a provider name its models without a prefix, so a model with one provider is found by the id it has
 * there too. One with several providers has its own id only.
 */
export function modelAliases(model: Pick<CatalogModel, 'id' | 'providers'>): string[] {
  const [only, ...more] = model.providers;
  if (only === undefined || more.length > 0) return [];
  return [only.model, `${only.provider}/${only.model}`].filter((alias) => alias !== model.id);
}
