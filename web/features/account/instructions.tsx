import { Button, Card, Checkbox, Group, Stack, Text, Textarea, Title } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import type { CustomInstructions } from '../../../src/contract/prompts.ts';
import { api, client } from '../../api/client.ts';
import { FormProblem } from '../../kit/form-problem.tsx';
import { LoadFailure } from '../../kit/list-state.tsx';
import { Loading } from '../../kit/loading.tsx';
import { toastDone } from '../../kit/toasts.tsx';
import { useServerForm } from '../../kit/use-server-form.ts';
import { useSignedIn } from '../../session/organization-context.ts';
import { accountStrings as strings } from './strings.ts';

const MOST_CHARACTERS = 8_000;

/** What the person wants every answer in this organization to follow. */
export function Instructions(): ReactElement {
  const { organization } = useSignedIn();
  const { data, error, refetch } = useQuery({
    queryKey: [...api.instructions.key(), organization.id],
    queryFn: ({ signal }) => client.instructions.show({ organization: organization.id }, { signal }),
  });
  return (
    <Card component="section" padding="lg">
      <Stack>
        <Title order={2} size="h4">
          {strings.instructions.title}
        </Title>
        <Text size="sm">{strings.instructions.text(organization.name)}</Text>
        {data !== undefined && <InstructionsForm key={organization.id} saved={data.instructions} />}
        {data === undefined && error !== null && (
          <LoadFailure title={strings.instructions.failed} error={error} retry={refetch} />
        )}
        {data === undefined && error === null && <Loading />}
      </Stack>
    </Card>
  );
}

function InstructionsForm({ saved }: { saved: CustomInstructions }): ReactElement {
  const { organization } = useSignedIn();
  const queryClient = useQueryClient();
  const { form, submit, pending, problem } = useServerForm({
    // A person who writes the first ones wants them used.
    initialValues: { text: saved.text, enabled: saved.enabled || saved.text === '' },
    send: (values) => client.instructions.save({ organization: organization.id, ...values }),
    onDone: async () => {
      toastDone(strings.instructions.done);
      await queryClient.invalidateQueries({ queryKey: api.instructions.key() });
    },
  });
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <Textarea
          label={strings.instructions.label}
          placeholder={strings.instructions.placeholder}
          autosize
          minRows={3}
          maxRows={12}
          maxLength={MOST_CHARACTERS}
          {...form.getInputProps('text')}
        />
        <Checkbox label={strings.instructions.enabled} {...form.getInputProps('enabled', { type: 'checkbox' })} />
        <FormProblem text={problem} />
        <Group justify="flex-end">
          <Button type="submit" loading={pending}>
            {strings.instructions.submit}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
