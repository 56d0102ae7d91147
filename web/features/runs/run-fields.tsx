// Fields of what a run is started with, for every form that starts one, now or later.
import { Checkbox, Group, NativeSelect, type NativeSelectProps, SimpleGrid, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import type { Workspace } from '../../../src/contract/workspaces.ts';
import { AnchorLink } from '../../kit/links.tsx';
import { useSignedIn } from '../../session/organization-context.ts';
import { DeliverSelect } from './changes/deliver-select.tsx';
import { EnvironmentSelect } from './environments/environment-select.tsx';
import { capabilitiesQuery } from '../integrations/capabilities.ts';
import { modelsQuery } from '../models-and-keys/queries.ts';
import type { RunKind } from './queries.ts';
import { optionsOf } from './run-filters.tsx';
import type { RunValues } from './run-values.ts';
import { kindNames, kindTexts, runStrings, startRunStrings as strings } from './strings.ts';

/** Two fields side by side: their labels and inputs line up, whatever the length of the hints. */
export const PAIR = { cols: { base: 1, xs: 2 }, spacing: 'md' } as const;
export const HINT_BELOW: Pick<NativeSelectProps, 'inputWrapperOrder'> = {
  inputWrapperOrder: ['label', 'input', 'description', 'error'],
};

/** Those that anything but a person at that moment may start. */
export const STANDING_KINDS = { chat: kindNames.chat, codex: kindNames.codex };

/** The part of a form that is about the run. */
export interface RunForm {
  readonly values: RunValues<RunKind>;
  field(name: keyof RunValues): object;
  change(values: Partial<Pick<RunValues, 'workspace' | 'capabilities' | 'environment' | 'deliver'>>): void;
}

interface RunFieldsProps {
  form: RunForm;
  kinds: Readonly<Partial<Record<RunKind, string>>>;
  workspaces: readonly Workspace[];
  /** It stays in its workspace. */
  isPlaced?: boolean;
}

export function RunFields({ form, kinds, workspaces, isPlaced = false }: RunFieldsProps): ReactElement {
  const { organization } = useSignedIn();
  const { kind, workspace, environment } = form.values;
  const place = { organization: organization.id, workspace: workspace === '' ? undefined : workspace };
  const named = workspaces.map(({ id, name }) => ({ value: id, label: name }));
  return (
    <>
      <SimpleGrid {...PAIR}>
        <NativeSelect
          {...HINT_BELOW}
          label={strings.kind}
          description={kindTexts[kind]}
          data={optionsOf(kinds)}
          {...form.field('kind')}
        />
        {!isPlaced && (
          <NativeSelect
            {...HINT_BELOW}
            label={strings.workspace}
            description={strings.workspaceHint}
            data={named}
            {...form.field('workspace')}
            onChange={(event) =>
              form.change({ workspace: event.currentTarget.value, capabilities: [], environment: '', deliver: '' })
            }
          />
        )}
      </SimpleGrid>
      <Capabilities place={place} field={form.field('capabilities')} />
      <SimpleGrid {...PAIR}>
        <ModelSelect place={place} field={form.field('model')} />
        <NativeSelect
          {...HINT_BELOW}
          label={strings.funding}
          description={strings.fundingHint}
          data={[{ value: '', label: runStrings.fundedByOrganization }, ...named]}
          {...form.field('fundingWorkspace')}
        />
      </SimpleGrid>
      <EnvironmentSelect
        place={place}
        chosen={environment}
        field={form.field('environment')}
        // Its repository is another one, or none.
        onChoose={(chosen) => form.change({ environment: chosen, deliver: '' })}
      />
      <DeliverSelect place={place} environment={environment} field={form.field('deliver')} />
    </>
  );
}

interface PlacedFieldProps {
  place: { organization: string; workspace: string | undefined };
  field: object;
}

function ModelSelect({ place, field }: PlacedFieldProps): ReactElement {
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

function Capabilities({ place, field }: PlacedFieldProps): ReactElement | null {
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
