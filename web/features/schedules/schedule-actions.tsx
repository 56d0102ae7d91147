import { Button, Group } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { ConfirmDialog } from '../../kit/confirm-dialog.tsx';
import { toastDone, toastFault } from '../../kit/toasts.tsx';
import { useCurrentWorkspace, useSignedIn } from '../../session/organization-context.ts';
import { useOpenStarted } from '../runs/use-open-started.ts';
import { changeSchedule, deleteSchedule, runScheduleNow, scheduleKeys, type ScheduleView } from './queries.ts';
import { ScheduleDialog } from './schedule-dialog.tsx';
import { StateBadge } from './schedule-state.tsx';
import { scheduleStrings as strings } from './strings.ts';

/** All for the person who made it; those who manage its place turn it off and delete it. */
export function ScheduleActions({ schedule }: { schedule: ScheduleView }): ReactElement {
  const { user, organization } = useSignedIn();
  const { workspaces, current } = useCurrentWorkspace();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const openStarted = useOpenStarted();
  const [opened, setOpened] = useState<'edit' | 'delete'>();
  const isMine = schedule.createdBy === user.id;
  const isOn = schedule.enabled && schedule.paused === undefined;
  const reload = (): Promise<void> => queryClient.invalidateQueries({ queryKey: scheduleKeys.all });
  const turn = useMutation({
    mutationFn: () => changeSchedule(organization.id, { id: schedule.id, enabled: !isOn }),
    onSuccess: async () => {
      toastDone(strings.changed);
      await reload();
    },
    onError: toastFault,
  });
  const start = useMutation({
    mutationFn: () => runScheduleNow(organization.id, schedule.id),
    onSuccess: async (run) => {
      openStarted(run);
      await reload();
    },
    onError: toastFault,
  });
  return (
    <Group gap="sm">
      <StateBadge schedule={schedule} />
      {isMine && (
        <Button variant="default" loading={start.isPending} onClick={() => start.mutate()}>
          {strings.runNow}
        </Button>
      )}
      {(isMine || isOn) && (
        <Button variant="default" loading={turn.isPending} onClick={() => turn.mutate()}>
          {isOn ? strings.turnOff : strings.turnOn}
        </Button>
      )}
      {isMine && (
        <Button variant="default" onClick={() => setOpened('edit')}>
          {strings.edit}
        </Button>
      )}
      <Button variant="default" onClick={() => setOpened('delete')}>
        {strings.delete}
      </Button>
      {opened === 'edit' && (
        <ScheduleDialog
          schedule={schedule}
          workspaces={workspaces}
          current={current}
          onSaved={() => setOpened(undefined)}
          onClose={() => setOpened(undefined)}
        />
      )}
      {opened === 'delete' && (
        <ConfirmDialog
          title={strings.deleteTitle}
          text={strings.deleteText}
          confirm={strings.delete}
          act={() => deleteSchedule(organization.id, schedule.id)}
          onDone={async () => {
            toastDone(strings.deleted);
            queryClient.removeQueries({ queryKey: scheduleKeys.one(schedule.id) });
            await navigate({ to: '/runs/schedules' });
          }}
          onClose={() => setOpened(undefined)}
        />
      )}
    </Group>
  );
}
