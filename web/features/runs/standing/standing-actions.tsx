// What can be done with a schedule or trigger: all for the person who made it; those who manage its place turn it off and
// delete it.
import { Button, Group } from '@mantine/core';
import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactElement, type ReactNode, useState } from 'react';
import { ConfirmDialog } from '../../../kit/confirm-dialog.tsx';
import { toastDone, toastFault } from '../../../kit/toasts.tsx';
import { useSignedIn } from '../../../session/organization-context.ts';
import type { StandingPath, StandingView } from './standing-view.ts';
import { standingStrings as strings } from './strings.ts';

interface StandingActionsProps {
  path: StandingPath;
  texts: Readonly<Record<'changed' | 'deleted' | 'deleteTitle' | 'deleteText', string>>;
  standing: StandingView;
  keys: { readonly all: QueryKey; one(id: string): QueryKey };
  badge: ReactNode;
  turn: (enabled: boolean) => Promise<unknown>;
  remove: () => Promise<unknown>;
  /** The form that changes it. */
  renderForm: (onClose: () => void) => ReactElement;
  /** Buttons of its own: for everyone, and for the person who made it. */
  buttons?: ReactNode;
  ownButtons?: ReactNode;
}

export function StandingActions(props: StandingActionsProps): ReactElement {
  const { path, texts, standing, keys, badge, turn, remove, renderForm, buttons, ownButtons } = props;
  const { user } = useSignedIn();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const [opened, setOpened] = useState<'edit' | 'delete'>();
  const isMine = standing.createdBy === user.id;
  const isOn = standing.enabled && standing.paused === undefined;
  const turning = useMutation({
    mutationFn: () => turn(!isOn),
    onSuccess: async () => {
      toastDone(texts.changed);
      await queryClient.invalidateQueries({ queryKey: keys.all });
    },
    onError: toastFault,
  });
  const close = (): void => setOpened(undefined);
  return (
    <Group gap="sm">
      {badge}
      {buttons}
      {isMine && ownButtons}
      {(isMine || isOn) && (
        <Button variant="default" loading={turning.isPending} onClick={() => turning.mutate()}>
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
      {opened === 'edit' && renderForm(close)}
      {opened === 'delete' && (
        <ConfirmDialog
          title={texts.deleteTitle}
          text={texts.deleteText}
          confirm={strings.delete}
          act={remove}
          onDone={async () => {
            toastDone(texts.deleted);
            await navigate({ to: path });
            queryClient.removeQueries({ queryKey: keys.one(standing.id) });
            await queryClient.invalidateQueries({ queryKey: keys.all });
          }}
          onClose={close}
        />
      )}
    </Group>
  );
}
