import { Button, Group, Radio, Stack, Text, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import type { Role } from '../../../src/contract/common.ts';
import { api, client } from '../../api/client.ts';
import { CopyField } from '../../kit/copy-field.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { FocusedText } from '../../kit/focused-text.tsx';
import { FormFoot } from '../../kit/form-foot.tsx';
import { grantableRoles } from './role-select.tsx';
import { useServerForm } from '../../kit/use-server-form.ts';
import { useSignedIn } from '../../session/organization-context.ts';
import { common, roleNames } from '../../kit/strings.ts';
import { memberStrings, peopleStrings as strings } from './strings.ts';

interface Ready {
  email: string;
  url: string;
  sent: boolean;
}

export function InviteDialog({ onClose }: { onClose: () => void }): ReactElement {
  const { organization } = useSignedIn();
  const queryClient = useQueryClient();
  const [ready, setReady] = useState<Ready>();
  const { form, submit, pending, problem } = useServerForm<
    { email: string; role: Role },
    { invitation: Omit<Ready, 'sent'>; sent: boolean }
  >({
    initialValues: { email: '', role: 'member' },
    validate: { email: (value) => (value.includes('@') ? null : common.emailInvalid) },
    send: (values) => client.organizations.invitations.create({ org: organization.id, ...values }),
    onDone: ({ invitation, sent }) => {
      setReady({ ...invitation, sent });
      void queryClient.invalidateQueries({ queryKey: api.organizations.invitations.key() });
    },
  });
  if (ready !== undefined) {
    return (
      <Dialog onClose={onClose} title={strings.invitedTitle}>
        <Stack>
          <FocusedText>{ready.sent ? strings.sentText(ready.email) : strings.invitedText(ready.email)}</FocusedText>
          <CopyField label={strings.link} value={ready.url} />
          <Group justify="flex-end">
            <Button onClick={onClose}>{strings.done}</Button>
          </Group>
        </Stack>
      </Dialog>
    );
  }
  return (
    <Dialog onClose={onClose} title={strings.inviteTitle}>
      <form onSubmit={submit} noValidate>
        <Stack>
          <Text size="sm" c="dimmed">
            {strings.inviteText}
          </Text>
          <TextInput
            data-autofocus
            type="email"
            label={strings.email}
            autoComplete="off"
            {...form.getInputProps('email')}
          />
          <Radio.Group label={memberStrings.role} {...form.getInputProps('role')}>
            <Stack gap="xs" mt="xs">
              {grantableRoles(organization.role).map((role) => (
                <Radio key={role} value={role} label={roleNames[role]} description={strings.roleTexts[role]} />
              ))}
            </Stack>
          </Radio.Group>
          <FormFoot problem={problem} pending={pending} submit={strings.inviteSubmit} onCancel={onClose} />
        </Stack>
      </form>
    </Dialog>
  );
}
