import { Button, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { readFault } from '../../api/fault.ts';
import { signInByPasskey } from '../../api/identity.ts';
import { hasPasskeys, isAbandoned } from '../../api/passkeys.ts';
import { FormProblem } from '../../kit/form-problem.tsx';
import { identity } from './identity-strings.ts';

/** Signs in without an address: the browser knows whose its passkeys are. */
export function PasskeyButton({ onDone }: { onDone: () => void }): ReactElement | null {
  const enter = useMutation({ mutationFn: signInByPasskey, onSuccess: onDone });
  if (!hasPasskeys()) return null;
  return (
    <Stack>
      <Button variant="default" size="md" loading={enter.isPending} onClick={() => enter.mutate()}>
        {identity.signIn.passkey}
      </Button>
      <FormProblem text={enter.error === null || isAbandoned(enter.error) ? undefined : readFault(enter.error).text} />
    </Stack>
  );
}
