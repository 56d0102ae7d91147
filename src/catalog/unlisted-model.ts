import {
  type CatalogModel,
  type DeclaredProvider,
  findModel,
  type Modality,
  type ModelCatalog,
  namesAt,
} from './model-catalog.ts';
import { ACCOUNT_TRAITS, completeTraits } from './model-traits.ts';

/** The provider of a model that no catalogue provider is known for. */
const ACCOUNT_PROVIDER = 'models-account';

/** The context window is unknown: this is what most models have. */
const ASSUMED_TOKENS = 32_000;

/** A model that only an account knows. */
export function unlistedModel(
  catalog: Pick<ModelCatalog, 'providers'>,
  name: string,
  modality: Modality,
): CatalogModel {
  const prefix = name.split('/', 1)[0]?.toLowerCase() ?? '';
  const provider = name.includes('/') && catalog.providers.includes(prefix) ? prefix : ACCOUNT_PROVIDER;
  return describe(name, modality, { provider, model: name, traits: ACCOUNT_TRAITS });
}

/** A model that only its provider knows. Its id is what a catalogue would call it. */
export function unlistedAtProvider(provider: string, model: string): CatalogModel {
  return describe(`${provider}/${model}`, 'chat', { provider, model, traits: completeTraits(provider, undefined) });
}

/** Price and data retention are unknown. */
function describe(
  id: string,
  modality: Modality,
  at: Pick<DeclaredProvider, 'provider' | 'model' | 'traits'>,
): CatalogModel {
  return {
    id,
    aliases: [],
    name: id,
    modality,
    released: undefined,
    contextWindow: ASSUMED_TOKENS,
    maxOutputTokens: ASSUMED_TOKENS,
    providers: [{ ...at, zdr: false, price: undefined }],
  };
}

/**
 * Every name under which the policy may know an unlisted model. In capitals, or with another
 * prefix, it may still be a catalogue model.
 */
export function namesOfUnlisted(catalog: ModelCatalog, name: string): string[] {
  const lower = name.toLowerCase();
  const spellings = [name, lower, lower.slice(lower.lastIndexOf('/') + 1)];
  const known = spellings.flatMap((spelling) => findModel(catalog, spelling) ?? []);
  return [
    ...new Set([
      ...spellings,
      ...known.flatMap(({ id, providers }) => [id, ...providers.flatMap((declared) => namesAt(catalog, declared))]),
    ]),
  ];
}
