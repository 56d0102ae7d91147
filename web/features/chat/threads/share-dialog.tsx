import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import type { OwnShare } from '../../../../src/contract/share-of-thread.ts';
import type { Thread } from '../../../../src/contract/threads.ts';
import { api, client } from '../../../api/client.ts';
import { CopyField } from '../../../kit/copy-field.tsx';
import { Dialog } from '../../../kit/dialog.tsx';
import { LoadFailure } from '../../../kit/list-state.tsx';
import { Loading } from '../../../kit/loading.tsx';
import { Icon } from '../../../kit/look/icons.tsx';
import { ShowDate } from '../../../kit/show-date.tsx';
import { toastDone, toastFault } from '../../../kit/toasts.tsx';
import { useCurrentWorkspace, useSignedIn } from '../../../session/organization-context.ts';
import { shareQuery } from '../queries.ts';
import { shareStrings as strings } from '../strings.ts';

/** Makes the link of a chat, brings its copy up to date, and takes it back. */
export function ShareDialog({ thread, onClose }: { thread: Thread; onClose: () => void }): ReactElement {
  const { workspaces } = useCurrentWorkspace();
  const query = useQuery(shareQuery(thread.id));
  const workspace = workspaces.find(({ id }) => id === thread.workspace)?.name ?? strings.thisWorkspace;
  const { data } = query;
  return (
    <Dialog onClose={onClose} title={strings.title}>
      <Stack>
        <Text size="sm">{strings.explain(workspace)}</Text>
        {query.isPending && <Loading />}
        {query.error !== null && data === undefined && (
          <LoadFailure error={query.error} retry={() => query.refetch()} />
        )}
        {data?.blocked !== undefined && (
          <Alert color="yellow" icon={<Icon name="alert" />}>
            {strings.blocked[data.blocked]}
            {data.share !== undefined && data.blocked === 'sharing_disabled' && ` ${strings.blockedLink}`}
          </Alert>
        )}
        {data !== undefined && <Link thread={thread.id} share={data.share} isBlocked={data.blocked !== undefined} />}
      </Stack>
    </Dialog>
  );
}

function Link({
  thread,
  share,
  isBlocked,
}: {
  thread: string;
  share: OwnShare | undefined;
  isBlocked: boolean;
}): ReactElement {
  const { organization } = useSignedIn();
  const queryClient = useQueryClient();
  const reread = (): Promise<void> => queryClient.invalidateQueries({ queryKey: api.threads.key() });
  const save = useMutation({
    mutationFn: () => client.threads.share.save({ thread }),
    onError: toastFault,
    onSuccess: (saved) => {
      if (share !== undefined) toastDone(strings.updated);
      queryClient.setQueryData(shareQuery(thread).queryKey, saved);
      return reread();
    },
  });
  const remove = useMutation({
    mutationFn: () => client.threads.share.remove({ thread }),
    onError: toastFault,
    onSuccess: () => {
      toastDone(strings.removed);
      return reread();
    },
  });
  if (share === undefined)
    return (
      <Group justify="flex-end">
        <Button loading={save.isPending} disabled={isBlocked} onClick={() => save.mutate()}>
          {strings.create}
        </Button>
      </Group>
    );
  return (
    <>
      <CopyField
        label={strings.link}
        value={`${window.location.origin}/shared/${share.id}?org=${encodeURIComponent(organization.slug)}`}
      />
      <Text size="sm" c="dimmed">
        {strings.copyOf(share.messages)} <ShowDate at={share.updatedAt} />.
      </Text>
      <Group justify="flex-end">
        <Button variant="default" color="red" loading={remove.isPending} onClick={() => remove.mutate()}>
          {strings.remove}
        </Button>
        <Button loading={save.isPending} disabled={isBlocked} onClick={() => save.mutate()}>
          {strings.update}
        </Button>
      </Group>
    </>
  );
}
