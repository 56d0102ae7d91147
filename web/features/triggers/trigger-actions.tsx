import { Button, Group, PasswordInput, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { TRIGGER_SOURCES } from '../../../src/contract/standing/trigger-rules.ts';
import { ConfirmDialog } from '../../kit/confirm-dialog.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { FormFoot } from '../../kit/form-foot.tsx';
import { toastDone, toastFault } from '../../kit/toasts.tsx';
import { useServerForm } from '../../kit/use-server-form.ts';
import { useCurrentWorkspace, useSignedIn } from '../../session/organization-context.ts';
import { MadeDialog } from './made-dialog.tsx';
import {
  changeTrigger,
  deleteTrigger,
  type MadeTrigger,
  rotateSecret,
  triggerKeys,
  type TriggerView,
} from './queries.ts';
import { triggerStrings as strings } from './strings.ts';
import { TestDialog } from './test-dialog.tsx';
import { TriggerDialog } from './trigger-dialog.tsx';
import { StateBadge } from './trigger-state.tsx';

/** All for the person who made it; those who manage its place turn it off and delete it. */
export function TriggerActions({ trigger }: { trigger: TriggerView }): ReactElement {
  const { user, organization } = useSignedIn();
  const queryClient = useQueryClient();
  const [opened, setOpened] = useState<'edit' | 'delete' | 'rotate' | 'test'>();
  const isMine = trigger.createdBy === user.id;
  const isOn = trigger.enabled && trigger.paused === undefined;
  const turn = useMutation({
    mutationFn: () => changeTrigger(organization.id, { id: trigger.id, enabled: !isOn }),
    onSuccess: async () => {
      toastDone(strings.changed);
      await queryClient.invalidateQueries({ queryKey: triggerKeys.all });
    },
    onError: toastFault,
  });
  const opens = (what: NonNullable<typeof opened>, label: string): ReactElement => (
    <Button variant="default" onClick={() => setOpened(what)}>
      {label}
    </Button>
  );
  return (
    <Group gap="sm">
      <StateBadge trigger={trigger} />
      {opens('test', strings.test)}
      {(isMine || isOn) && (
        <Button variant="default" loading={turn.isPending} onClick={() => turn.mutate()}>
          {isOn ? strings.turnOff : strings.turnOn}
        </Button>
      )}
      {isMine && opens('edit', strings.edit)}
      {isMine && opens('rotate', strings.rotate)}
      {opens('delete', strings.delete)}
      <OpenedDialog opened={opened} trigger={trigger} onClose={() => setOpened(undefined)} />
    </Group>
  );
}

interface OpenedProps {
  opened: 'edit' | 'delete' | 'rotate' | 'test' | undefined;
  trigger: TriggerView;
  onClose: () => void;
}

function OpenedDialog({ opened, trigger, onClose }: OpenedProps): ReactElement | null {
  const { organization } = useSignedIn();
  const { workspaces, current } = useCurrentWorkspace();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  switch (opened) {
    case 'test':
      return <TestDialog trigger={trigger} onClose={onClose} />;
    case 'rotate':
      return <RotateDialog trigger={trigger} onClose={onClose} />;
    case 'edit':
      return (
        <TriggerDialog
          trigger={trigger}
          workspaces={workspaces}
          current={current}
          onSaved={onClose}
          onClose={onClose}
        />
      );
    case 'delete':
      return (
        <ConfirmDialog
          title={strings.deleteTitle}
          text={strings.deleteText}
          confirm={strings.delete}
          act={() => deleteTrigger(organization.id, trigger.id)}
          onDone={async () => {
            toastDone(strings.deleted);
            queryClient.removeQueries({ queryKey: triggerKeys.one(trigger.id) });
            await navigate({ to: '/runs/triggers' });
          }}
          onClose={onClose}
        />
      );
    default:
      return null;
  }
}

function RotateDialog({ trigger, onClose }: { trigger: TriggerView; onClose: () => void }): ReactElement {
  const { organization } = useSignedIn();
  const queryClient = useQueryClient();
  const [made, setMade] = useState<MadeTrigger>();
  const isGiven = TRIGGER_SOURCES[trigger.source].secretFrom === 'sender';
  const { form, submit, pending, problem } = useServerForm({
    initialValues: { secret: '' },
    send: ({ secret }) => rotateSecret(organization.id, trigger.id, secret.trim()),
    onDone: async (rotated) => {
      toastDone(strings.rotated);
      if (rotated.secret === undefined) onClose();
      else setMade(rotated);
      await queryClient.invalidateQueries({ queryKey: triggerKeys.all });
    },
    isSecret: true,
  });
  if (made !== undefined) return <MadeDialog made={made} onClose={onClose} />;
  return (
    <Dialog onClose={onClose} title={strings.rotateTitle}>
      <form onSubmit={submit} noValidate>
        <Stack>
          <Text size="sm">{strings.rotateText}</Text>
          {isGiven && (
            <PasswordInput
              data-autofocus
              label={strings.secret}
              description={strings.rotateGiven}
              autoComplete="off"
              maxLength={500}
              {...form.getInputProps('secret')}
            />
          )}
          <FormFoot problem={problem} pending={pending} submit={strings.rotate} onCancel={onClose} />
        </Stack>
      </form>
    </Dialog>
  );
}
