import { Badge, Button, Code, Group, Stack, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import type { Workspace } from '../../../src/contract/workspaces.ts';
import { api, client } from '../../api/client.ts';
import { tokensQuery } from './token-queries.ts';
import { Icon } from '../../kit/look/icons.tsx';
import { ConfirmDialog } from '../../kit/confirm-dialog.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { ListState } from '../../kit/list-state.tsx';
import { MoreRows, Row, Rows } from '../../kit/rows.tsx';
import { ShowDate } from '../../kit/show-date.tsx';
import { toastDone } from '../../kit/toasts.tsx';
import { tokenStrings as strings } from './strings.ts';
import { CreateTokenDialog, STAYS, TokenOnce } from './create-token-dialog.tsx';

type Token = Awaited<ReturnType<typeof client.tokens.list>>['tokens'][number];

/** The caller's tokens for this workspace: those limited to it and those without a limit. */
export function GatewayTokens({ workspace }: { workspace: Workspace }): ReactElement {
  const query = useInfiniteQuery(tokensQuery(workspace.organization));
  const queryClient = useQueryClient();
  const [creating, { open, close }] = useDisclosure(false);
  const [revoking, setRevoking] = useState<Token>();
  const [rotating, setRotating] = useState<Token>();
  const tokens = (query.data?.pages.flatMap((page) => page.tokens) ?? []).filter(
    (token) => token.workspace === undefined || token.workspace === workspace.id,
  );
  const refresh = (): void => {
    void queryClient.invalidateQueries({ queryKey: api.tokens.key() });
  };
  const create = (
    <Button leftSection={<Icon name="plus" size={16} />} onClick={open}>
      {strings.create}
    </Button>
  );
  return (
    <section aria-labelledby="tokens">
      <Group justify="space-between" align="flex-end" mb="md">
        <Stack gap={2} flex="1 1 20rem">
          <Title order={2} id="tokens">
            {strings.title}
          </Title>
          <Text size="sm" c="dimmed">
            {strings.text}
          </Text>
        </Stack>
        {create}
      </Group>
      <ListState
        query={query}
        isEmpty={tokens.length === 0 && !query.hasNextPage}
        empty={{ icon: 'key', title: strings.empty, text: strings.emptyText }}
      >
        {tokens.length > 0 && (
          <Rows label={strings.title}>
            {tokens.map((token) => (
              <TokenRow
                key={token.id}
                token={token}
                onRevoke={() => setRevoking(token)}
                onRotate={() => setRotating(token)}
              />
            ))}
          </Rows>
        )}
        <MoreRows query={query} />
      </ListState>
      {creating && <CreateTokenDialog workspace={workspace} onClose={close} onCreated={refresh} />}
      {rotating !== undefined && (
        <RotateToken token={rotating} onRotated={refresh} onClose={() => setRotating(undefined)} />
      )}
      {revoking !== undefined && (
        <ConfirmDialog
          title={strings.revokeTitle(revoking.name)}
          text={strings.revokeText}
          confirm={strings.revoke}
          act={() => client.tokens.revoke({ token: revoking.id })}
          onClose={() => setRevoking(undefined)}
          onDone={() => {
            setRevoking(undefined);
            toastDone(strings.revokedToast(revoking.name));
            refresh();
          }}
        />
      )}
    </section>
  );
}

interface RotateTokenProps {
  token: Token;
  onRotated: () => void;
  onClose: () => void;
}

/** Asks first, then shows the new token once. */
function RotateToken({ token, onRotated, onClose }: RotateTokenProps): ReactElement {
  const [fresh, setFresh] = useState<string>();
  if (fresh !== undefined)
    return (
      <Dialog onClose={onClose} title={strings.createdTitle} size="lg" {...STAYS}>
        <TokenOnce secret={fresh} onDone={onClose} />
      </Dialog>
    );
  return (
    <ConfirmDialog
      title={strings.rotateTitle(token.name)}
      text={strings.rotateText}
      confirm={strings.rotate}
      act={async () => setFresh((await client.tokens.rotate({ token: token.id })).token)}
      onClose={onClose}
      onDone={onRotated}
    />
  );
}

interface TokenRowProps {
  token: Token;
  onRevoke: () => void;
  onRotate: () => void;
}

function TokenRow({ token, onRevoke, onRotate }: TokenRowProps): ReactElement {
  const [now] = useState(() => Date.now());
  const isExpired = Date.parse(token.expiresAt) <= now;
  // A rotated token works until a moment that may lie ahead.
  const isActive = !isExpired && (token.revokedAt === undefined || Date.parse(token.revokedAt) > now);
  const isReplaced = isActive && token.replacedBy !== undefined;
  return (
    <Row
      title={
        <Group gap="xs">
          <bdi id={`token-${token.id}`}>{token.name}</bdi>
          {isActive ? (
            <Badge color={isReplaced ? 'yellow' : 'pine'}>{isReplaced ? strings.replaced : strings.active}</Badge>
          ) : (
            <Badge color="gray">{token.revokedAt === undefined ? strings.expired : strings.revoked}</Badge>
          )}
        </Group>
      }
      text={
        <Stack gap={6} mt={4}>
          <Group gap={6}>
            {token.scopes.map((scope) => (
              <Code key={scope}>{scope}</Code>
            ))}
          </Group>
          <span>
            {token.workspace === undefined ? strings.reachAll : strings.reachHere} · {strings.created}{' '}
            <ShowDate at={token.createdAt} /> · {strings.expires}{' '}
            <ShowDate at={isReplaced ? (token.revokedAt ?? token.expiresAt) : token.expiresAt} />
          </span>
          <span>
            {token.lastUsedAt === undefined ? strings.neverUsed : strings.lastUsed}
            {token.lastUsedAt !== undefined && <ShowDate at={token.lastUsedAt} />}
            {token.models !== undefined && ` · ${strings.onlyModels(token.models.join(', '))}`}
            {token.monthlyUsd !== undefined && ` · ${strings.upTo(token.monthlyUsd)}`}
          </span>
        </Stack>
      }
      aside={
        isActive && (
          <>
            {!isReplaced && (
              <Button variant="default" aria-describedby={`token-${token.id}`} onClick={onRotate}>
                {strings.rotate}
              </Button>
            )}
            <Button variant="default" aria-describedby={`token-${token.id}`} onClick={onRevoke}>
              {strings.revoke}
            </Button>
          </>
        )
      }
    />
  );
}
