import { AppError } from '../../base/errors.ts';
import { AUTO_MODEL_ID, findModel, type ModelCatalog } from '../../catalog/model-catalog.ts';
import { declaredForRuns } from '../../model-providers/providers.ts';

export interface RunModel {
  /** As the catalogue names it. */
  readonly name: string;
  /** As the provider names it; determines which parameters the model accepts. */
  readonly upstream: string;
}

/** The model that the run names, or else the automatic one, or else the first in the catalogue that runs can use. */
export function chooseRunModel(catalog: ModelCatalog, named: string | undefined): RunModel {
  const served = catalog.models.filter((model) => model.modality === 'chat' && declaredForRuns(model));
  const found =
    named === undefined ? (served.find(({ id }) => id === AUTO_MODEL_ID) ?? served[0]) : findModel(catalog, named);
  const declared = found && declaredForRuns(found);
  if (!found || !declared) throw new AppError('model_not_supported_for_runs', { model: named ?? AUTO_MODEL_ID });
  return { name: found.id, upstream: declared.model };
}
