import { NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { offeredEnvironmentsQuery } from '../environments/queries.ts';
import { pushStrings as strings } from './strings.ts';

interface DeliverSelectProps {
  place: { organization: string; workspace: string | undefined };
  environment: string;
  field: object;
}

/** What is pushed of a run's commits. Not shown where its environment has no repository. */
export function DeliverSelect({ place, environment, field }: DeliverSelectProps): ReactElement | null {
  const { data } = useQuery(offeredEnvironmentsQuery(place.organization, place.workspace));
  const chosen = data?.environments.find(({ name }) => name === environment);
  if (chosen?.repository === undefined) return null;
  return (
    <NativeSelect
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      label={strings.label}
      description={strings.hint}
      data={[
        { value: '', label: strings.nothing },
        { value: 'branch', label: strings.branch },
        { value: 'pull-request', label: strings.pullRequest },
      ]}
      {...field}
    />
  );
}
