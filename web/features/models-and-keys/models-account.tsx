import { Alert, Badge, Button, Card, Checkbox, Group, Stack, Text, Textarea, TextInput, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import type { ModelsAccountState } from '../../../src/contract/models-account.ts';
import { api, client } from '../../api/client.ts';
import { type AccountScope, modelsAccountQuery } from './queries.ts';
import { Icon } from '../../kit/look/icons.tsx';
import { CardSkeleton } from '../../kit/card-skeleton.tsx';
import { linesOf } from '../../kit/config-draft.ts';
import { ConfirmDialog } from '../../kit/confirm-dialog.tsx';
import { FormProblem } from '../../kit/form-problem.tsx';
import { LoadFailure } from '../../kit/list-state.tsx';
import { ShowDate } from '../../kit/show-date.tsx';
import { toastDone } from '../../kit/toasts.tsx';
import { useServerForm } from '../../kit/use-server-form.ts';
import { modelsAccountStrings as strings, keyStrings } from './strings.ts';

interface Props {
  readonly scope: AccountScope;
  readonly canManage: boolean;
}

/** The account of a workspace, or of the organization. */
export function ModelsAccount({ scope, canManage }: Props): ReactElement {
  const query = useQuery(modelsAccountQuery(scope));
  return (
    <section aria-labelledby="models-account">
      <Group gap="sm" mb={2}>
        <Title order={2} id="models-account">
          {strings.title}
        </Title>
        {query.data !== undefined && (
          <Badge color={query.data.configured ? 'pine' : 'gray'}>
            {query.data.configured ? strings.configured : strings.notConfigured}
          </Badge>
        )}
      </Group>
      <Text size="sm" c="dimmed" mb="md">
        {'org' in scope ? strings.organizationText : strings.text}
      </Text>
      {query.data === undefined ? (
        query.error === null ? (
          <CardSkeleton />
        ) : (
          <LoadFailure title={strings.loadFailed} error={query.error} retry={query.refetch} />
        )
      ) : (
        <Account key={query.data.updatedAt} scope={scope} canManage={canManage} account={query.data} />
      )}
    </section>
  );
}

function Account({ scope, canManage, account }: Props & { account: ModelsAccountState }): ReactElement {
  const queryClient = useQueryClient();
  const [removing, { open, close }] = useDisclosure(false);
  const refresh = async (): Promise<void> =>
    void (await Promise.all(
      [api.modelsAccount, api.providerKeys].map((changed) =>
        queryClient.invalidateQueries({ queryKey: changed.key() }),
      ),
    ));
  return (
    <Card>
      <Stack>
        {account.undecryptable === true && (
          <Alert color="red" icon={<Icon name="alert" />} role="note">
            {strings.undecryptable}
          </Alert>
        )}
        {account.fingerprint !== undefined && account.updatedAt !== undefined && (
          <Text size="sm" c="dimmed">
            {keyStrings.fingerprint} <code>{account.fingerprint}</code> · {keyStrings.saved}{' '}
            <ShowDate at={account.updatedAt} />
          </Text>
        )}
        {canManage ? (
          <AccountForm
            scope={scope}
            account={account}
            onRemove={open}
            onSaved={async () => {
              await refresh();
              toastDone(strings.saved);
            }}
          />
        ) : (
          <ReadOnlyAccount account={account} />
        )}
      </Stack>
      {removing && (
        <ConfirmDialog
          title={strings.removeTitle}
          text={strings.removeText}
          confirm={strings.remove}
          act={() =>
            'org' in scope ? client.modelsAccount.organization.remove(scope) : client.modelsAccount.remove(scope)
          }
          onClose={close}
          onDone={() => {
            close();
            toastDone(strings.removed);
            void refresh();
          }}
        />
      )}
    </Card>
  );
}

interface AccountFormProps {
  scope: AccountScope;
  account: ModelsAccountState;
  onRemove: () => void;
  onSaved: () => Promise<void>;
}

function useAccountForm({ scope, account, onSaved }: Omit<AccountFormProps, 'onRemove'>) {
  return useServerForm({
    initialValues: {
      baseUrl: account.baseUrl ?? '',
      key: '',
      models: account.models?.join('\n') ?? '',
      takesEffort: account.takesEffort ?? false,
    },
    validate: {
      baseUrl: (value) => (value.trim() === '' ? strings.baseUrlRequired : null),
      key: (value) => (value.trim() === '' ? strings.keyRequired : null),
      models: (value) => (linesOf(value) === undefined ? strings.modelsRequired : null),
    },
    fieldOf: (field) => /^(?:baseUrl|key|models)(?=\.|$)/.exec(field)?.[0],
    send: ({ baseUrl, key, models, takesEffort }) => {
      const given = { baseUrl, key, models: linesOf(models) ?? [], takesEffort };
      return 'org' in scope
        ? client.modelsAccount.organization.save({ ...scope, ...given })
        : client.modelsAccount.save({ ...scope, ...given });
    },
    onDone: onSaved,
    isSecret: true,
  });
}

function AccountForm({ scope, account, onRemove, onSaved }: AccountFormProps): ReactElement {
  const { form, submit, pending, problem } = useAccountForm({ scope, account, onSaved });
  return (
    <form onSubmit={submit} noValidate autoComplete="off">
      <Stack>
        <TextInput
          type="url"
          label={strings.baseUrl}
          description={strings.baseUrlHint}
          autoComplete="off"
          maxLength={2_000}
          {...form.getInputProps('baseUrl')}
        />
        <TextInput
          type="password"
          label={strings.key}
          description={strings.keyHint}
          autoComplete="off"
          spellCheck={false}
          data-1p-ignore
          data-lpignore="true"
          maxLength={4_096}
          {...form.getInputProps('key')}
        />
        <Textarea
          label={strings.models}
          description={strings.modelsHint}
          autosize
          minRows={2}
          maxRows={10}
          spellCheck={false}
          {...form.getInputProps('models')}
        />
        <Checkbox
          label={strings.takesEffort}
          description={strings.takesEffortHint}
          {...form.getInputProps('takesEffort', { type: 'checkbox' })}
        />
        <FormProblem text={problem} />
        <Group>
          <Button type="submit" loading={pending}>
            {strings.save}
          </Button>
          {account.configured && (
            <Button variant="outline" color="red" onClick={onRemove}>
              {strings.remove}
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  );
}

function ReadOnlyAccount({ account }: { account: ModelsAccountState }): ReactElement {
  return (
    <>
      {account.configured && (
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {account.baseUrl} · {account.models?.join(', ')}
        </Text>
      )}
      <Text size="sm" c="dimmed">
        {keyStrings.readOnly}
      </Text>
    </>
  );
}
