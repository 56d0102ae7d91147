import { useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { connectorsQuery, type ListedConnector } from '../integrations/queries.ts';
import { usePeople, useSignedIn } from '../../session/organization-context.ts';
import type { Names } from './describe-receipt.ts';
import { nameActor } from './name-actor.ts';

const NONE: readonly ListedConnector[] = [];

export function useConnectors(): readonly ListedConnector[] {
  const { organization } = useSignedIn();
  return useQuery(connectorsQuery(organization.id)).data?.connectors ?? NONE;
}

/** The names of apps; the ID until they are loaded. */
export function useAppName(): (id: string) => string {
  const connectors = useConnectors();
  return useCallback((id) => connectors.find((each) => each.id === id)?.name ?? id, [connectors]);
}

/** The names that turn a receipt into a sentence. */
export function useNames(): Pick<Names, 'who' | 'appName'> {
  const { user } = useSignedIn();
  const people = usePeople();
  const appName = useAppName();
  return { who: (actor) => nameActor(actor, user.id, people), appName };
}
