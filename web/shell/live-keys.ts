// Which reads a change makes old. Everything of a kind is read again: only what is on the page is fetched at once.
import type { QueryKey } from '@tanstack/react-query';
import type { Changed, ChangeOnWire } from '../../src/contract/changes.ts';
import { isBusyThread } from '../features/chat/busy-threads.ts';
import { api } from '../api/client.ts';
import { meQuery } from '../session/queries.ts';
import { receiptKeys } from '../features/receipts/queries.ts';
import { runKeys } from '../features/runs/queries.ts';

const AFFECTED: Record<Changed, (change: ChangeOnWire) => readonly QueryKey[]> = {
  organization: () => [meQuery.queryKey, api.usage.key()],
  organization_member: () => [meQuery.queryKey, api.organizations.members.key(), api.workspaces.key()],
  workspace: () => [api.workspaces.key(), meQuery.queryKey],
  workspace_member: () => [api.workspaces.key()],
  invitation: () => [api.organizations.invitations.key()],
  connect_token: () => [api.tokens.key()],
  org_policy: () => [api.policy.key(), api.providerKeys.key(), api.models.key()],
  org_provider_api_key: () => [api.providerKeys.key(), api.policy.key(), api.models.key()],
  models_account: () => [api.modelsAccount.key(), api.providerKeys.key(), api.models.key()],
  guardrail_group: () => [api.guardrails.key()],
  // The tab that asks writes its own chat down as it goes; reading it again in between would show it twice.
  chat_thread: ({ id = '' }) => [
    api.threads.list.key(),
    ...(isBusyThread(id) ? [] : [[...api.threads.show.key(), id]]),
  ],
  connection: () => [
    ['connect', 'connections'],
    ['connect', 'policy'],
    ['connect', 'tools'],
    ['connect', 'capabilities'],
  ],
  job: ({ id = '' }) => [runKeys.lists, runKeys.one(id), receiptKeys.streams],
  receipt: () => [receiptKeys.streams],
};

/** Undefined when everything is to be read again. */
export function affectedKeys(changes: readonly ChangeOnWire[]): readonly QueryKey[] | undefined {
  const keys = new Map<string, QueryKey>();
  for (const change of changes) {
    if (change.table === '*') return undefined;
    // A server that is newer than this page may speak of more.
    for (const key of AFFECTED[change.table]?.(change) ?? []) keys.set(JSON.stringify(key), key);
  }
  return [...keys.values()];
}
