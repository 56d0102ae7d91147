// Makes a trigger, or changes one: who delivers, what of that counts, and what it starts.
import { NativeSelect, PasswordInput, SimpleGrid, Stack, Textarea, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { describeCondition, parseCondition } from '../../../src/contract/standing/condition-text.ts';
import { TRIGGER_SOURCES, type TriggerSource } from '../../../src/contract/standing/trigger-rules.ts';
import type { Workspace } from '../../../src/contract/workspaces.ts';
import { Dialog } from '../../kit/dialog.tsx';
import { FormFoot } from '../../kit/form-foot.tsx';
import { toastDone } from '../../kit/toasts.tsx';
import { useServerForm } from '../../kit/use-server-form.ts';
import { useSignedIn } from '../../session/organization-context.ts';
import { EnvironmentSelect } from '../environments/environment-select.tsx';
import { Capabilities, HINT_BELOW, ModelSelect, PAIR } from '../runs/run-fields.tsx';
import { optionsOf } from '../runs/run-filters.tsx';
import { kindNames, kindTexts, startRunStrings } from '../runs/strings.ts';
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

type TriggerValues = {
  name: string;
  source: TriggerSource;
  objective: string;
  filter: string;
  secret: string;
  kind: 'chat' | 'codex';
  workspace: string;
  model: string;
  capabilities: string[];
  environment: string;
};

const KINDS = { chat: kindNames.chat, codex: kindNames.codex };
const linesOf = (text: string): string[] => text.split('\n').filter((line) => line.trim() !== '');

export function TriggerDialog({ workspaces, current, trigger, onSaved, onClose }: TriggerDialogProps): ReactElement {
  const { organization } = useSignedIn();
  const queryClient = useQueryClient();
  const { form, submit, pending, problem } = useServerForm<TriggerValues, { made?: MadeTrigger }>({
    initialValues: toValues(trigger, current),
    validate: {
      name: (value) => (value.trim() === '' ? strings.nameRequired : null),
      objective: (value) => (value.trim() === '' ? strings.objectiveRequired : null),
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
  return (
    <Dialog
      onClose={onClose}
      title={trigger === undefined ? strings.createTitle : strings.editTitle(trigger.name)}
      size="lg"
    >
      <form onSubmit={submit} noValidate>
        <Stack>
          <TriggerFields form={form} workspaces={workspaces} isNew={trigger === undefined} />
          <FormFoot
            problem={problem}
            pending={pending}
            submit={trigger === undefined ? strings.submit : strings.save}
            onCancel={onClose}
          />
        </Stack>
      </form>
    </Dialog>
  );
}

interface TriggerFieldsProps {
  form: UseFormReturnType<TriggerValues>;
  workspaces: readonly Workspace[];
  isNew: boolean;
}

function TriggerFields({ form, workspaces, isNew }: TriggerFieldsProps): ReactElement {
  const { organization } = useSignedIn();
  const { workspace, kind, source, capabilities } = form.values;
  const place = { organization: organization.id, workspace: workspace === '' ? undefined : workspace };
  return (
    <>
      <TextInput data-autofocus label={strings.name} required maxLength={100} {...form.getInputProps('name')} />
      {isNew && (
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
        label={strings.objective}
        description={strings.objectiveHint}
        required
        autosize
        minRows={2}
        maxRows={12}
        maxLength={100_000}
        {...form.getInputProps('objective')}
      />
      <Textarea
        label={strings.filter}
        description={strings.filterHint}
        autosize
        minRows={1}
        maxRows={8}
        spellCheck={false}
        {...form.getInputProps('filter')}
      />
      <SimpleGrid {...PAIR}>
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
      {workspace !== '' && <RiskNote source={source} workspace={workspace} capabilities={capabilities} />}
      <ModelSelect place={place} field={form.getInputProps('model')} />
      <EnvironmentSelect place={place} chosen={form.values.environment} field={form.getInputProps('environment')} />
    </>
  );
}

function toValues(trigger: TriggerView | undefined, current: Workspace | undefined): TriggerValues {
  const run = trigger?.run;
  return {
    name: trigger?.name ?? '',
    source: trigger?.source ?? 'github',
    objective: run?.objective ?? '',
    filter: (trigger?.filter ?? []).map(describeCondition).join('\n'),
    secret: '',
    kind: run?.kind ?? 'chat',
    workspace: run?.workspace ?? current?.id ?? '',
    model: run?.model ?? '',
    capabilities: [...(run?.capabilities ?? [])],
    environment: run?.environment ?? '',
  };
}

/** What the form has no field for stays as it is. */
async function save(
  organization: string,
  values: TriggerValues,
  before: TriggerView | undefined,
): Promise<{ made?: MadeTrigger }> {
  const { name, source, objective, filter, secret, kind, workspace, model, capabilities, environment } = values;
  const funding = before?.run.fundingWorkspace;
  const wanted = {
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
    filter: linesOf(filter).flatMap((line) => parseCondition(line) ?? []),
    ...(secret.trim() === '' ? {} : { secret: secret.trim() }),
  };
  if (before === undefined) return { made: await createTrigger(organization, { ...wanted, source }) };
  await changeTrigger(organization, { id: before.id, ...wanted });
  return {};
}
