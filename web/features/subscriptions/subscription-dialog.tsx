// Has an address told, or changes what it is told. The secret of a new one is shown once.
import { Button, Checkbox, Group, NativeSelect, Stack, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import type { SubscriptionEvent } from '../../../src/contract/subscriptions/subscriptions.ts';
import { runtime } from '../../api/runtime-client.ts';
import { CopyField } from '../../kit/copy-field.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { FocusedText } from '../../kit/focused-text.tsx';
import { FormFoot } from '../../kit/form-foot.tsx';
import { toastDone } from '../../kit/toasts.tsx';
import { useServerForm } from '../../kit/use-server-form.ts';
import { managesOrganization, useCurrentWorkspace, useSignedIn } from '../../session/organization-context.ts';
import { type Subscription, subscriptionKeys } from './queries.ts';
import { subscriptionFormStrings as strings, subscriptionStrings } from './strings.ts';

const EVENTS = Object.keys(subscriptionStrings.events) as SubscriptionEvent[];
const WHOLE_ORGANIZATION = '';

type Values = { url: string; events: SubscriptionEvent[]; workspace: string };
interface Saved {
  readonly secret?: string;
}

interface SubscriptionDialogProps {
  /** The one to change; a new one is made otherwise. */
  subscription?: Subscription;
  onClose: () => void;
}

export function SubscriptionDialog({ subscription, onClose }: SubscriptionDialogProps): ReactElement {
  const context = { organization: useSignedIn().organization.id };
  const places = usePlaces();
  const queryClient = useQueryClient();
  const [secret, setSecret] = useState<string>();
  const { form, submit, pending, problem } = useServerForm<Values, Saved>({
    initialValues: {
      url: subscription?.url ?? '',
      events: subscription?.events ?? ['run.completed', 'run.failed', 'run.aborted'],
      workspace: places[0]?.value ?? WHOLE_ORGANIZATION,
    },
    validate: {
      url: (value) => (URL.canParse(value.trim()) ? null : strings.urlRequired),
      events: (value) => (value.length === 0 ? strings.eventsRequired : null),
    },
    send: ({ url, events, workspace }) =>
      subscription === undefined
        ? runtime.subscriptions.create(
            { url, events, ...(workspace === WHOLE_ORGANIZATION ? {} : { workspace }) },
            { context },
          )
        : runtime.subscriptions.change({ id: subscription.id, url, events }, { context }).then(() => ({})),
    onDone: async (saved) => {
      if (saved.secret === undefined) {
        onClose();
        toastDone(strings.saved);
      } else setSecret(saved.secret);
      await queryClient.invalidateQueries({ queryKey: subscriptionKeys.lists });
    },
  });
  if (secret !== undefined) return <SecretOnce secret={secret} onClose={onClose} />;
  return (
    <Dialog onClose={onClose} title={subscription === undefined ? strings.createTitle : strings.editTitle} size="lg">
      <form onSubmit={submit} noValidate>
        <Stack>
          <TextInput
            data-autofocus
            type="url"
            label={strings.url}
            description={strings.urlHint}
            autoComplete="off"
            spellCheck={false}
            maxLength={2_000}
            {...form.getInputProps('url')}
          />
          <Checkbox.Group label={strings.eventsLabel} {...form.getInputProps('events')}>
            <Stack gap="xs" mt="xs">
              {EVENTS.map((event) => (
                <Checkbox key={event} value={event} label={subscriptionStrings.events[event]} description={event} />
              ))}
            </Stack>
          </Checkbox.Group>
          {subscription === undefined && (
            <NativeSelect
              label={strings.place}
              description={strings.placeHint}
              data={places}
              {...form.getInputProps('workspace')}
            />
          )}
          <FormFoot
            problem={problem}
            pending={pending}
            submit={subscription === undefined ? strings.submit : strings.save}
            onCancel={onClose}
          />
        </Stack>
      </form>
    </Dialog>
  );
}

/** The organization and the workspaces that the person manages. */
function usePlaces(): { value: string; label: string }[] {
  const { organization } = useSignedIn();
  const { workspaces } = useCurrentWorkspace();
  return [
    ...(managesOrganization(organization) ? [{ value: WHOLE_ORGANIZATION, label: strings.wholeOrganization }] : []),
    ...workspaces.filter(({ canManage }) => canManage).map(({ id, name }) => ({ value: id, label: name })),
  ];
}

/** A stray click or key must not close it. */
function SecretOnce({ secret, onClose }: { secret: string; onClose: () => void }): ReactElement {
  return (
    <Dialog
      onClose={onClose}
      title={strings.madeTitle}
      size="lg"
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
    >
      <Stack>
        <FocusedText>{strings.madeText}</FocusedText>
        <CopyField label={strings.secret} value={secret} />
        <Group justify="flex-end">
          <Button onClick={onClose}>{strings.done}</Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
