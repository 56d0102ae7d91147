import { readConfig } from '../../base/config.ts';
import { loadModels } from '../../catalog/load-models.ts';

interface DescribedModel {
  readonly id: string;
  readonly name: string;
  readonly from: 'built-in' | 'file';
  readonly providers: readonly string[];
  readonly priced: boolean;
}

/** The catalogue in force, or as it would be with another file. Throws a ConfigError that names every fault. */
export function describeModels(check: string | undefined): { models: DescribedModel[] } {
  const { SERVICE_MODEL_CATALOG, SERVICE_MODEL_PRICES } = readConfig();
  const { models, fromFile } = loadModels(check ?? SERVICE_MODEL_CATALOG, { prices: SERVICE_MODEL_PRICES });
  return {
    models: models.map(({ id, name, providers }) => ({
      id,
      name,
      from: fromFile.has(id) ? 'file' : 'built-in',
      providers: providers.map(({ provider, model }) => `${provider}/${model}`),
      priced: providers.every(({ price }) => price !== undefined),
    })),
  };
}
