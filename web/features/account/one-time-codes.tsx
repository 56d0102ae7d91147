import { Button, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import type { SignInWays } from '../../../src/contract/account/account.ts';
import { client } from '../../api/client.ts';
import { ConfirmDialog } from '../../kit/confirm-dialog.tsx';
import { ShowDate } from '../../kit/show-date.tsx';
import { toastDone, toastFault } from '../../kit/toasts.tsx';
import { withProof } from '../../session/proof.ts';
import { OneTimeCodesDialog } from './one-time-codes-dialog.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';
import { Section } from './section.tsx';
import { accountStrings } from './strings.ts';
import { refreshSignInWays } from './use-sign-in-ways.ts';
import { WithWays } from './with-ways.tsx';

const { codes: strings } = accountStrings;
const FEW = 3;

export function OneTimeCodes(): ReactElement {
  return (
    <Section title={strings.title} text={strings.text}>
      <WithWays>
        {({ password, oneTimeCodes }) =>
          oneTimeCodes === null ? <SetUp password={password} /> : <Existing codes={oneTimeCodes} />
        }
      </WithWays>
    </Section>
  );
}

function SetUp({ password }: { password: boolean }): ReactElement {
  const begin = useMutation({
    mutationFn: () => withProof(() => client.account.oneTimeCodes.begin()),
    onError: toastFault,
    gcTime: 0,
  });
  if (!password)
    return (
      <Text size="sm" c="dimmed">
        {strings.noPassword}
      </Text>
    );
  return (
    <Group justify="flex-end">
      <Button variant="default" loading={begin.isPending} onClick={() => begin.mutate()}>
        {strings.begin}
      </Button>
      {begin.data !== undefined && <OneTimeCodesDialog offer={begin.data} onClose={() => begin.reset()} />}
    </Group>
  );
}

function Existing({ codes }: { codes: NonNullable<SignInWays['oneTimeCodes']> }): ReactElement {
  const queryClient = useQueryClient();
  const [removing, { open, close }] = useDisclosure(false);
  const [renewing, renew] = useDisclosure(false);
  const [shown, setShown] = useState<readonly string[]>();
  return (
    <Stack>
      <Text size="sm">
        {strings.since} <ShowDate at={codes.since} />. {strings.left(codes.recoveryCodes)}{' '}
        {codes.recoveryCodes <= FEW && strings.few}
      </Text>
      <Group justify="flex-end">
        <Button variant="subtle" color="red" onClick={open}>
          {strings.remove}
        </Button>
        <Button variant="default" onClick={renew.open}>
          {strings.renew}
        </Button>
      </Group>
      {removing && (
        <ConfirmDialog
          title={strings.removeTitle}
          text={strings.removeText}
          confirm={strings.remove}
          act={() => withProof(() => client.account.oneTimeCodes.remove())}
          onDone={async () => {
            close();
            toastDone(strings.removed);
            await refreshSignInWays(queryClient);
          }}
          onClose={close}
        />
      )}
      {renewing && (
        <ConfirmDialog
          title={strings.renewTitle}
          text={strings.renewText}
          confirm={strings.renew}
          act={() => withProof(() => client.account.oneTimeCodes.renewRecovery())}
          onDone={async ({ recoveryCodes }) => {
            renew.close();
            setShown(recoveryCodes);
            await refreshSignInWays(queryClient);
          }}
          onClose={renew.close}
        />
      )}
      {shown !== undefined && <RecoveryCodes codes={shown} onClose={() => setShown(undefined)} />}
    </Stack>
  );
}
