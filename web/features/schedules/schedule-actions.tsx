import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { toastFault } from '../../kit/toasts.tsx';
import { useCurrentWorkspace, useSignedIn } from '../../session/organization-context.ts';
import { StandingActions } from '../runs/standing/standing-actions.tsx';
import { StandingBadge } from '../runs/standing/standing-badge.tsx';
import { useOpenStarted } from '../runs/use-open-started.ts';
import { changeSchedule, deleteSchedule, runScheduleNow, scheduleKeys, type ScheduleView } from './queries.ts';
import { ScheduleDialog } from './schedule-dialog.tsx';
import { scheduleStrings as strings } from './strings.ts';

export function ScheduleActions({ schedule }: { schedule: ScheduleView }): ReactElement {
  const { organization } = useSignedIn();
  const { workspaces, current } = useCurrentWorkspace();
  const queryClient = useQueryClient();
  const openStarted = useOpenStarted();
  const { id } = schedule;
  const start = useMutation({
    mutationFn: () => runScheduleNow(organization.id, id),
    onSuccess: async (run) => {
      openStarted(run);
      await queryClient.invalidateQueries({ queryKey: scheduleKeys.all });
    },
    onError: toastFault,
  });
  return (
    <StandingActions
      path="/runs/schedules"
      texts={strings}
      standing={schedule}
      keys={scheduleKeys}
      badge={<StandingBadge standing={schedule} />}
      turn={(enabled) => changeSchedule(organization.id, { id, enabled })}
      remove={() => deleteSchedule(organization.id, id)}
      renderForm={(onClose) => (
        <ScheduleDialog
          schedule={schedule}
          workspaces={workspaces}
          current={current}
          onSaved={onClose}
          onClose={onClose}
        />
      )}
      ownButtons={
        <Button variant="default" loading={start.isPending} onClick={() => start.mutate()}>
          {strings.runNow}
        </Button>
      }
    />
  );
}
