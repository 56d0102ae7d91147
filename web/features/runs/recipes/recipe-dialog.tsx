// Saves a recipe: a new one, one from a run, or changes to one.
import './recipes.css';
import { Button, Group, Stack, Text, Textarea, TextInput, VisuallyHidden } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useId } from 'react';
import { findFields, RECIPE_LIMITS } from '../../../../src/contract/recipes/fill-recipe.ts';
import type { Recipe } from '../../../../src/contract/recipes/recipes.ts';
import type { Workspace } from '../../../../src/contract/workspaces.ts';
import { Dialog } from '../../../kit/dialog.tsx';
import { FormFoot } from '../../../kit/form-foot.tsx';
import { toastDone } from '../../../kit/toasts.tsx';
import { useServerForm } from '../../../kit/use-server-form.ts';
import { useCurrentWorkspace, useSignedIn } from '../../../session/organization-context.ts';
import type { RunView } from '../queries.ts';
import { RunFields, STANDING_KINDS } from '../run-fields.tsx';
import { type RunValues, toRun, toRunValues } from '../run-values.ts';
import { nameField, proposeFields, putField } from './propose-fields.ts';
import { changeRecipe, recipeKeys, saveRecipe } from './queries.ts';
import { fieldNames, recipeStrings as strings } from './strings.ts';

interface RecipeDialogProps {
  workspace: Pick<Workspace, 'id'>;
  /** The one to change; a new one is saved otherwise. */
  recipe?: Recipe;
  /** The run that a new one is made from. */
  from?: Pick<
    RunView,
    'objective' | 'kind' | 'model' | 'capabilities' | 'fundingWorkspace' | 'environment' | 'deliver'
  >;
  onClose: () => void;
}

type RecipeValues = RunValues & { name: string; description: string };

const NAME = /^[a-z0-9](?:[a-z0-9-]{0,46}[a-z0-9])?$/i;

export function RecipeDialog({ workspace, recipe, from, onClose }: RecipeDialogProps): ReactElement {
  const { organization } = useSignedIn();
  const { workspaces } = useCurrentWorkspace();
  const queryClient = useQueryClient();
  const like = recipe?.run ?? from;
  const { form, submit, pending, problem } = useServerForm<RecipeValues, Recipe>({
    initialValues: {
      name: recipe?.name ?? '',
      description: recipe?.description ?? '',
      ...toRunValues(like && { ...like, kind: like.kind === 'codex' ? 'codex' : 'chat' }, workspace.id),
    },
    validate: {
      name: (value) => (NAME.test(value.trim()) ? null : strings.nameInvalid),
      objective: (value) => (value.trim() === '' ? strings.objectiveEmpty : null),
    },
    send: (values) => {
      const said = { name: values.name.trim(), description: values.description };
      const { workspace: _place, ...run } = toRun(values);
      return recipe === undefined
        ? saveRecipe(organization.id, { ...said, run: toRun(values) })
        : changeRecipe(organization.id, recipe.id, { ...said, run });
    },
    onDone: async ({ name }) => {
      onClose();
      toastDone(recipe === undefined ? strings.saved(name) : strings.changed);
      await queryClient.invalidateQueries({ queryKey: recipeKeys.all });
    },
    fieldOf: (field) => field.replace(/^run\./, ''),
    explain: ({ code }) => (code === 'recipe_name_taken' ? strings.nameTaken : undefined),
  });
  const title =
    recipe === undefined ? (from === undefined ? strings.createTitle : strings.saveAs) : strings.editTitle(recipe.name);
  return (
    <Dialog onClose={onClose} title={title} size="lg">
      <form onSubmit={submit} noValidate>
        <Stack>
          <WhatItIs form={form} proposes={from !== undefined} />
          <RunFields
            form={{ values: form.values, field: form.getInputProps, change: form.setValues }}
            kinds={STANDING_KINDS}
            workspaces={workspaces}
            isPlaced
          />
          <FormFoot
            problem={problem}
            pending={pending}
            submit={recipe === undefined ? strings.submit : strings.save}
            onCancel={onClose}
          />
        </Stack>
      </form>
    </Dialog>
  );
}

type RecipeForm = UseFormReturnType<RecipeValues>;

function WhatItIs({ form, proposes }: { form: RecipeForm; proposes: boolean }): ReactElement {
  const fields = findFields(form.values.objective);
  return (
    <>
      <TextInput
        data-autofocus
        label={strings.name}
        description={strings.nameText}
        required
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={48}
        {...form.getInputProps('name')}
      />
      <TextInput label={strings.about} maxLength={500} {...form.getInputProps('description')} />
      <Textarea
        label={strings.objective}
        description={strings.objectiveText}
        required
        autosize
        minRows={4}
        maxRows={12}
        maxLength={RECIPE_LIMITS.objective}
        {...form.getInputProps('objective')}
      />
      <Text size="sm" c="dimmed" component="output">
        {fields.length === 0 ? '' : strings.asksFor(fields.map(({ name }) => name).join(', '))}
      </Text>
      {proposes && <ProposedFields form={form} />}
    </>
  );
}

/** Parts of the run's objective that a person can make fields of, one by one. */
function ProposedFields({ form }: { form: RecipeForm }): ReactElement | null {
  const title = useId();
  const { objective } = form.values;
  const taken = findFields(objective);
  const defaults = new Set(taken.map(({ byDefault }) => byDefault));
  const proposed = proposeFields(objective).filter(({ text }) => !defaults.has(text));
  if (proposed.length === 0) return null;
  return (
    <section aria-labelledby={title}>
      <Text id={title} size="sm" mb="xs">
        {strings.proposeText}
      </Text>
      <Group gap="xs">
        {proposed.map(({ kind, text }) => (
          <Button
            key={text}
            size="xs"
            variant="default"
            onClick={() => {
              const name = nameField(
                fieldNames[kind],
                taken.map((field) => field.name),
              );
              form.setFieldValue('objective', putField(objective, text, name));
            }}
          >
            <VisuallyHidden>{strings.propose}: </VisuallyHidden>
            <bdi className="recipe-part">{text}</bdi>
          </Button>
        ))}
      </Group>
    </section>
  );
}
