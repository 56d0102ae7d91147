// Makes a schedule, or changes one: what it starts, and when.
import { NativeSelect, SimpleGrid, Stack, Textarea, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import type { Workspace } from '../../../src/contract/workspaces.ts';
import { Dialog } from '../../kit/dialog.tsx';
import { FormFoot } from '../../kit/form-foot.tsx';
import { toastDone } from '../../kit/toasts.tsx';
import { useServerForm } from '../../kit/use-server-form.ts';
import { useSignedIn } from '../../session/organization-context.ts';
import { optionsOf } from '../runs/run-filters.tsx';
import { EnvironmentSelect } from '../environments/environment-select.tsx';
import { Capabilities, HINT_BELOW, ModelSelect, PAIR } from '../runs/run-fields.tsx';
import { kindNames, kindTexts, startRunStrings } from '../runs/strings.ts';
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

const KINDS = { chat: kindNames.chat, codex: kindNames.codex };

export function ScheduleDialog(props: ScheduleDialogProps): ReactElement {
  const { workspaces, current, schedule, onSaved, onClose } = props;
  const { organization } = useSignedIn();
  const queryClient = useQueryClient();
  const { form, submit, pending, problem } = useServerForm<ScheduleValues, ScheduleView>({
    initialValues: toValues(schedule, current),
    validate: (values) => ({
      ...(values.name.trim() === '' ? { name: strings.nameRequired } : {}),
      ...(values.objective.trim() === '' ? { objective: strings.objectiveRequired } : {}),
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
  const { workspace, kind } = form.values;
  const place = { organization: organization.id, workspace: workspace === '' ? undefined : workspace };
  const title = schedule === undefined ? strings.createTitle : strings.editTitle(schedule.name);
  return (
    <Dialog onClose={onClose} title={title} size="lg">
      <form onSubmit={submit} noValidate>
        <Stack>
          <TextInput data-autofocus label={strings.name} required maxLength={100} {...form.getInputProps('name')} />
          <Textarea
            label={strings.objective}
            description={strings.objectiveHint}
            required
            autosize
            minRows={2}
            maxRows={12}
            maxLength={100_000}
            {...form.getInputProps('objective')}
          />
          <TimingFields form={form} />
          <SimpleGrid {...PAIR}>
            <NativeSelect label={strings.overlap} data={optionsOf(overlapNames)} {...form.getInputProps('overlap')} />
            <NativeSelect label={strings.catchUp} data={optionsOf(catchUpNames)} {...form.getInputProps('catchUp')} />
            <NativeSelect
              {...HINT_BELOW}
              label={strings.kind}
              description={kindTexts[kind]}
              data={optionsOf(KINDS)}
              {...form.getInputProps('kind')}
            />
            <NativeSelect
              {...HINT_BELOW}
              label={strings.workspace}
              description={startRunStrings.workspaceHint}
              data={workspaces.map(({ id, name }) => ({ value: id, label: name }))}
              {...form.getInputProps('workspace')}
              onChange={(event) => {
                form.setFieldValue('workspace', event.currentTarget.value);
                form.setFieldValue('capabilities', []);
                form.setFieldValue('environment', '');
              }}
            />
          </SimpleGrid>
          <Capabilities place={place} field={form.getInputProps('capabilities')} />
          <ModelSelect place={place} field={form.getInputProps('model')} />
          <EnvironmentSelect place={place} chosen={form.values.environment} field={form.getInputProps('environment')} />
          <FormFoot
            problem={problem}
            pending={pending}
            submit={schedule === undefined ? strings.submit : strings.save}
            onCancel={onClose}
          />
        </Stack>
      </form>
    </Dialog>
  );
}

function toValues(schedule: ScheduleView | undefined, current: Workspace | undefined): ScheduleValues {
  const run = schedule?.run;
  return {
    name: schedule?.name ?? '',
    objective: run?.objective ?? '',
    kind: run?.kind ?? 'chat',
    workspace: run?.workspace ?? current?.id ?? '',
    model: run?.model ?? '',
    capabilities: [...(run?.capabilities ?? [])],
    environment: run?.environment ?? '',
    overlap: schedule?.overlap ?? 'skip',
    catchUp: schedule?.catchUp ?? 'one',
    ...toTimingValues(schedule),
  };
}

/** What the form has no field for stays as it is, and times that were not changed are not sent. */
function toSchedule(values: ScheduleValues, before?: ScheduleView): NewSchedule {
  const { name, objective, kind, workspace, model, capabilities, environment, overlap, catchUp } = values;
  const times = toTimes(values);
  const isSame = before !== undefined && JSON.stringify(times) === JSON.stringify(toTimes(toTimingValues(before)));
  const funding = before?.run.fundingWorkspace;
  return {
    name: name.trim(),
    run: {
      objective,
      kind,
      ...(workspace === '' ? {} : { workspace }),
      ...(model === '' ? {} : { model }),
      ...(capabilities.length === 0 ? {} : { capabilities }),
      ...(environment === '' ? {} : { environment }),
      ...(funding === undefined ? {} : { fundingWorkspace: funding }),
    },
    ...(isSame ? {} : times),
    overlap,
    catchUp,
  };
}
