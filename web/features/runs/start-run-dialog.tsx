import { NativeSelect, SimpleGrid, Stack, Textarea } from '@mantine/core';
import type { ReactElement } from 'react';
import type { Workspace } from '../../../src/contract/workspaces.ts';
import { EnvironmentSelect } from '../environments/environment-select.tsx';
import { TellMe } from '../../installed/tell-me.tsx';
import { type NewRun, type RunView, type RunKind, startRun } from './queries.ts';
import { Dialog } from '../../kit/dialog.tsx';
import { FormFoot } from '../../kit/form-foot.tsx';
import { useServerForm } from '../../kit/use-server-form.ts';
import { useSignedIn } from '../../session/organization-context.ts';
import { kindNames, kindTexts, runStrings, startRunStrings as strings } from './strings.ts';
import { SandboxNotice } from './sandbox-notice.tsx';
import { optionsOf } from './run-filters.tsx';
import { Capabilities, HINT_BELOW, ModelSelect, PAIR } from './run-fields.tsx';

interface StartRunProps {
  workspaces: readonly Workspace[];
  /** The current workspace. */
  current: Workspace | undefined;
  /** A run to start again; everything about it can be changed first. */
  like?: Pick<RunView, 'objective' | 'kind' | 'model' | 'capabilities' | 'fundingWorkspace' | 'environment'>;
  onStarted: (run: RunView) => void;
  onClose: () => void;
}

type RunValues = {
  objective: string;
  kind: RunKind;
  workspace: string;
  model: string;
  capabilities: string[];
  fundingWorkspace: string;
  environment: string;
};

const LONGEST = 100_000;

/** The server fills in empty fields. */
function toNewRun({
  objective,
  kind,
  workspace,
  model,
  capabilities,
  fundingWorkspace,
  environment,
}: RunValues): NewRun {
  return {
    objective,
    kind,
    ...(workspace === '' ? {} : { workspace }),
    ...(model === '' ? {} : { model }),
    ...(capabilities.length === 0 ? {} : { capabilities }),
    ...(fundingWorkspace === '' ? {} : { fundingWorkspace }),
    ...(environment === '' ? {} : { environment }),
  };
}

export function StartRunDialog({ workspaces, current, like, onStarted, onClose }: StartRunProps): ReactElement {
  const { organization } = useSignedIn();
  const { form, submit, pending, problem } = useServerForm<RunValues, RunView>({
    initialValues: {
      objective: like?.objective ?? '',
      kind: like?.kind ?? 'chat',
      workspace: current?.id ?? '',
      model: like?.model ?? '',
      capabilities: [...(like?.capabilities ?? [])],
      fundingWorkspace: like?.fundingWorkspace ?? '',
      environment: like?.environment ?? '',
    },
    validate: { objective: (value) => (value.trim() === '' ? strings.objectiveRequired : null) },
    send: (values) => startRun(organization.id, toNewRun(values)),
    onDone: onStarted,
  });
  const { workspace, kind } = form.values;
  const place = { organization: organization.id, workspace: workspace === '' ? undefined : workspace };
  const named = workspaces.map(({ id, name }) => ({ value: id, label: name }));
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
          <SimpleGrid {...PAIR}>
            <NativeSelect
              {...HINT_BELOW}
              label={strings.kind}
              description={kindTexts[kind]}
              data={optionsOf(kindNames)}
              {...form.getInputProps('kind')}
            />
            <NativeSelect
              {...HINT_BELOW}
              label={strings.workspace}
              description={strings.workspaceHint}
              data={named}
              {...form.getInputProps('workspace')}
              onChange={(event) => {
                form.setFieldValue('workspace', event.currentTarget.value);
                form.setFieldValue('capabilities', []);
                form.setFieldValue('environment', '');
              }}
            />
          </SimpleGrid>
          <Capabilities place={place} field={form.getInputProps('capabilities')} />
          <SimpleGrid {...PAIR}>
            <ModelSelect place={place} field={form.getInputProps('model')} />
            <NativeSelect
              {...HINT_BELOW}
              label={strings.funding}
              description={strings.fundingHint}
              data={[{ value: '', label: runStrings.fundedByOrganization }, ...named]}
              {...form.getInputProps('fundingWorkspace')}
            />
          </SimpleGrid>
          <EnvironmentSelect place={place} chosen={form.values.environment} field={form.getInputProps('environment')} />
          <TellMe />
          <FormFoot problem={problem} pending={pending} submit={strings.submit} onCancel={onClose} />
        </Stack>
      </form>
    </Dialog>
  );
}
