// The form of a schedule or trigger: what it is called and what it starts, which a recipe can fill in, and between them what
// is its own.
import { Stack, Textarea, TextInput } from '@mantine/core';
import type { SubmitEvent, ReactElement, ReactNode } from 'react';
import type { Workspace } from '../../../../src/contract/workspaces.ts';
import { Dialog } from '../../../kit/dialog.tsx';
import { FormFoot } from '../../../kit/form-foot.tsx';
import { FillFromRecipe } from '../recipes/fill-from-recipe.tsx';
import { RunFields, STANDING_KINDS } from '../run-fields.tsx';
import { type RunValues, toRun, toRunValues } from '../run-values.ts';
import type { StandingView } from './standing-view.ts';
import { standingStrings as strings } from './strings.ts';

export type StandingValues = RunValues & { name: string };

export function toStandingValues(
  before: StandingView | undefined,
  current: Pick<Workspace, 'id'> | undefined,
): StandingValues {
  return { name: before?.name ?? '', ...toRunValues(before?.run, before?.run.workspace ?? current?.id) };
}

export function toStanding(values: StandingValues) {
  return { name: values.name.trim(), run: toRun(values) };
}

export const STANDING_RULES = {
  name: (value: string) => (value.trim() === '' ? strings.nameRequired : null),
  objective: (value: string) => (value.trim() === '' ? strings.objectiveRequired : null),
};

interface StandingFormProps {
  texts: Readonly<Record<'createTitle' | 'submit' | 'objectiveHint', string>>;
  /** The one to change; a new one is made otherwise. */
  before: StandingView | undefined;
  workspaces: readonly Workspace[];
  form: {
    readonly values: StandingValues;
    field(name: keyof StandingValues): object;
    change(values: Partial<StandingValues>): void;
  };
  submit: (event?: SubmitEvent<HTMLFormElement>) => void;
  pending: boolean;
  problem: string | undefined;
  onClose: () => void;
  /** Fields of its own: after the objective, and after the run. */
  children: ReactNode;
  more?: ReactNode;
}

export function StandingForm(props: StandingFormProps): ReactElement {
  const { texts, before, workspaces, form, submit, pending, problem, onClose, children, more } = props;
  const { name, workspace } = form.values;
  const isNew = before === undefined;
  return (
    <Dialog onClose={onClose} title={isNew ? texts.createTitle : strings.editTitle(before.name)} size="lg">
      <form onSubmit={submit} noValidate>
        <Stack>
          <TextInput data-autofocus label={strings.name} required maxLength={100} {...form.field('name')} />
          {isNew && workspace !== '' && (
            <FillFromRecipe
              key={workspace}
              workspace={workspace}
              onFill={(recipe, run) => form.change({ ...run, name: name === '' ? recipe.name : name })}
            />
          )}
          <Textarea
            label={strings.objective}
            description={texts.objectiveHint}
            required
            autosize
            minRows={2}
            maxRows={12}
            maxLength={100_000}
            {...form.field('objective')}
          />
          {children}
          <RunFields form={form} kinds={STANDING_KINDS} workspaces={workspaces} />
          {more}
          <FormFoot
            problem={problem}
            pending={pending}
            submit={isNew ? texts.submit : strings.save}
            onCancel={onClose}
          />
        </Stack>
      </form>
    </Dialog>
  );
}
