import { Card, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { SettingSwitch } from '../kit/setting-switch.tsx';
import { api, client } from '../api/client.ts';
import { signInOptionsQuery } from '../api/identity.ts';
import { toastFault } from '../kit/toasts.tsx';
import { useSignedIn } from '../session/organization-context.ts';
import { canNotify, isDenied, setNotificationChoice, turnOnNotifications, useNotificationChoice } from './notify.ts';
import { notificationStrings as strings } from './strings.ts';

export function NotificationSettings(): ReactElement {
  const { user } = useSignedIn();
  const choice = useNotificationChoice(user.id);
  const [denied, setDenied] = useState(isDenied);
  const turn = async (on: boolean): Promise<void> => {
    if (on) setDenied(!(await turnOnNotifications(user.id)) && isDenied());
    else setNotificationChoice(user.id, 'off');
  };
  const isOn = choice !== 'off' && !denied;
  return (
    <Card component="section" padding="lg">
      <Stack>
        <Title order={2} size="h4">
          {strings.title}
        </Title>
        <Text size="sm">{strings.text}</Text>
        <SettingSwitch
          label={strings.on}
          description={canNotify() ? (denied ? strings.denied : undefined) : strings.unsupported}
          checked={isOn}
          disabled={!canNotify()}
          onChange={(on) => void turn(on)}
        />
        {isOn && (
          <SettingSwitch
            label={strings.titles}
            description={strings.titlesText}
            checked={choice === 'titles'}
            onChange={(titles) => setNotificationChoice(user.id, titles ? 'titles' : 'plain')}
          />
        )}
        <MailWhenRunsEnd />
      </Stack>
    </Card>
  );
}

/** Wherever the person is; only where mail is sent. */
function MailWhenRunsEnd(): ReactElement | null {
  const { data: options } = useQuery(signInOptionsQuery);
  const query = api.account.mails.read.queryOptions();
  const { data: choice } = useQuery({ ...query, enabled: options?.mail === true });
  const queryClient = useQueryClient();
  const choose = useMutation({
    mutationFn: (runs: boolean) => client.account.mails.choose({ runs }),
    onSuccess: (chosen) => queryClient.setQueryData(query.queryKey, chosen),
    onError: toastFault,
  });
  if (choice === undefined) return null;
  return (
    <SettingSwitch
      label={strings.mailRuns}
      description={strings.mailRunsText}
      checked={choose.isPending ? choose.variables : choice.runs}
      onChange={(runs) => choose.mutate(runs)}
    />
  );
}
