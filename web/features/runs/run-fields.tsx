// Fields of what a run is started with, for every form that starts one.
import { Checkbox, Group, NativeSelect, type NativeSelectProps, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { modelsQuery } from '../models-and-keys/queries.ts';
import { capabilitiesQuery } from '../integrations/capabilities.ts';
import { AnchorLink } from '../../kit/links.tsx';
import { runStrings, startRunStrings as strings } from './strings.ts';

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
