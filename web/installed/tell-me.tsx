import { Button } from '@mantine/core';
import { type ReactElement, useState } from 'react';
import { useSignedIn } from '../session/organization-context.ts';
import { canNotify, isDenied, turnOnNotifications, useNotificationChoice } from './notify.ts';
import { notificationStrings as strings } from './strings.ts';

/** Offered where a run is started, to those who have not decided yet. */
export function TellMe(): ReactElement | null {
  const { user } = useSignedIn();
  const choice = useNotificationChoice(user.id);
  const [pressed, setPressed] = useState(false);
  const offered = choice === 'off' && canNotify() && !isDenied();
  if (!offered && !pressed) return null;
  return (
    <output>
      {offered ? (
        <Button
          size="compact-sm"
          variant="subtle"
          onClick={() => {
            setPressed(true);
            void turnOnNotifications(user.id);
          }}
        >
          {strings.tellMe}
        </Button>
      ) : (
        choice !== 'off' && strings.willTell
      )}
    </output>
  );
}
