// Tokens by which an identity provider keeps members and workspaces. For owners.
import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { api, client } from '../../api/client.ts';
import { ConfirmDialog } from '../../kit/confirm-dialog.tsx';
import { CopyField } from '../../kit/copy-field.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { FocusedText } from '../../kit/focused-text.tsx';
import { ListState } from '../../kit/list-state.tsx';
import { Row, Rows } from '../../kit/rows.tsx';
import { ShowDate } from '../../kit/show-date.tsx';
import { toastDone, toastFault } from '../../kit/toasts.tsx';
import { withProof } from '../../session/proof.ts';
import { useSignedIn } from '../../session/organization-context.ts';
import { provisioningStrings as strings } from './strings.ts';

type ScimToken = Awaited<ReturnType<typeof client.organizations.scimTokens.list>>['tokens'][number];

const MOST_TOKENS = 2;

export function Provisioning(): ReactElement {
  const { organization } = useSignedIn();
  const org = organization.id;
  const query = useQuery({
    queryKey: [...api.organizations.scimTokens.list.key(), org],
    queryFn: ({ signal }) => client.organizations.scimTokens.list({ org }, { signal }),
  });
  const queryClient = useQueryClient();
  const [made, setMade] = useState<{ url: string; token: string }>();
  const [revoking, setRevoking] = useState<ScimToken>();
  const refresh = (): void => {
    void queryClient.invalidateQueries({ queryKey: api.organizations.scimTokens.key() });
  };
  const create = useMutation({
    mutationFn: () => withProof(() => client.organizations.scimTokens.create({ org })),
    onSuccess: (created) => {
      setMade(created);
      refresh();
    },
    onError: toastFault,
  });
  const tokens = query.data?.tokens ?? [];
  const button = (
    <Button
      variant="default"
      loading={create.isPending}
      disabled={tokens.length >= MOST_TOKENS}
      onClick={() => create.mutate()}
    >
      {strings.create}
    </Button>
  );
  return (
    <section aria-labelledby="provisioning">
      <Group justify="space-between" align="flex-end" mb="sm">
        <Stack gap={2} flex="1 1 20rem">
          <Title order={2} id="provisioning">
            {strings.title}
          </Title>
          <Text size="sm" c="dimmed">
            {strings.text}
          </Text>
        </Stack>
        {tokens.length > 0 && button}
      </Group>
      <ListState
        query={query}
        isEmpty={tokens.length === 0}
        failed={strings.failed}
        empty={{ icon: 'key', title: strings.empty, text: strings.emptyText, action: button }}
      >
        <Stack gap="md">
          <CopyField label={strings.url} value={query.data?.url ?? ''} />
          <Rows label={strings.tokens}>
            {tokens.map((token) => (
              <TokenRow key={token.id} token={token} onRevoke={() => setRevoking(token)} />
            ))}
          </Rows>
        </Stack>
      </ListState>
      {made !== undefined && <TokenOnce {...made} onClose={() => setMade(undefined)} />}
      {revoking !== undefined && (
        <ConfirmDialog
          title={strings.revokeTitle}
          text={strings.revokeText}
          confirm={strings.revoke}
          act={() => client.organizations.scimTokens.revoke({ org, token: revoking.id })}
          onClose={() => setRevoking(undefined)}
          onDone={() => {
            setRevoking(undefined);
            toastDone(strings.revoked);
            refresh();
          }}
        />
      )}
    </section>
  );
}

function TokenRow({ token, onRevoke }: { token: ScimToken; onRevoke: () => void }): ReactElement {
  return (
    <Row
      title={
        <span id={`scim-${token.id}`}>
          {strings.made} <ShowDate at={token.createdAt} />
        </span>
      }
      text={
        <>
          {token.createdBy !== undefined && <>{strings.by(token.createdBy)} · </>}
          {token.lastUsedAt === undefined ? (
            strings.neverUsed
          ) : (
            <>
              {strings.used} <ShowDate at={token.lastUsedAt} />
            </>
          )}
        </>
      }
      aside={
        <Button variant="default" aria-describedby={`scim-${token.id}`} onClick={onRevoke}>
          {strings.revoke}
        </Button>
      }
    />
  );
}

function TokenOnce({ url, token, onClose }: { url: string; token: string; onClose: () => void }): ReactElement {
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
        <CopyField label={strings.url} value={url} />
        <CopyField label={strings.token} value={token} />
        <Group justify="flex-end">
          <Button onClick={onClose}>{strings.done}</Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
