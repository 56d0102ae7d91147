import { Stack, Textarea } from '@mantine/core';
import type { ReactElement } from 'react';
import type { Workspace } from '../../../src/contract/workspaces.ts';
import { TellMe } from '../../installed/tell-me.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { FormFoot } from '../../kit/form-foot.tsx';
import { useServerForm } from '../../kit/use-server-form.ts';
import { useSignedIn } from '../../session/organization-context.ts';
import { type RunKind, type RunView, startRun } from './queries.ts';
import { RunFields } from './run-fields.tsx';
import { type RunValues, toRun, toRunValues } from './run-values.ts';
import { SandboxNotice } from './sandbox-notice.tsx';
import { kindNames, startRunStrings as strings } from './strings.ts';

interface StartRunProps {
  workspaces: readonly Workspace[];
  /** The current workspace. */
  current: Workspace | undefined;
  /** A run to start again; everything about it can be changed first. */
  like?: Pick<
    RunView,
    'objective' | 'kind' | 'model' | 'capabilities' | 'fundingWorkspace' | 'environment' | 'deliver'
  >;
  onStarted: (run: RunView) => void;
  onClose: () => void;
}

const LONGEST = 100_000;

export function StartRunDialog({ workspaces, current, like, onStarted, onClose }: StartRunProps): ReactElement {
  const { organization } = useSignedIn();
  const { form, submit, pending, problem } = useServerForm<RunValues<RunKind>, RunView>({
    initialValues: toRunValues(like, current?.id),
    validate: { objective: (value) => (value.trim() === '' ? strings.objectiveRequired : null) },
    send: (values) => startRun(organization.id, toRun(values)),
    onDone: onStarted,
  });
  return (
    <Dialog onClose={onClose} title={strings.title} size="lg">
      <form onSubmit={submit} noValidate>
        <Stack>
          <SandboxNotice />
          <Textarea
            data-autofocus
            label={strings.objective}
            description={strings.objectiveHint}
            required
            autosize
            minRows={3}
            maxRows={12}
            maxLength={LONGEST}
            {...form.getInputProps('objective')}
          />
          <RunFields
            form={{ values: form.values, field: form.getInputProps, change: form.setValues }}
            kinds={kindNames}
            workspaces={workspaces}
          />
          <TellMe />
          <FormFoot problem={problem} pending={pending} submit={strings.submit} onCancel={onClose} />
        </Stack>
      </form>
    </Dialog>
  );
}
