import { Alert, Button, Card, Group, Modal, Stack, Text, TextInput, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactElement, type ReactNode, type SubmitEvent, useId, useRef, useState } from 'react';
import type { ProviderKeyState } from '../../../src/contract/provider-keys.ts';
import { api, client } from '../../api/client.ts';
import { readFault } from '../../api/fault.ts';
import { providerKeysQuery, shownKeys } from './queries.ts';
import type { WorkspaceNames } from '../../api/workspace-names.ts';
import { policyQuery } from '../policies/queries.ts';
import { CardSkeleton } from '../../kit/card-skeleton.tsx';
import { ConfirmDialog } from '../../kit/confirm-dialog.tsx';
import { Icon } from '../../kit/look/icons.tsx';
import { useSignedIn } from '../../session/organization-context.ts';
import { common } from '../../kit/strings.ts';
import { describeKeyUse, keyStrings as strings } from './strings.ts';
import { ShowDate } from '../../kit/show-date.tsx';
import { toastDone, toastFault } from '../../kit/toasts.tsx';
import { useServerForm } from '../../kit/use-server-form.ts';

interface ProviderKeyCardsProps {
  scope: WorkspaceNames;
  canManage: boolean;
  /** Shown when the keys cannot be loaded. */
  failure: string;
}

/** A card per provider that chat can use a key for. */
export function ProviderKeyCards({ scope, canManage, failure }: ProviderKeyCardsProps): ReactElement {
  const keys = useQuery(providerKeysQuery(scope));
  const policy = useQuery(policyQuery(scope.organization));
  if (keys.data === undefined || policy.data === undefined) {
    if (keys.error === null && policy.error === null) return <CardSkeleton />;
    return (
      <Stack align="flex-start">
        <Alert color="red" role="alert" icon={<Icon name="alert" />} w="100%">
          {failure}
        </Alert>
        <Button variant="default" onClick={() => void Promise.all([keys.refetch(), policy.refetch()])}>
          {common.tryAgain}
        </Button>
      </Stack>
    );
  }
  const { requireZdr } = policy.data;
  return (
    <Stack>
      {shownKeys(keys.data).map((state) => (
        <ProviderKeyCard
          key={state.provider}
          scope={scope}
          state={state}
          requiresZdr={requireZdr}
          canManage={canManage}
        />
      ))}
    </Stack>
  );
}

interface ProviderKeyCardProps {
  scope: WorkspaceNames;
  state: ProviderKeyState;
  /** The organization requires zero data retention, which a saved key lifts: saving needs a confirmation. */
  requiresZdr: boolean;
  canManage: boolean;
}

/** A provider's key in one scope. A stored key cannot be edited: it is removed first. */
function ProviderKeyCard({ scope, state, requiresZdr, canManage }: ProviderKeyCardProps): ReactElement {
  const titleId = useId();
  const { demo } = useSignedIn();
  const demoKey = demo ? strings.demoKeys[state.provider] : undefined;
  const line = useRef<HTMLParagraphElement>(null);
  const queryClient = useQueryClient();
  const settled = async (message: string): Promise<void> => {
    await Promise.all(
      [api.providerKeys, api.policy, api.models].map((changed) =>
        queryClient.invalidateQueries({ queryKey: changed.key() }),
      ),
    );
    toastDone(message);
    // The pressed button is gone, so focus moves to the line that shows the result.
    line.current?.focus();
  };
  return (
    <Card>
      <Stack gap="md">
        <div>
          <Title order={2} id={titleId}>
            {strings.title(state.name)}
          </Title>
          <Text ref={line} tabIndex={-1} className="quiet-focus" size="sm" c="dimmed" mt={4}>
            {state.configured ? strings.configured : strings.notConfigured}
          </Text>
          {state.use !== undefined && state.use.unused === undefined && (
            <Text size="sm" mt={4}>
              {describeKeyUse(state.use)}
            </Text>
          )}
        </div>
        <UnusedNote state={state} />
        {state.configured ? (
          <StoredKey titleId={titleId} scope={scope} state={state} canManage={canManage} onRemoved={settled} />
        ) : (
          canManage && (
            <KeyForm
              titleId={titleId}
              scope={scope}
              state={state}
              placeholder={demoKey ?? strings.placeholder}
              requiresZdr={requiresZdr}
              onSaved={settled}
            />
          )
        )}
        {demoKey !== undefined && canManage && !state.configured && (
          <Text size="sm" c="dimmed">
            {strings.demo(demoKey)}
          </Text>
        )}
        {!canManage && (
          <Text size="sm" c="dimmed">
            {strings.readOnly}
          </Text>
        )}
      </Stack>
    </Card>
  );
}

interface FormProps {
  titleId: string;
  scope: WorkspaceNames;
  state: ProviderKeyState;
}

function KeyForm({
  titleId,
  scope,
  state,
  placeholder,
  requiresZdr,
  onSaved,
}: FormProps & {
  placeholder: string;
  requiresZdr: boolean;
  onSaved: (message: string) => Promise<void>;
}): ReactElement {
  const [asking, setAsking] = useState(false);
  const queryClient = useQueryClient();
  /** Someone else saved a key first: the card now shows theirs, so the error goes into a toast. */
  const noticeOtherKey = (error: unknown): never => {
    if (readFault(error).code === 'provider_key_exists') {
      toastFault(error);
      void queryClient.invalidateQueries({ queryKey: api.providerKeys.key() });
    }
    throw error;
  };
  const { form, submit, pending, problem } = useServerForm({
    initialValues: { key: '' },
    validate: { key: (value) => (value.trim() === '' ? strings.required : null) },
    send: ({ key }) => client.providerKeys.save({ provider: state.provider, ...scope, key }).catch(noticeOtherKey),
    onDone: ({ message }) => onSaved(message),
    isSecret: true,
  });
  const ask = (event: SubmitEvent<HTMLFormElement>): void => {
    if (!requiresZdr || form.values.key.trim() === '') return submit(event);
    event.preventDefault();
    setAsking(true);
  };
  return (
    <>
      <form onSubmit={ask} noValidate autoComplete="off">
        <Group align="flex-start" gap="sm">
          <TextInput
            type="password"
            aria-labelledby={titleId}
            placeholder={placeholder}
            autoComplete="off"
            spellCheck={false}
            data-1p-ignore
            data-lpignore="true"
            maxLength={4_096}
            flex="1 1 16rem"
            {...form.getInputProps('key')}
            error={form.errors.key ?? problem}
            errorProps={{ role: 'alert' }}
          />
          <Button type="submit" loading={pending}>
            {strings.save}
          </Button>
        </Group>
      </form>
      <Modal opened={asking} onClose={() => setAsking(false)} title={strings.zdr.title}>
        <Stack>
          <Text size="sm">{strings.zdr.text(state.name)}</Text>
          <Group justify="flex-end">
            <Button variant="default" data-autofocus onClick={() => setAsking(false)}>
              {common.cancel}
            </Button>
            <Button
              onClick={() => {
                setAsking(false);
                submit();
              }}
            >
              {strings.zdr.confirm}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
}

function StoredKey({
  titleId,
  scope,
  state,
  canManage,
  onRemoved,
}: FormProps & { canManage: boolean; onRemoved: (message: string) => Promise<void> }): ReactElement {
  const [asking, { open, close }] = useDisclosure(false);
  return (
    <Stack gap="xs">
      <Group align="flex-start" gap="sm">
        <TextInput
          aria-labelledby={titleId}
          value={strings.masked}
          disabled
          readOnly
          autoComplete="off"
          flex="1 1 16rem"
        />
        {canManage && (
          <Button color="red" onClick={open}>
            {strings.remove}
          </Button>
        )}
      </Group>
      <Text size="xs" c="dimmed">
        {state.fingerprint !== undefined && (
          <>
            {strings.fingerprint} <code>{state.fingerprint}</code>
          </>
        )}
        {state.updatedAt !== undefined && (
          <>
            {' · '}
            {strings.saved} <ShowDate at={state.updatedAt} />
          </>
        )}
      </Text>
      {asking && (
        <ConfirmDialog
          title={strings.removeTitle(state.name)}
          text={strings.removeText(state.name)}
          confirm={strings.remove}
          act={() => client.providerKeys.remove({ params: { provider: state.provider }, query: { ...scope } })}
          onClose={close}
          onDone={({ message }) => {
            close();
            return onRemoved(message);
          }}
        />
      )}
    </Stack>
  );
}

/** Why the stored key is not used. */
function UnusedNote({ state: { use, name, undecryptable } }: { state: ProviderKeyState }): ReactElement | null {
  if (undecryptable === true) return <KeyNote color="red">{strings.undecryptable}</KeyNote>;
  if (use?.unused === undefined) return null;
  return (
    <KeyNote color="yellow">
      {use.unused === 'organization_has_no_key' ? strings.notRead(name) : describeKeyUse(use)}
    </KeyNote>
  );
}

function KeyNote({ color, children }: { color: string; children: ReactNode }): ReactElement {
  return (
    <Alert color={color} icon={<Icon name="alert" />} role="note">
      {children}
    </Alert>
  );
}
