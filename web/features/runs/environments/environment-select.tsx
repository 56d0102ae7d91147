// The environment of what is started, for every form that starts something. Not shown where there is none to choose.
import { NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { offeredEnvironmentsQuery } from './queries.ts';
import { environmentSelectStrings as strings } from './strings.ts';

interface EnvironmentSelectProps {
  place: { organization: string; workspace: string | undefined };
  /** The one that is chosen; it may be gone by now. */
  chosen: string;
  field: object;
  onChoose: (name: string) => void;
}

export function EnvironmentSelect({ place, chosen, field, onChoose }: EnvironmentSelectProps): ReactElement | null {
  const { data } = useQuery(offeredEnvironmentsQuery(place.organization, place.workspace));
  const names = data?.environments.map(({ name }) => name) ?? [];
  if (names.length === 0 && chosen === '') return null;
  const gone = chosen !== '' && !names.includes(chosen);
  return (
    <NativeSelect
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      label={strings.label}
      description={strings.hint}
      data={[{ value: '', label: strings.none }, ...(gone ? [chosen, ...names] : names)]}
      {...field}
      onChange={({ currentTarget }) => onChoose(currentTarget.value)}
    />
  );
}
