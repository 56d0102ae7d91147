// Starts a run from a recipe: its fields as a form, and what becomes of them.
import { Stack, Text, Textarea } from '@mantine/core';
import type { ReactElement } from 'react';
import { findFieldFaults, RECIPE_LIMITS } from '../../../../src/contract/recipes/fill-recipe.ts';
import type { Recipe } from '../../../../src/contract/recipes/recipes.ts';
import { TellMe } from '../../../installed/tell-me.tsx';
import { Dialog } from '../../../kit/dialog.tsx';
import { FormFoot } from '../../../kit/form-foot.tsx';
import { useServerForm } from '../../../kit/use-server-form.ts';
import { formatNumber } from '../../../language/format.ts';
import { useSignedIn } from '../../../session/organization-context.ts';
import type { RunView } from '../queries.ts';
import { SandboxNotice } from '../sandbox-notice.tsx';
import { startRunStrings } from '../strings.ts';
import { useOpenStarted } from '../use-open-started.ts';
import { runRecipe } from './queries.ts';
import { requestOfRecipe } from './request-of-recipe.ts';
import { recipeStrings as strings } from './strings.ts';

/** The values by the place of their field: a name may be anything that a form would read as a path. */
type FieldValues = Record<string, string>;

export function StartRecipeDialog({ recipe, onClose }: { recipe: Recipe; onClose: () => void }): ReactElement {
  const { organization } = useSignedIn();
  const openStarted = useOpenStarted();
  const { fields } = recipe;
  const keyOf = (index: number): string => `field${index}`;
  const valuesOf = (values: FieldValues): FieldValues =>
    Object.fromEntries(fields.map(({ name }, index) => [name, values[keyOf(index)] ?? '']));
  const known = fields.map((field) => ({ name: field.name, byDefault: field.default }));
  const { form, submit, pending, problem } = useServerForm<FieldValues, RunView>({
    initialValues: Object.fromEntries(fields.map((field, index) => [keyOf(index), field.default ?? ''])),
    validate: (values) => {
      const faults = findFieldFaults(known, valuesOf(values));
      return Object.fromEntries(
        fields.flatMap(({ name }, index) =>
          faults.has(name)
            ? [
                [
                  keyOf(index),
                  faults.get(name) === 'missing'
                    ? strings.fieldMissing(name)
                    : strings.fieldTooLong(formatNumber(RECIPE_LIMITS.value)),
                ],
              ]
            : [],
        ),
      );
    },
    send: (values) => runRecipe(organization.id, recipe.id, valuesOf(values)),
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
          {fields.map((field, index) => (
            <Textarea
              key={field.name}
              {...(index === 0 ? { 'data-autofocus': true } : {})}
              label={field.name}
              required={field.default === undefined}
              rows={1}
              autosize
              maxRows={8}
              maxLength={RECIPE_LIMITS.value}
              {...form.getInputProps(keyOf(index))}
            />
          ))}
          <section aria-label={strings.preview}>
            <Text size="xs" c="dimmed" mb={4}>
              {strings.preview}
            </Text>
            {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a long text scrolls, also by keyboard */}
            <p className="run-whole" dir="auto" tabIndex={0}>
              {requestOfRecipe(recipe, valuesOf(form.values)).objective}
            </p>
          </section>
          <TellMe />
          <FormFoot problem={problem} pending={pending} submit={startRunStrings.submit} onCancel={onClose} />
        </Stack>
      </form>
    </Dialog>
  );
}
