// A route as a model of a list: it can do what all of its models can, and it is there if one of them may be used.
import { type CatalogModel, findModel, type ModelCatalog } from '../../catalog/model-catalog.ts';
import { unlistedModel } from '../../catalog/unlisted-model.ts';
import { smallestContext } from '../../contract/context/context-size.ts';
import type { ListedModel } from '../../contract/models.ts';
import type { ModelRoute } from './choose-next-hop.ts';

export function modelsOf(catalog: ModelCatalog, { models }: Pick<ModelRoute, 'models'>): CatalogModel[] {
  return models.map((name) => findModel(catalog, name) ?? unlistedModel(catalog, name, 'chat'));
}

export function routeAsModel(catalog: ModelCatalog, route: ModelRoute): CatalogModel {
  const models = modelsOf(catalog, route);
  return {
    id: route.name,
    aliases: [],
    name: route.name,
    modality: 'chat',
    released: undefined,
    ...smallestContext(models),
    providers: [],
  };
}

/** Undefined if no model of it may be used. */
export function routeAsListed({ name, models }: ModelRoute, judged: readonly ListedModel[]): ListedModel | undefined {
  const usable = judged.filter(({ credential }) => credential !== null);
  const [first] = usable;
  if (!first) return undefined;
  const all = (can: (model: ListedModel) => boolean): boolean => usable.every(can);
  const efforts = first.capabilities.efforts.filter((effort) =>
    all(({ capabilities }) => capabilities.efforts.includes(effort)),
  );
  const { defaultEffort } = first.capabilities;
  const temperatures = usable.flatMap(({ capabilities }) => capabilities.temperatures ?? []);
  return {
    id: name,
    name,
    modality: 'chat',
    models: [...models],
    providers: [...new Set(usable.flatMap(({ providers }) => providers))],
    zdr: Object.fromEntries(
      usable.flatMap(({ zdr }) => Object.keys(zdr)).map((id) => [id, all(({ zdr }) => zdr[id] !== false)]),
    ),
    // Of all, as the conversation is cut for all.
    ...smallestContext(judged),
    price: null,
    prices: [],
    allowed: true,
    denials: [],
    hasProviderKey: usable.some(({ hasProviderKey }) => hasProviderKey),
    takesOwnKey: usable.some(({ takesOwnKey }) => takesOwnKey),
    forRuns: false,
    credential: first.credential,
    capabilities: {
      images: all(({ capabilities }) => capabilities.images),
      pdf: all(({ capabilities }) => capabilities.pdf),
      tools: all(({ capabilities }) => capabilities.tools),
      efforts,
      ...(defaultEffort !== undefined && all(({ capabilities }) => capabilities.defaultEffort === defaultEffort)
        ? { defaultEffort }
        : {}),
      temperature: all(({ capabilities }) => capabilities.temperature),
      ...(temperatures.length === usable.length
        ? {
            temperatures: {
              max: Math.min(...temperatures.map(({ max }) => max)),
              when: temperatures.every(({ when }) => when === 'always') ? 'always' : 'unless-reasoning',
            },
          }
        : {}),
    },
  };
}
