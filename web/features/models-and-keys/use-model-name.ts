import { useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { withServed } from '../../../src/contract/routes/with-served.ts';
import { useSignedIn } from '../../session/organization-context.ts';
import { organizationModelsQuery } from './queries.ts';

/** A model by its name and, if another one answered, that one too. A model that is not offered keeps its ID. */
export function useModelName(): (model: string, served?: string) => string {
  const { organization } = useSignedIn();
  const { data: models } = useQuery(organizationModelsQuery(organization.id));
  return useCallback(
    (model, served) => {
      const named = (id: string): string => models?.find((one) => one.id === id)?.name ?? id;
      return withServed(named(model), served === undefined ? undefined : named(served));
    },
    [models],
  );
}
