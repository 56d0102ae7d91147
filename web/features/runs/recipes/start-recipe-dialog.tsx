// Starts a run from a recipe: its fields as a form, and what becomes of them.
import { Stack, Text } from '@mantine/core';
import type { ReactElement } from 'react';
import type { Recipe } from '../../../../src/contract/recipes/recipes.ts';
import { TellMe } from '../../../installed/tell-me.tsx';
import { Dialog } from '../../../kit/dialog.tsx';
import { FormFoot } from '../../../kit/form-foot.tsx';
import { useServerForm } from '../../../kit/use-server-form.ts';
import { useSignedIn } from '../../../session/organization-context.ts';
import type { RunView } from '../queries.ts';
import { SandboxNotice } from '../sandbox-notice.tsx';
import { startRunStrings } from '../strings.ts';
import { useOpenStarted } from '../use-open-started.ts';
import { runRecipe } from './queries.ts';
import { faultsOfFields, type FieldValues, initialFields, namedFields, RecipeFields } from './recipe-fields.tsx';
import { requestOfRecipe } from './request-of-recipe.ts';
import { recipeStrings as strings } from './strings.ts';

export function StartRecipeDialog({ recipe, onClose }: { recipe: Recipe; onClose: () => void }): ReactElement {
  const { organization } = useSignedIn();
  const openStarted = useOpenStarted();
  const { fields } = recipe;
  const { form, submit, pending, problem } = useServerForm<FieldValues, RunView>({
    initialValues: initialFields(fields),
    validate: (values) => faultsOfFields(fields, values),
    send: (values) => runRecipe(organization.id, recipe.id, namedFields(fields, values)),
    onDone: openStarted,
  });
  return (
    <Dialog onClose={onClose} title={strings.startTitle(recipe.name)} size="lg">
      <form onSubmit={submit} noValidate>
        <Stack>
          <SandboxNotice />
          <Text size="sm" c="dimmed">
            {fields.length === 0 ? strings.noFields : strings.startText}
          </Text>
          <RecipeFields fields={fields} field={form.getInputProps} />
          <section aria-label={strings.preview}>
            <Text size="xs" c="dimmed" mb={4}>
              {strings.preview}
            </Text>
            {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a long text scrolls, also by keyboard */}
            <p className="run-whole" dir="auto" tabIndex={0}>
              {requestOfRecipe(recipe, namedFields(fields, form.values)).objective}
            </p>
          </section>
          <TellMe />
          <FormFoot problem={problem} pending={pending} submit={startRunStrings.submit} onCancel={onClose} />
        </Stack>
      </form>
    </Dialog>
  );
}
