// Makes a schedule, or changes one: what it starts, and when.
import { NativeSelect, SimpleGrid } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import type { Workspace } from '../../../src/contract/workspaces.ts';
import { toastDone } from '../../kit/toasts.tsx';
import { useServerForm } from '../../kit/use-server-form.ts';
import { useSignedIn } from '../../session/organization-context.ts';
import { optionsOf } from '../runs/run-filters.tsx';
import { PAIR } from '../runs/run-fields.tsx';
import { STANDING_RULES, StandingForm, toStanding, toStandingValues } from '../runs/standing/standing-form.tsx';
import { changeSchedule, createSchedule, type NewSchedule, scheduleKeys, type ScheduleView } from './queries.ts';
import { catchUpNames, overlapNames, scheduleStrings as strings } from './strings.ts';
import { type ScheduleValues, toTimes, toTimingValues, validateTiming } from './schedule-values.ts';
import { TimingFields } from './timing-fields.tsx';

interface ScheduleDialogProps {
  workspaces: readonly Workspace[];
  current: Workspace | undefined;
  /** The one to change; a new one is made otherwise. */
  schedule?: ScheduleView;
  onSaved: (schedule: ScheduleView) => void;
  onClose: () => void;
}

export function ScheduleDialog(props: ScheduleDialogProps): ReactElement {
  const { workspaces, current, schedule, onSaved, onClose } = props;
  const { organization } = useSignedIn();
  const queryClient = useQueryClient();
  const { form, submit, pending, problem } = useServerForm<ScheduleValues, ScheduleView>({
    initialValues: {
      ...toStandingValues(schedule, current),
      overlap: schedule?.overlap ?? 'skip',
      catchUp: schedule?.catchUp ?? 'one',
      ...toTimingValues(schedule),
    },
    validate: (values) => ({
      name: STANDING_RULES.name(values.name),
      objective: STANDING_RULES.objective(values.objective),
      ...validateTiming(values),
    }),
    send: (values) =>
      schedule === undefined
        ? createSchedule(organization.id, toSchedule(values))
        : changeSchedule(organization.id, { id: schedule.id, ...toSchedule(values, schedule) }),
    onDone: async (saved) => {
      toastDone(schedule === undefined ? strings.created : strings.changed);
      await queryClient.invalidateQueries({ queryKey: scheduleKeys.all });
      onSaved(saved);
    },
  });
  return (
    <StandingForm
      texts={strings}
      before={schedule}
      workspaces={workspaces}
      form={{ values: form.values, field: form.getInputProps, change: form.setValues }}
      {...{ submit, pending, problem, onClose }}
    >
      <TimingFields form={form} />
      <SimpleGrid {...PAIR}>
        <NativeSelect label={strings.overlap} data={optionsOf(overlapNames)} {...form.getInputProps('overlap')} />
        <NativeSelect label={strings.catchUp} data={optionsOf(catchUpNames)} {...form.getInputProps('catchUp')} />
      </SimpleGrid>
    </StandingForm>
  );
}

/** Times that were not changed are not sent. */
function toSchedule(values: ScheduleValues, before?: ScheduleView): NewSchedule {
  const { overlap, catchUp } = values;
  const times = toTimes(values);
  const isSame = before !== undefined && JSON.stringify(times) === JSON.stringify(toTimes(toTimingValues(before)));
  return { ...toStanding(values), ...(isSame ? {} : times), overlap, catchUp };
}
