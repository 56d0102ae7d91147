import { Radio, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import type { Thread } from '../../../src/contract/threads.ts';
import { api, client } from '../../api/client.ts';
import { Dialog } from '../../kit/dialog.tsx';
import { FormFoot } from '../../kit/form-foot.tsx';
import { LoadFailure } from '../../kit/list-state.tsx';
import { Loading } from '../../kit/loading.tsx';
import { toastDone } from '../../kit/toasts.tsx';
import { useServerForm } from '../../kit/use-server-form.ts';
import { useSignedIn } from '../../session/organization-context.ts';
import { workspaceProjectsQuery } from './queries.ts';
import { moveStrings as strings } from './strings.ts';

const NONE = '';

/** A chat stays in its workspace, so only projects of that one are offered. */
export function MoveDialog({ thread, onClose }: { thread: Thread; onClose: () => void }): ReactElement {
  const { organization } = useSignedIn();
  const queryClient = useQueryClient();
  const query = useQuery(workspaceProjectsQuery(organization.id, thread.workspace));
  const projects = (query.data ?? []).filter(({ rights }) => rights.includes('use'));
  const { form, submit, pending, problem } = useServerForm({
    initialValues: { project: thread.project ?? NONE },
    send: ({ project }) => client.threads.update({ thread: thread.id, project: project === NONE ? null : project }),
    onDone: async (_, { project }) => {
      onClose();
      const name = projects.find(({ id }) => id === project)?.name;
      toastDone(name === undefined ? strings.movedOut : strings.moved(name));
      await queryClient.invalidateQueries({ queryKey: api.threads.key() });
    },
  });
  return (
    <Dialog onClose={onClose} title={strings.title}>
      <form onSubmit={submit} noValidate>
        <Stack>
          <Text size="sm" c="dimmed">
            {query.data !== undefined && projects.length === 0 ? strings.empty : strings.text}
          </Text>
          {query.isPending && <Loading />}
          {query.data === undefined && query.error !== null && (
            <LoadFailure error={query.error} retry={() => query.refetch()} />
          )}
          {projects.length > 0 && (
            <Radio.Group label={strings.label} {...form.getInputProps('project')}>
              <Stack gap="xs" mt="xs" mah="40dvh" style={{ overflowY: 'auto' }}>
                <Radio value={NONE} label={strings.none} />
                {projects.map(({ id, name }) => (
                  <Radio key={id} value={id} label={name} />
                ))}
              </Stack>
            </Radio.Group>
          )}
          <FormFoot problem={problem} pending={pending} submit={strings.submit} onCancel={onClose} />
        </Stack>
      </form>
    </Dialog>
  );
}
