import { Button, Group } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { readFault } from '../../api/fault.ts';
import { type AccountToConnect, connectAccount, readAccountToConnect, signOut } from '../../api/identity.ts';
import { FormProblem } from '../../kit/form-problem.tsx';
import { ButtonLink } from '../../kit/links.tsx';
import { LoadFailure } from '../../kit/list-state.tsx';
import { Loading } from '../../kit/loading.tsx';
import { SinglePromptLayout } from '../../kit/single-prompt-layout.tsx';
import { toastFault } from '../../kit/toasts.tsx';
import { identity } from './identity-strings.ts';

const strings = identity.connect;
/** People who come here have an account that they sign in to in another way. */
const PROVE = '/sign-in?password=1&next=%2Fconnect-account';

/** For somebody who came from the provider with the address of an account that is not connected: they prove that it is theirs. */
export function ConnectAccountPage(): ReactElement {
  const { data, error, refetch } = useQuery({
    queryKey: ['account-to-connect'],
    queryFn: readAccountToConnect,
    retry: false,
    refetchOnMount: 'always',
  });
  if (data !== undefined) return <Decide {...data} />;
  if (error === null)
    return (
      <SinglePromptLayout title={strings.title}>
        <Loading />
      </SinglePromptLayout>
    );
  const { code, text } = readFault(error);
  if (code !== 'openid_link_gone')
    return (
      <SinglePromptLayout title={strings.title}>
        <LoadFailure error={error} retry={refetch} />
      </SinglePromptLayout>
    );
  return (
    <SinglePromptLayout title={strings.goneTitle} text={text}>
      <Group justify="flex-end">
        <ButtonLink to="/sign-in">{strings.back}</ButtonLink>
      </Group>
    </SinglePromptLayout>
  );
}

function Decide({ provider, email, signedInAs }: AccountToConnect): ReactElement {
  if (signedInAs === email) return <Confirm provider={provider} email={email} />;
  if (signedInAs !== undefined) return <Other email={email} signedInAs={signedInAs} />;
  return (
    <SinglePromptLayout title={strings.title} text={strings.prove(email, provider)}>
      <Group justify="flex-end">
        <Button component="a" href={PROVE}>
          {strings.signIn}
        </Button>
      </Group>
    </SinglePromptLayout>
  );
}

function Confirm({ provider, email }: { provider: string; email: string }): ReactElement {
  const connect = useMutation({ mutationFn: connectAccount, onSuccess: (next) => window.location.assign(next) });
  return (
    <SinglePromptLayout title={strings.title} text={strings.confirm(email, provider)}>
      <FormProblem text={connect.error === null ? undefined : readFault(connect.error).text} />
      <Group justify="flex-end">
        <Button loading={connect.isPending || connect.isSuccess} onClick={() => connect.mutate()}>
          {strings.submit}
        </Button>
      </Group>
    </SinglePromptLayout>
  );
}

function Other({ email, signedInAs }: { email: string; signedInAs: string }): ReactElement {
  const leave = useMutation({
    mutationFn: signOut,
    onSuccess: () => window.location.assign(PROVE),
    onError: toastFault,
  });
  return (
    <SinglePromptLayout title={strings.title} text={strings.other(signedInAs, email)}>
      <Group justify="flex-end">
        <Button loading={leave.isPending} onClick={() => leave.mutate()}>
          {strings.switchAccount}
        </Button>
      </Group>
    </SinglePromptLayout>
  );
}
