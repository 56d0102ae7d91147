import { Button, Group, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { client } from '../../api/client.ts';
import { readFault } from '../../api/fault.ts';
import { FormProblem } from '../../kit/form-problem.tsx';
import { ButtonLink } from '../../kit/links.tsx';
import { SinglePromptLayout } from '../../kit/single-prompt-layout.tsx';
import { meQuery } from '../../session/me-query.ts';
import { addressStrings as strings } from './strings.ts';

/** The secret stands after the hash, so that no server sees it before the person decides. */
export function ProveAddressPage(): ReactElement {
  const [secret] = useState(() => window.location.hash.slice(1));
  const queryClient = useQueryClient();
  const prove = useMutation({
    mutationFn: () => client.account.proveAddress({ secret }),
    gcTime: 0,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: meQuery.queryKey }),
  });
  if (prove.data !== undefined)
    return (
      <SinglePromptLayout title={strings.doneTitle} text={strings.doneText(prove.data.user.email)}>
        <Group justify="flex-end">
          <ButtonLink to="/account">{strings.toAccount}</ButtonLink>
        </Group>
      </SinglePromptLayout>
    );
  const fault = prove.error === null ? undefined : readFault(prove.error);
  if (secret === '' || fault?.code === 'not_found')
    return <SinglePromptLayout title={strings.goneTitle} text={strings.goneText} />;
  return (
    <SinglePromptLayout title={strings.title} text={strings.text}>
      <Text size="sm">{strings.who}</Text>
      <FormProblem text={fault?.code === 'user_exists' ? strings.taken : fault?.text} />
      <Group justify="flex-end">
        <Button loading={prove.isPending} onClick={() => prove.mutate()}>
          {strings.submit}
        </Button>
      </Group>
    </SinglePromptLayout>
  );
}
