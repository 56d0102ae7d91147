// A recipe, as its row has it and as it is shown.
import { findFields } from '../../contract/recipes/fill-recipe.ts';
import { RECIPE_FORMAT, type RecipeFile } from '../../contract/recipes/recipe-file.ts';
import type { Recipe as RecipeOnWire } from '../../contract/recipes/recipes.ts';
import { type PlannedRow, type PlannedRun, presentPlannedRun, toPlannedRun } from '../standing/planned-run.ts';

export interface Recipe {
  readonly id: string;
  readonly organizationId: string;
  readonly workspaceId: string;
  readonly name: string;
  readonly description: string;
  readonly run: PlannedRun;
  readonly createdBy: { readonly id: string; readonly name: string };
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** Whether the reader may change and delete it. */
  readonly editable: boolean;
}

export interface RecipeRow extends PlannedRow {
  id: string;
  organization_id: string;
  workspace_id: string;
  name: string;
  description: string;
  created_by: string;
  /** Null once the account is gone. */
  created_by_name: string | null;
  created_at: Date;
  updated_at: Date;
  editable: boolean;
}

export function toRecipe(row: RecipeRow): Recipe {
  return {
    id: row.id,
    organizationId: row.organization_id,
    workspaceId: row.workspace_id,
    name: row.name,
    description: row.description,
    run: toPlannedRun(row),
    createdBy: { id: row.created_by, name: row.created_by_name ?? '' },
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    editable: row.editable,
  };
}

export function presentRecipe({ run, ...recipe }: Recipe): RecipeOnWire {
  return {
    id: recipe.id,
    name: recipe.name,
    ...(recipe.description === '' ? {} : { description: recipe.description }),
    run: presentPlannedRun(run, recipe.workspaceId),
    fields: findFields(run.objective).map(({ name, byDefault }) => ({
      name,
      ...(byDefault === undefined ? {} : { default: byDefault }),
    })),
    createdBy: recipe.createdBy,
    createdAt: recipe.createdAt.toISOString(),
    updatedAt: recipe.updatedAt.toISOString(),
    editable: recipe.editable,
  };
}

/** What its file says of it: no ids, so not who pays for its runs either. */
export function toRecipeFile({ name, description, run }: Recipe): RecipeFile {
  return {
    format: RECIPE_FORMAT,
    version: 1,
    name,
    ...(description === '' ? {} : { description }),
    run: {
      objective: run.objective,
      kind: run.kind,
      ...(run.model === undefined ? {} : { model: run.model }),
      ...(run.capabilities.length === 0 ? {} : { capabilities: [...run.capabilities] }),
      ...(run.environment === undefined ? {} : { environment: run.environment }),
      ...(run.deliver === undefined ? {} : { deliver: run.deliver }),
    },
  };
}
