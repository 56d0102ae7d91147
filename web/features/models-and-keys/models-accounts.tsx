import { ActionIcon, Alert, Button, Card, Group, Stack, Text, Title, VisuallyHidden } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useEffect, useRef, useState } from 'react';
import { MOST_ACCOUNTS } from '../../../src/contract/accounts/account-kinds.ts';
import type { ShownAccount } from '../../../src/contract/models-account.ts';
import { readFault } from '../../api/fault.ts';
import { api } from '../../api/client.ts';
import { type AccountScope, accountsAt, modelsAccountsQuery } from './queries.ts';
import { Icon } from '../../kit/look/icons.tsx';
import { CardSkeleton } from '../../kit/card-skeleton.tsx';
import { ConfirmDialog } from '../../kit/confirm-dialog.tsx';
import { FormProblem } from '../../kit/form-problem.tsx';
import { LoadFailure } from '../../kit/list-state.tsx';
import { Row, Rows } from '../../kit/rows.tsx';
import { ShowDate } from '../../kit/show-date.tsx';
import { toastDone } from '../../kit/toasts.tsx';
import { AccountDialog } from './account-dialog.tsx';
import { keyStrings, modelsAccountStrings as strings } from './strings.ts';

interface Props {
  readonly scope: AccountScope;
  readonly canManage: boolean;
}

/** The accounts of a workspace, or of the organization. */
export function ModelsAccounts({ scope, canManage }: Props): ReactElement {
  const query = useQuery(modelsAccountsQuery(scope));
  return (
    <section aria-labelledby="models-accounts">
      <Title order={2} id="models-accounts" mb={2}>
        {strings.title}
      </Title>
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
        <Accounts scope={scope} canManage={canManage} accounts={query.data} />
      )}
    </section>
  );
}

type Shown = { readonly edits: ShownAccount | undefined } | { readonly removes: ShownAccount } | undefined;

function Accounts({ scope, canManage, accounts }: Props & { accounts: readonly ShownAccount[] }): ReactElement {
  const queryClient = useQueryClient();
  const [shown, setShown] = useState<Shown>();
  const close = (): void => setShown(undefined);
  const done = async (text: string): Promise<void> => {
    close();
    toastDone(text);
    await Promise.all(
      [api.modelsAccount, api.providerKeys].map((changed) =>
        queryClient.invalidateQueries({ queryKey: changed.key() }),
      ),
    );
  };
  return (
    <Stack>
      {accounts.length === 0 ? (
        <Card>
          <Text size="sm">{strings.none}</Text>
        </Card>
      ) : (
        <AccountRows scope={scope} canManage={canManage} accounts={accounts} show={setShown} />
      )}
      {canManage ? (
        <Group>
          <Button
            variant="default"
            leftSection={<Icon name="plus" />}
            disabled={accounts.length >= MOST_ACCOUNTS}
            onClick={() => setShown({ edits: undefined })}
          >
            {strings.add}
          </Button>
        </Group>
      ) : (
        <Text size="sm" c="dimmed">
          {keyStrings.readOnly}
        </Text>
      )}
      {shown !== undefined && 'edits' in shown && (
        <AccountDialog scope={scope} account={shown.edits} onClose={close} onSaved={() => done(strings.saved)} />
      )}
      {shown !== undefined && 'removes' in shown && (
        <ConfirmDialog
          title={strings.removeTitle}
          text={strings.removeText(shown.removes.baseUrl)}
          confirm={strings.remove}
          act={() => accountsAt(scope).remove(shown.removes.id)}
          onClose={close}
          onDone={() => done(strings.removed)}
        />
      )}
    </Stack>
  );
}

interface AccountRowsProps extends Props {
  accounts: readonly ShownAccount[];
  show: (shown: Shown) => void;
}

/** A move keeps the focus on the button that was pressed, wherever its row goes. */
function AccountRows({ scope, canManage, accounts, show }: AccountRowsProps): ReactElement {
  const queryClient = useQueryClient();
  const order = accounts.map(({ id }) => id).join(' ');
  const pressed = useRef<{ readonly button: HTMLButtonElement; readonly order: string }>(null);
  const move = useMutation({
    mutationFn: (order: string[]) => accountsAt(scope).order(order),
    onSuccess: (ordered) => queryClient.setQueryData(modelsAccountsQuery(scope).queryKey, ordered),
  });
  useEffect(() => {
    if (pressed.current?.order !== order) return;
    pressed.current.button.focus();
    pressed.current = null;
  }, [order]);
  const moveBy = (at: number, by: number, button: HTMLButtonElement): void => {
    const wanted = accounts.map(({ id }) => id);
    const [moved = ''] = wanted.splice(at, 1);
    if (move.isPending || at + by < 0 || at + by > wanted.length) return;
    wanted.splice(at + by, 0, moved);
    pressed.current = { button, order: wanted.join(' ') };
    move.mutate(wanted);
  };
  return (
    <>
      <Rows label={strings.title}>
        {accounts.map((account, at) => (
          <Row
            key={account.id}
            title={account.baseUrl}
            text={<AccountText account={account} />}
            aside={
              canManage && (
                <>
                  {([-1, 1] as const).map((by) => (
                    <ActionIcon
                      key={by}
                      variant="subtle"
                      color="gray"
                      aria-label={by < 0 ? strings.moveUp(account.baseUrl) : strings.moveDown(account.baseUrl)}
                      aria-disabled={at + by < 0 || at + by >= accounts.length}
                      {...(at + by < 0 || at + by >= accounts.length ? { 'data-disabled': true } : {})}
                      onClick={({ currentTarget }) => moveBy(at, by, currentTarget)}
                    >
                      <Icon name={by < 0 ? 'send' : 'down'} />
                    </ActionIcon>
                  ))}
                  <Button
                    variant="default"
                    size="xs"
                    aria-label={strings.editOf(account.baseUrl)}
                    onClick={() => show({ edits: account })}
                  >
                    {strings.edit}
                  </Button>
                  <ActionIcon
                    variant="subtle"
                    color="red"
                    aria-label={strings.removeOf(account.baseUrl)}
                    onClick={() => show({ removes: account })}
                  >
                    <Icon name="trash" />
                  </ActionIcon>
                </>
              )
            }
          />
        ))}
      </Rows>
      <FormProblem text={move.error === null ? undefined : readFault(move.error).text} />
      <VisuallyHidden component="output">
        {move.isSuccess ? strings.ordered(accounts.map(({ baseUrl }) => baseUrl)) : ''}
      </VisuallyHidden>
    </>
  );
}

function AccountText({ account }: { account: ShownAccount }): ReactElement {
  return (
    <>
      {account.models.join(', ')}
      <br />
      {strings.protocols[account.protocol]} · {strings.auths[account.auth]} · {keyStrings.fingerprint}{' '}
      <code>{account.fingerprint}</code> · {keyStrings.saved} <ShowDate at={account.updatedAt} />
      {account.undecryptable === true && (
        <Alert color="red" icon={<Icon name="alert" />} role="note" mt="xs">
          {strings.undecryptable}
        </Alert>
      )}
    </>
  );
}
