// Loads the model catalogue: the built-in file and, added to it or instead of it, the one named by SERVICE_MODEL_CATALOG,
// in the same format (docs/reference/model-catalogue.md). It loads whole or not at all, and every fault is reported.
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { ConfigError } from '../base/config.ts';
import { freezeDeeply } from './freeze-deeply.ts';
import {
  type CatalogModel,
  type DeclaredProvider,
  type Modality,
  type ModelCatalog,
  modelAliases,
  STUDY_MODEL_ID,
} from './model-catalog.ts';
import { completePrice, findListedPrice, type GivenPrice } from './model-price.ts';
import { completeTraits, modelTraits } from './model-traits.ts';
import builtIn from './models.json' with { type: 'json' };

const tokens = z.number().int().min(1).max(100_000_000);
const rate = z.number().min(0).max(1_000_000);

const modelName = z.string().regex(/^[a-z0-9][\w.:/-]{0,127}$/i, 'takes letters, digits and . : / _ -, at most 128');
const someTraits = modelTraits.partial();
/** Named sets of traits that models share. */
const families = z.record(z.string().min(1).max(100), someTraits);

const priceRow = z.strictObject({
  input: rate,
  output: rate.optional(),
  cacheRead: rate.optional(),
  cacheWrite: rate.optional(),
});

const modelFile = z.strictObject({
  /** The built-in models are left out. */
  replace: z.boolean().default(false),
  families: families.default({}),
  models: z
    .array(
      z.strictObject({
        id: modelName,
        aliases: z.array(modelName).max(50).default([]),
        name: z.string().trim().min(1).max(100),
        modality: z.enum(['chat', 'embedding']).default('chat'),
        released: z.iso.date().optional(),
        contextWindow: tokens,
        maxOutputTokens: tokens.optional(),
        thinkingTokensPerSecond: z.number().min(0).max(100_000).optional(),
        providers: z
          .array(
            z.strictObject({
              provider: z.string().regex(/^[a-z0-9][a-z0-9-]{0,63}$/, 'takes lower-case letters, digits and hyphens'),
              model: z.string().trim().min(1).max(200),
              zdr: z.boolean(),
              family: z.string().optional(),
              traits: someTraits.optional(),
              price: priceRow.optional(),
            }),
          )
          .min(1)
          .max(20),
      }),
    )
    .min(1)
    .max(5_000),
});

/** Prices by provider and the model's id there, with where they come from and the day from which they hold. */
const priceFile = z.strictObject({
  source: z.string().trim().min(1).max(200),
  date: z.iso.date(),
  prices: z.record(z.string().regex(/^[^/]+\/.+$/, 'takes provider/model'), priceRow),
});
type PriceFile = z.output<typeof priceFile>;

export type ModelFile = z.input<typeof modelFile>;

/** Throws a ConfigError that names every fault of the file. */
export function loadModels(
  file: string | undefined,
  { now = new Date(), prices }: { readonly now?: Date; readonly prices?: string | undefined } = {},
): ModelCatalog {
  const overriding = prices === undefined ? undefined : readPrices(prices);
  const content = file === undefined ? NO_FILE : readJson('SERVICE_MODEL_CATALOG', file);
  return buildModelCatalog(content, now, overriding);
}

const NO_FILE = Symbol('no file');

/** The models of the file come after the built-in ones; one with the id of a built-in model takes its place. */
export function buildModelCatalog(content: unknown, now: Date, overriding?: PriceFile): ModelCatalog {
  const { replace, ...given } =
    content === NO_FILE ? { replace: false, models: [], families: {} } : readModels(content);
  const base = modelFile.parse(builtIn);
  const known: Families = { ...base.families, ...given.families };
  const faults = findFaults(given.models, known);
  if (faults.length > 0) throw catalogError(faults);
  const byId = new Map([...(replace ? [] : base.models), ...given.models].map((model) => [model.id, model]));
  const models = [...byId.values()].map((model): CatalogModel => ({
    ...model,
    released: model.released,
    maxOutputTokens: model.maxOutputTokens ?? model.contextWindow,
    providers: model.providers.map(({ price, family, traits, ...declared }) => ({
      ...declared,
      traits: completeTraits(declared.provider, describe(known, { ...declared, family, traits })),
      ...choosePrice({ ...declared, price, modality: model.modality }, now, overriding),
    })),
  }));
  const fromFile = new Set(given.models.map(({ id }) => id));
  return {
    models: freezeDeeply(models),
    byName: nameModels(models, fromFile),
    providers: [...new Set(models.flatMap((model) => model.providers.map(({ provider }) => provider)))],
    fromFile,
  };
}

function readModels(content: unknown): z.output<typeof modelFile> {
  const parsed = modelFile.safeParse(content);
  if (parsed.success) return parsed.data;
  throw catalogError(parsed.error.issues.map(({ path, message }) => `${path.join('.') || 'file'}: ${message}`));
}

type SomeTraits = z.output<typeof someTraits>;
type Families = Readonly<Record<string, SomeTraits | undefined>>;
type DescribedProvider = Pick<
  z.output<typeof modelFile>['models'][number]['providers'][number],
  'provider' | 'model' | 'family' | 'traits'
>;

/** A row's family, overridden by its own traits. A row with neither gets the built-in catalogue's description. */
function describe(known: Families, { provider, model, family, traits }: DescribedProvider): SomeTraits | undefined {
  const named = family ?? (traits ? undefined : builtInFamily(provider, model));
  const shared = named === undefined ? undefined : known[named];
  return shared || traits ? { ...shared, ...traits } : undefined;
}

function builtInFamily(provider: string, model: string): string | undefined {
  const rows: readonly DescribedProvider[] = builtIn.models.flatMap(({ providers }) => providers);
  return rows.find((row) => row.provider === provider && row.model === model)?.family;
}

/**
 * Ids first: an alias never hides one. An alias of two models names neither, but one of a model of the file hides that of
 * a built-in one.
 */
function nameModels(models: readonly CatalogModel[], fromFile: ReadonlySet<string>): Map<string, CatalogModel> {
  const byName = new Map<string, CatalogModel>();
  const byAlias = Map.groupBy(
    models.flatMap((model) => modelAliases(model).map((alias) => ({ alias, model }))),
    ({ alias }) => alias,
  );
  for (const [alias, all] of byAlias) {
    const own = all.filter(({ model }) => fromFile.has(model.id));
    const [first, ...more] = own.length > 0 ? own : all;
    if (first !== undefined && more.length === 0) byName.set(alias, first.model);
  }
  for (const model of models) byName.set(model.id, model);
  return byName;
}

function findFaults(models: z.output<typeof modelFile>['models'], known: Families): string[] {
  const ids = Map.groupBy(models, ({ id }) => id);
  return [
    ...models.flatMap(({ id, providers }) =>
      providers.flatMap(({ family }) =>
        family !== undefined && known[family] === undefined
          ? [`${id} names the family ${family}, which is not defined`]
          : [],
      ),
    ),
    ...[...ids].filter(([, same]) => same.length > 1).map(([id]) => `the id ${id} is used more than once`),
    ...(ids.has(STUDY_MODEL_ID) ? [`the id ${STUDY_MODEL_ID} is reserved: nothing may execute it`] : []),
    ...models.flatMap((model) =>
      [...Map.groupBy(model.providers, ({ provider }) => provider)]
        .filter(([, same]) => same.length > 1)
        .map(([provider]) => `${model.id} declares the provider ${provider} more than once`),
    ),
    ...models.flatMap((model) =>
      model.modality === 'chat' && model.providers.some(({ price }) => price && price.output === undefined)
        ? [`${model.id} has a price without the price of its output`]
        : [],
    ),
    ...models.flatMap((model) =>
      model.maxOutputTokens !== undefined && model.maxOutputTokens > model.contextWindow
        ? [`${model.id} has a longer output than its context window`]
        : [],
    ),
  ];
}

/** The file of prices first, then the catalogue, then the built-in list. */
function choosePrice(
  {
    provider,
    model,
    modality,
    price,
  }: { provider: string; model: string; modality: Modality; price: GivenPrice | undefined },
  now: Date,
  overriding: PriceFile | undefined,
): Pick<DeclaredProvider, 'price' | 'priceFrom'> {
  const own = overriding?.prices[`${provider}/${model}`];
  if (overriding && own)
    return { price: completePrice(own), priceFrom: { source: overriding.source, date: overriding.date } };
  if (price) return { price: completePrice(price), priceFrom: { source: 'the model catalogue', date: undefined } };
  const listed = findListedPrice(provider, model, modality, now);
  return { price: listed?.price, priceFrom: listed?.from };
}

function readPrices(file: string): PriceFile {
  const parsed = priceFile.safeParse(readJson('SERVICE_MODEL_PRICES', file));
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map(({ path, message }) => `${path.join('.') || 'file'}: ${message}`);
  throw new ConfigError(
    `SERVICE_MODEL_PRICES takes a file of prices (docs/reference/model-catalogue.md); this one has ${faults.length} fault(s): ${faults.join('; ')}`,
  );
}

function readJson(variable: string, file: string): unknown {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    throw new ConfigError(`${variable} must be the path of a readable JSON file.`);
  }
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new ConfigError(`${variable} must be the path of a readable JSON file; this one is not JSON.`);
  }
}

function catalogError(faults: readonly string[]): ConfigError {
  return new ConfigError(
    `SERVICE_MODEL_CATALOG takes a model catalogue (docs/reference/model-catalogue.md); this one has ${faults.length} fault(s): ${faults.join('; ')}`,
  );
}
