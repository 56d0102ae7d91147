import { Button, Card, Stack, Text, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { readFault } from '../../api/fault.ts';
import { call } from '../../api/identity.ts';
import { FormProblem } from '../../kit/form-problem.tsx';
import { toastDone } from '../../kit/toasts.tsx';
import { withProof } from '../../session/proof.ts';
import { yourDataStrings as strings } from './strings.ts';

const EXPORT = '/api/me/export';

export function YourData(): ReactElement {
  return (
    <Card component="section" padding="lg">
      <Stack align="flex-start">
        <Title order={2} size="h4">
          {strings.title}
        </Title>
        <Text size="sm">{strings.text}</Text>
        <DownloadData />
      </Stack>
    </Card>
  );
}

/** The browser saves the archive itself, however large it is; whether it may begin is asked before. */
export function DownloadData({ quiet = false }: { quiet?: boolean }): ReactElement {
  const begin = useMutation({
    mutationFn: () => withProof(() => call('GET', `${EXPORT}?check=1`)),
    onSuccess: () => {
      window.location.assign(EXPORT);
      toastDone(strings.begun);
    },
  });
  return (
    <>
      <FormProblem text={begin.error === null ? undefined : readFault(begin.error).text} />
      <Button
        variant={quiet ? 'subtle' : 'default'}
        size={quiet ? 'compact-sm' : 'sm'}
        loading={begin.isPending}
        onClick={() => begin.mutate()}
      >
        {strings.download}
      </Button>
    </>
  );
}
