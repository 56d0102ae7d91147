import {
  Checkbox,
  Group,
  NativeSelect,
  type NativeSelectProps,
  SimpleGrid,
  Stack,
  Text,
  Textarea,
} from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import type { Workspace } from '../../../src/contract/workspaces.ts';
import { modelsQuery } from '../models-and-keys/queries.ts';
import { TellMe } from '../../installed/tell-me.tsx';
import { type NewRun, type RunView, type RunKind, startRun } from './queries.ts';
import { capabilitiesQuery } from '../integrations/capabilities.ts';
import { Dialog } from '../../kit/dialog.tsx';
import { FormFoot } from '../../kit/form-foot.tsx';
import { AnchorLink } from '../../kit/links.tsx';
import { useServerForm } from '../../kit/use-server-form.ts';
import { useSignedIn } from '../../session/organization-context.ts';
import { kindNames, kindTexts, runStrings, startRunStrings as strings } from './strings.ts';
import { SandboxNotice } from './sandbox-notice.tsx';
import { optionsOf } from './run-filters.tsx';

interface StartRunProps {
  workspaces: readonly Workspace[];
  /** The current workspace. */
  current: Workspace | undefined;
  /** A run to start again; everything about it can be changed first. */
  like?: Pick<RunView, 'objective' | 'kind' | 'model' | 'capabilities' | 'fundingWorkspace'>;
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
};

const LONGEST = 100_000;

/** The server fills in empty fields. */
function toNewRun({ objective, kind, workspace, model, capabilities, fundingWorkspace }: RunValues): NewRun {
  return {
    objective,
    kind,
    ...(workspace === '' ? {} : { workspace }),
    ...(model === '' ? {} : { model }),
    ...(capabilities.length === 0 ? {} : { capabilities }),
    ...(fundingWorkspace === '' ? {} : { fundingWorkspace }),
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
          <TellMe />
          <FormFoot problem={problem} pending={pending} submit={strings.submit} onCancel={onClose} />
        </Stack>
      </form>
    </Dialog>
  );
}

/** Two fields side by side: their labels and inputs line up, whatever the length of the hints. */
export const PAIR = { cols: { base: 1, xs: 2 }, spacing: 'md' } as const;
export const HINT_BELOW: Pick<NativeSelectProps, 'inputWrapperOrder'> = {
  inputWrapperOrder: ['label', 'input', 'description', 'error'],
};

interface PlacedFieldProps {
  place: { organization: string; workspace: string | undefined };
  field: object;
}

export function ModelSelect({ place, field }: PlacedFieldProps): ReactElement {
  const models =
    useQuery(modelsQuery(place)).data?.models.filter(
      ({ modality, allowed, forRuns }) => modality === 'chat' && allowed && forRuns,
    ) ?? [];
  return (
    <NativeSelect
      {...HINT_BELOW}
      label={strings.model}
      description={strings.modelHint}
      data={[{ value: '', label: runStrings.anyModel }, ...models.map(({ id, name }) => ({ value: id, label: name }))]}
      {...field}
    />
  );
}

export function Capabilities({ place, field }: PlacedFieldProps): ReactElement | null {
  const { data } = useQuery(capabilitiesQuery(place));
  if (data === undefined) return null;
  if (data.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {strings.noCapabilities}{' '}
        <AnchorLink to="/integrations" size="sm">
          {strings.connect}
        </AnchorLink>
      </Text>
    );
  }
  return (
    <Checkbox.Group label={strings.capabilities} description={strings.capabilitiesHint} {...field}>
      <Group gap="sm" mt="xs">
        {data.map(({ key, title, usable, why }) => (
          <Checkbox
            key={key}
            value={key}
            disabled={!usable}
            label={`${title} (@${key})`}
            {...(why === undefined ? {} : { description: why })}
          />
        ))}
      </Group>
    </Checkbox.Group>
  );
}
