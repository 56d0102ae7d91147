// Makes a trigger, or changes one: who delivers, what of that counts, and what it starts.
import { NativeSelect, PasswordInput, Textarea } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { describeCondition, parseCondition } from '../../../src/contract/standing/condition-text.ts';
import { TRIGGER_SOURCES, type TriggerSource } from '../../../src/contract/standing/trigger-rules.ts';
import type { Workspace } from '../../../src/contract/workspaces.ts';
import { toastDone } from '../../kit/toasts.tsx';
import { useServerForm } from '../../kit/use-server-form.ts';
import { useSignedIn } from '../../session/organization-context.ts';
import { HINT_BELOW } from '../runs/run-fields.tsx';
import { optionsOf } from '../runs/run-filters.tsx';
import {
  STANDING_RULES,
  StandingForm,
  type StandingValues,
  toStanding,
  toStandingValues,
} from '../runs/standing/standing-form.tsx';
import { changeTrigger, createTrigger, type MadeTrigger, triggerKeys, type TriggerView } from './queries.ts';
import { RiskNote } from './risk-note.tsx';
import { triggerSourceNames, triggerSourceSteps, triggerStrings as strings } from './strings.ts';

interface TriggerDialogProps {
  workspaces: readonly Workspace[];
  current: Workspace | undefined;
  /** The one to change; a new one is made otherwise. */
  trigger?: TriggerView;
  /** With the address, and the secret if there is one to show, of a new one. */
  onSaved: (saved: { made?: MadeTrigger }) => void;
  onClose: () => void;
}

type TriggerValues = StandingValues & { source: TriggerSource; filter: string; secret: string };

const linesOf = (text: string): string[] => text.split('\n').filter((line) => line.trim() !== '');

export function TriggerDialog({ workspaces, current, trigger, onSaved, onClose }: TriggerDialogProps): ReactElement {
  const { organization } = useSignedIn();
  const queryClient = useQueryClient();
  const { form, submit, pending, problem } = useServerForm<TriggerValues, { made?: MadeTrigger }>({
    initialValues: {
      ...toStandingValues(trigger, current),
      source: trigger?.source ?? 'github',
      filter: (trigger?.filter ?? []).map(describeCondition).join('\n'),
      secret: '',
    },
    validate: {
      ...STANDING_RULES,
      filter: (value) => {
        const wrong = linesOf(value).find((line) => parseCondition(line) === undefined);
        return wrong === undefined ? null : strings.filterInvalid(wrong);
      },
    },
    send: (values) => save(organization.id, values, trigger),
    onDone: async (saved) => {
      toastDone(trigger === undefined ? strings.created : strings.changed);
      await queryClient.invalidateQueries({ queryKey: triggerKeys.all });
      onSaved(saved);
    },
    isSecret: true,
  });
  const { workspace, source, capabilities } = form.values;
  return (
    <StandingForm
      texts={strings}
      before={trigger}
      workspaces={workspaces}
      form={{ values: form.values, field: form.getInputProps, change: form.setValues }}
      {...{ submit, pending, problem, onClose }}
      more={workspace !== '' && <RiskNote source={source} workspace={workspace} capabilities={capabilities} />}
    >
      {trigger === undefined && (
        <NativeSelect
          {...HINT_BELOW}
          label={strings.source}
          description={triggerSourceSteps[source]}
          data={optionsOf(triggerSourceNames)}
          {...form.getInputProps('source')}
        />
      )}
      {TRIGGER_SOURCES[source].secretFrom === 'sender' && (
        <PasswordInput
          label={strings.secret}
          description={strings.secretHint}
          autoComplete="off"
          maxLength={500}
          {...form.getInputProps('secret')}
        />
      )}
      <Textarea
        label={strings.filter}
        description={strings.filterHint}
        autosize
        minRows={1}
        maxRows={8}
        spellCheck={false}
        {...form.getInputProps('filter')}
      />
    </StandingForm>
  );
}

async function save(
  organization: string,
  values: TriggerValues,
  before: TriggerView | undefined,
): Promise<{ made?: MadeTrigger }> {
  const { source, filter, secret } = values;
  const wanted = {
    ...toStanding(values),
    filter: linesOf(filter).flatMap((line) => parseCondition(line) ?? []),
    ...(secret.trim() === '' ? {} : { secret: secret.trim() }),
  };
  if (before === undefined) return { made: await createTrigger(organization, { ...wanted, source }) };
  await changeTrigger(organization, { id: before.id, ...wanted });
  return {};
}
