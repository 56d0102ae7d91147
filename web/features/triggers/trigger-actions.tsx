import { Button, PasswordInput, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { TRIGGER_SOURCES } from '../../../src/contract/standing/trigger-rules.ts';
import { Dialog } from '../../kit/dialog.tsx';
import { FormFoot } from '../../kit/form-foot.tsx';
import { toastDone } from '../../kit/toasts.tsx';
import { useServerForm } from '../../kit/use-server-form.ts';
import { useCurrentWorkspace, useSignedIn } from '../../session/organization-context.ts';
import { StandingActions } from '../runs/standing/standing-actions.tsx';
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
import { TriggerBadge } from './trigger-badge.tsx';
import { TriggerDialog } from './trigger-dialog.tsx';

export function TriggerActions({ trigger }: { trigger: TriggerView }): ReactElement {
  const { organization } = useSignedIn();
  const { workspaces, current } = useCurrentWorkspace();
  const [opened, setOpened] = useState<'rotate' | 'test'>();
  const { id } = trigger;
  const close = (): void => setOpened(undefined);
  const opens = (what: NonNullable<typeof opened>, label: string): ReactElement => (
    <Button variant="default" onClick={() => setOpened(what)}>
      {label}
    </Button>
  );
  return (
    <>
      <StandingActions
        path="/runs/triggers"
        texts={strings}
        standing={trigger}
        keys={triggerKeys}
        badge={<TriggerBadge trigger={trigger} />}
        turn={(enabled) => changeTrigger(organization.id, { id, enabled })}
        remove={() => deleteTrigger(organization.id, id)}
        renderForm={(onClose) => (
          <TriggerDialog
            trigger={trigger}
            workspaces={workspaces}
            current={current}
            onSaved={onClose}
            onClose={onClose}
          />
        )}
        buttons={opens('test', strings.test)}
        ownButtons={opens('rotate', strings.rotate)}
      />
      {opened === 'test' && <TestDialog trigger={trigger} onClose={close} />}
      {opened === 'rotate' && <RotateDialog trigger={trigger} onClose={close} />}
    </>
  );
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
