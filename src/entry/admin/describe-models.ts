import { ConfigError, readConfig } from '../../base/config.ts';
import { loadModels } from '../../catalog/load-models.ts';
import type { ModelCatalog } from '../../catalog/model-catalog.ts';
import { OperatorError } from './operator-error.ts';

interface DescribedModel {
  readonly id: string;
  readonly name: string;
  readonly from: 'built-in' | 'file';
  readonly providers: readonly string[];
  readonly priced: boolean;
}

/** The catalogue in force, or as it would be with another file. */
export function describeModels(check: string | undefined): { models: DescribedModel[] } {
  const { SERVICE_MODEL_CATALOG, SERVICE_MODEL_PRICES } = readConfig();
  const { models, fromFile } = load(check ?? SERVICE_MODEL_CATALOG, SERVICE_MODEL_PRICES);
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

function load(file: string | undefined, prices: string | undefined): ModelCatalog {
  try {
    return loadModels(file, { prices });
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    throw new OperatorError(
      error.message,
      'Fix the file, then run this again. Processes that run keep the catalogue that they read last.',
    );
  }
}
