import { Button, VisuallyHidden } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import type { Recipe } from '../../../../src/contract/recipes/recipes.ts';
import { Row } from '../../../kit/rows.tsx';
import { saveFile } from '../../../kit/save-file.ts';
import { toastFault } from '../../../kit/toasts.tsx';
import { useSignedIn } from '../../../session/organization-context.ts';
import { kindNames } from '../strings.ts';
import { readRecipeFile } from './queries.ts';
import { recipeStrings as strings } from './strings.ts';

export type RecipeAction = 'start' | 'edit' | 'delete';

interface RecipeRowProps {
  recipe: Recipe;
  onOpen: (what: RecipeAction) => void;
}

export function RecipeRow({ recipe, onOpen }: RecipeRowProps): ReactElement {
  const { user, organization } = useSignedIn();
  const { name, description, run, fields, createdBy, editable } = recipe;
  const download = useMutation({
    mutationFn: async () => saveFile(new Response(await readRecipeFile(organization.id, recipe.id)), `${name}.json`),
    onError: toastFault,
  });
  const named = <VisuallyHidden> {name}</VisuallyHidden>;
  return (
    <Row
      title={<bdi>{name}</bdi>}
      text={
        <>
          <span className="run-objective" dir="auto">
            {description ?? run.objective.slice(0, 300)}
          </span>
          {kindNames[run.kind]}
          {fields.length > 0 && ` · ${strings.asksFor(fields.map((field) => field.name).join(', '))}`}
          {createdBy.id !== user.id && createdBy.name !== '' && ` · ${strings.by(createdBy.name)}`}
        </>
      }
      aside={
        <>
          <Button size="xs" onClick={() => onOpen('start')}>
            {strings.start}
            {named}
          </Button>
          {editable && (
            <Button variant="default" size="xs" onClick={() => onOpen('edit')}>
              {strings.edit}
              {named}
            </Button>
          )}
          <Button variant="default" size="xs" loading={download.isPending} onClick={() => download.mutate()}>
            {strings.export}
            {named}
          </Button>
          {editable && (
            <Button variant="subtle" color="red" size="xs" onClick={() => onOpen('delete')}>
              {strings.delete}
              {named}
            </Button>
          )}
        </>
      }
    />
  );
}
