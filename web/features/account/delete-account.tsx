import { Alert, Button, Card, Group, List, Stack, Text, TextInput, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { client } from '../../api/client.ts';
import { readFault } from '../../api/fault.ts';
import { isServerError } from '../../api/server-error.ts';
import { Dialog } from '../../kit/dialog.tsx';
import { FormProblem } from '../../kit/form-problem.tsx';
import { AnchorLink } from '../../kit/links.tsx';
import { common } from '../../kit/strings.ts';
import { meQuery } from '../../session/me-query.ts';
import { withProof } from '../../session/proof.ts';
import { forgetDrafts } from '../chat/composer/drafts.ts';
import { deleteAccountStrings as strings } from './strings.ts';

export function DeleteAccount(): ReactElement {
  return (
    <Card component="section" padding="lg">
      <Stack align="flex-start">
        <Title order={2} size="h4">
          {strings.title}
        </Title>
        <Text size="sm">{strings.text}</Text>
        <DeleteAccountButton />
      </Stack>
    </Card>
  );
}

export function DeleteAccountButton({ quiet = false }: { quiet?: boolean }): ReactElement {
  const [asking, { open, close }] = useDisclosure(false);
  return (
    <>
      <Button variant={quiet ? 'subtle' : 'outline'} size={quiet ? 'compact-sm' : 'sm'} color="red" onClick={open}>
        {strings.title}
      </Button>
      {asking && <DeleteDialog onClose={close} />}
    </>
  );
}

function DeleteDialog({ onClose }: { onClose: () => void }): ReactElement {
  const { data: me } = useQuery(meQuery);
  const [word, setWord] = useState('');
  const leave = useMutation({ mutationFn: () => withProof(() => client.leaving.person()), onSuccess: forgetDrafts });
  if (leave.isSuccess) return <Gone />;
  const alone = onlyOwnerOf(leave.error);
  const ready = me !== undefined && word.trim().toLowerCase() === me.user.email;
  return (
    <Dialog onClose={onClose} title={strings.dialogTitle}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (ready && !leave.isPending) leave.mutate();
        }}
      >
        <Stack>
          <List size="sm" spacing="xs">
            {strings.happens.map((line) => (
              <List.Item key={line}>{line}</List.Item>
            ))}
          </List>
          {alone.length > 0 && <LastOwner organizations={alone} />}
          {me !== undefined && (
            <TextInput
              data-autofocus
              label={strings.typed(me.user.email)}
              value={word}
              onChange={(event) => setWord(event.currentTarget.value)}
              autoComplete="off"
            />
          )}
          <FormProblem text={leave.error === null || alone.length > 0 ? undefined : readFault(leave.error).text} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {common.cancel}
            </Button>
            <Button type="submit" color="red" disabled={!ready} loading={leave.isPending}>
              {strings.title}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}

interface OwnedOrganization {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
}

function LastOwner({ organizations }: { organizations: readonly OwnedOrganization[] }): ReactElement {
  return (
    <Alert color="yellow" title={strings.alone} role="alert">
      <Stack gap="xs">
        {organizations.map(({ id, slug, name }) => (
          <Text key={id} size="sm">
            <strong>{name}</strong>:{' '}
            <AnchorLink to="/organization/settings/members" search={{ org: slug }} size="sm">
              {strings.nameOwner}
            </AnchorLink>{' '}
            {strings.or}{' '}
            <AnchorLink to="/organization/settings/general" search={{ org: slug }} size="sm">
              {strings.deleteOrganization}
            </AnchorLink>
          </Text>
        ))}
      </Stack>
    </Alert>
  );
}

function onlyOwnerOf(error: unknown): readonly OwnedOrganization[] {
  if (readFault(error).code !== 'last_owner' || !isServerError(error)) return [];
  const { details } = (error.data ?? {}) as { details?: { organizations?: OwnedOrganization[] } };
  return details?.organizations ?? [];
}

/** The session has ended: nothing of the app works behind it. */
function Gone(): ReactElement {
  return (
    <Dialog
      onClose={() => {}}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      title={strings.goneTitle}
      zIndex={600}
    >
      <Stack>
        <Text size="sm">{strings.goneText}</Text>
        <Group justify="flex-end">
          <Button data-autofocus onClick={() => window.location.assign('/sign-in')}>
            {strings.toSignIn}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
