// Fills the form of a run with what a recipe of the workspace starts. Inside another form, so it has none of its own.
import { Button, Card, Group, NativeSelect, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import type { Recipe } from '../../../../src/contract/recipes/recipes.ts';
import { useSignedIn } from '../../../session/organization-context.ts';
import { type RunValues, toRunValues } from '../run-values.ts';
import { offeredRecipesQuery } from './queries.ts';
import { faultsOfFields, initialFields, namedFields, RecipeFields } from './recipe-fields.tsx';
import { requestOfRecipe } from './request-of-recipe.ts';
import { recipeStrings as strings } from './strings.ts';

/** As many as a workspace can have. */
const ALL = 200;

interface FillFromRecipeProps {
  workspace: string;
  /** What the recipe says; who pays and the model are none where it names none. */
  onFill: (recipe: Recipe, run: Omit<RunValues, 'workspace'>) => void;
}

export function FillFromRecipe({ workspace, onFill }: FillFromRecipeProps): ReactElement | null {
  const { organization } = useSignedIn();
  const { data } = useQuery(offeredRecipesQuery({ organization: organization.id, workspace }, '', ALL));
  const [id, setId] = useState('');
  const recipes = data?.recipes ?? [];
  if (recipes.length === 0) return null;
  const chosen = recipes.find((recipe) => recipe.id === id);
  const fill = (recipe: Recipe, values: Record<string, string>): void => {
    const like = { ...requestOfRecipe(recipe, values), kind: recipe.run.kind };
    const { workspace: _place, ...run } = toRunValues(like, workspace);
    setId('');
    onFill(recipe, run);
  };
  return (
    <Stack gap="xs">
      <NativeSelect
        label={strings.fillFrom}
        description={strings.fillFromText}
        data={[
          { value: '', label: strings.fillFromNone },
          ...recipes.map(({ id: value, name }) => ({ value, label: name })),
        ]}
        value={id}
        onChange={({ currentTarget: { value } }) => {
          const recipe = recipes.find((one) => one.id === value);
          if (recipe?.fields.length === 0) fill(recipe, {});
          else setId(value);
        }}
      />
      {chosen !== undefined && (
        <AskForFields key={chosen.id} recipe={chosen} onFill={(values) => fill(chosen, values)} />
      )}
    </Stack>
  );
}

interface AskForFieldsProps {
  recipe: Recipe;
  onFill: (values: Record<string, string>) => void;
}

function AskForFields({ recipe: { name, fields }, onFill }: AskForFieldsProps): ReactElement {
  const form = useForm({
    initialValues: initialFields(fields),
    validate: (values) => faultsOfFields(fields, values),
  });
  return (
    <Card component="section" aria-label={name}>
      <Stack gap="sm">
        <RecipeFields fields={fields} field={form.getInputProps} />
        <Group justify="flex-end">
          <Button
            variant="default"
            onClick={() => {
              if (!form.validate().hasErrors) onFill(namedFields(fields, form.getValues()));
            }}
          >
            {strings.fill}
          </Button>
        </Group>
      </Stack>
    </Card>
  );
}
