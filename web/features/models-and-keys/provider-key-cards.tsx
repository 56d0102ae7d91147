import { Alert, Button, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { type KeyScope, providerKeysQuery } from './queries.ts';
import { policyQuery } from '../policies/queries.ts';
import { Icon } from '../../kit/look/icons.tsx';
import { common } from '../../kit/strings.ts';
import { CardSkeleton } from '../../kit/card-skeleton.tsx';
import { ProviderKeyCard } from './provider-key-card.tsx';
import { shownKeys } from './shown-keys.ts';

interface ProviderKeyCardsProps {
  scope: KeyScope;
  canManage: boolean;
  /** Said when the scope cannot be read. */
  failure: string;
}

/** One card for each provider that chat can run on a key of. */
export function ProviderKeyCards({ scope, canManage, failure }: ProviderKeyCardsProps): ReactElement {
  const keys = useQuery(providerKeysQuery(scope));
  const policy = useQuery(policyQuery(scope.organization));
  if (keys.data === undefined || policy.data === undefined) {
    if (keys.error === null && policy.error === null) return <CardSkeleton />;
    return (
      <Stack align="flex-start">
        <Alert color="red" role="alert" icon={<Icon name="alert" />} w="100%">
          {failure}
        </Alert>
        <Button variant="default" onClick={() => void Promise.all([keys.refetch(), policy.refetch()])}>
          {common.tryAgain}
        </Button>
      </Stack>
    );
  }
  const { requireZdr } = policy.data;
  return (
    <Stack>
      {shownKeys(keys.data).map((state) => (
        <ProviderKeyCard
          key={state.provider}
          scope={scope}
          state={state}
          requiresZdr={requireZdr}
          canManage={canManage}
        />
      ))}
    </Stack>
  );
}
