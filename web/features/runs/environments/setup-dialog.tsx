// What the setup script of an environment printed, and running it again.
import { Badge, Button, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { CodeBlock } from '../../../kit/code-block.tsx';
import { Dialog } from '../../../kit/dialog.tsx';
import { ListState } from '../../../kit/list-state.tsx';
import { Row, Rows } from '../../../kit/rows.tsx';
import { ShowDate } from '../../../kit/show-date.tsx';
import { toastDone, toastFault } from '../../../kit/toasts.tsx';
import { type ShownEnvironment, environmentKeys, type EnvironmentPlace, rebuildSetup, setupsQuery } from './queries.ts';
import { setupStrings as strings } from './strings.ts';

const COLORS = { building: 'yellow', ready: 'pine', failed: 'red' } as const;

interface SetupDialogProps {
  place: EnvironmentPlace;
  environment: ShownEnvironment;
  onClose: () => void;
}

export function SetupDialog({ place, environment: { name, editable }, onClose }: SetupDialogProps): ReactElement {
  const queryClient = useQueryClient();
  const query = useQuery(setupsQuery(place, name));
  const setups = query.data?.setups ?? [];
  const rebuild = useMutation({
    mutationFn: () => rebuildSetup(place, name),
    onSuccess: async () => {
      toastDone(strings.rebuilt);
      await queryClient.invalidateQueries({ queryKey: environmentKeys.all });
    },
    onError: toastFault,
  });
  return (
    <Dialog onClose={onClose} title={strings.title(name)} size="xl">
      <Stack>
        <Text size="sm" c="dimmed">
          {strings.text}
        </Text>
        <ListState
          query={query}
          isEmpty={setups.length === 0}
          failed={strings.failed}
          empty={{ icon: 'run', title: strings.empty, text: strings.emptyText }}
        >
          <Rows label={strings.list}>
            {setups.map(({ digest, state, log, startedAt, endedAt }) => (
              <Row
                key={digest}
                title={
                  <Group gap="xs">
                    <Badge color={COLORS[state]}>{strings.states[state]}</Badge>
                    <ShowDate at={endedAt ?? startedAt} />
                  </Group>
                }
                text={log === '' ? strings.nothingPrinted : <CodeBlock title={strings.printed} text={log} />}
              />
            ))}
          </Rows>
        </ListState>
        {editable && setups.length > 0 && (
          <Group justify="flex-end">
            <Button variant="default" loading={rebuild.isPending} onClick={() => rebuild.mutate()}>
              {strings.rebuild}
            </Button>
          </Group>
        )}
      </Stack>
    </Dialog>
  );
}
