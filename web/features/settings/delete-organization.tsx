import { Button, Card, Group, List, Stack, Text, TextInput, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { client } from '../../api/client.ts';
import { readFault } from '../../api/fault.ts';
import { Dialog } from '../../kit/dialog.tsx';
import { FormProblem } from '../../kit/form-problem.tsx';
import { common } from '../../kit/strings.ts';
import { useSignedIn } from '../../session/organization-context.ts';
import { withProof } from '../../session/proof.ts';
import { deleteOrganizationStrings as strings } from './strings.ts';

/** For owners; others are told who can. */
export function DeleteOrganization(): ReactElement {
  const { organization } = useSignedIn();
  const [asking, { open, close }] = useDisclosure(false);
  const isOwner = organization.role === 'owner';
  return (
    <Card component="section" aria-labelledby="danger">
      <Group justify="space-between">
        <Stack gap={2} flex="1 1 18rem">
          <Title order={2} id="danger" fz="md">
            {strings.title}
          </Title>
          <Text size="sm" c="dimmed">
            {isOwner ? strings.text : strings.ownersOnly}
          </Text>
        </Stack>
        {isOwner && (
          <Button variant="outline" color="red" onClick={open}>
            {strings.submit}
          </Button>
        )}
      </Group>
      {asking && <DeleteDialog onClose={close} />}
    </Card>
  );
}

function DeleteDialog({ onClose }: { onClose: () => void }): ReactElement {
  const { organization } = useSignedIn();
  const [word, setWord] = useState('');
  const remove = useMutation({
    mutationFn: () => withProof(() => client.leaving.organization({ org: organization.id, name: organization.name })),
    // To the page that says until when it can be brought back.
    onSuccess: () => window.location.assign('/organizations/new'),
  });
  const ready = word.trim() === organization.name;
  return (
    <Dialog onClose={onClose} title={strings.dialogTitle(organization.name)}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (ready && !remove.isPending) remove.mutate();
        }}
      >
        <Stack>
          <List size="sm" spacing="xs">
            {strings.happens.map((line) => (
              <List.Item key={line}>{line}</List.Item>
            ))}
          </List>
          <TextInput
            data-autofocus
            label={strings.typed(organization.name)}
            value={word}
            onChange={(event) => setWord(event.currentTarget.value)}
            autoComplete="off"
          />
          <FormProblem text={remove.error === null ? undefined : readFault(remove.error).text} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {common.cancel}
            </Button>
            <Button type="submit" color="red" disabled={!ready} loading={remove.isPending || remove.isSuccess}>
              {strings.submit}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
