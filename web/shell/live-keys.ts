// Which queries a change makes stale. All of a kind are invalidated; only those on the page are refetched immediately.
import type { QueryKey } from '@tanstack/react-query';
import type { Changed, ChangeOnWire } from '../../src/contract/changes.ts';
import { environmentKeys } from '../features/runs/environments/queries.ts';
import { isBusyThread } from '../features/chat/conversation/busy-threads.ts';
import { api } from '../api/client.ts';
import { meQuery } from '../session/me-query.ts';
import { receiptKeys } from '../features/receipts/queries.ts';
import { recipeKeys } from '../features/runs/recipes/queries.ts';
import { runKeys } from '../features/runs/queries.ts';

const AFFECTED: Record<Changed, (change: ChangeOnWire) => readonly QueryKey[]> = {
  organization: () => [meQuery.queryKey, api.usage.key()],
  organization_member: () => [meQuery.queryKey, api.organizations.members.key(), api.workspaces.key()],
  workspace: () => [api.workspaces.key(), meQuery.queryKey],
  workspace_member: () => [api.workspaces.key()],
  invitation: () => [api.organizations.invitations.key()],
  connect_token: () => [api.tokens.key()],
  org_policy: () => [
    api.policy.key(),
    api.providerKeys.key(),
    api.models.key(),
    api.threads.share.key(),
    api.shares.key(),
  ],
  org_provider_api_key: () => [api.providerKeys.key(), api.policy.key(), api.models.key()],
  models_account: () => [api.modelsAccount.key(), api.providerKeys.key(), api.models.key()],
  model_route: () => [api.routes.key(), api.models.key()],
  guardrail_group: () => [api.guardrails.key()],
  spend_cap: () => [api.spend.key(), api.tokens.key()],
  // The tab with the turn updates its chat itself; a refetch in between would show messages twice.
  chat_thread: ({ id = '' }) => [
    api.threads.list.key(),
    api.threads.search.key(),
    ...(isBusyThread(id) ? [] : [[...api.threads.show.key(), id]]),
  ],
  // The notice has the thread's id, never the link's.
  chat_share: ({ id = '' }) => [api.threads.list.key(), [...api.threads.share.show.key(), id], api.shares.key()],
  chat_import: () => [api.imports.key()],
  // Its chats lose it when it is deleted; the notice of a file has the id of its project.
  project: () => [api.projects.key(), api.threads.list.key()],
  project_file: () => [api.projects.files.key(), api.projects.list.key()],
  prompt: () => [api.prompts.key()],
  recipe: () => [recipeKeys.all],
  environment: () => [environmentKeys.all],
  environment_setup: () => [environmentKeys.all],
  custom_instructions: () => [api.instructions.key()],
  connection: () => [
    ['connect', 'connections'],
    ['connect', 'policy'],
    ['connect', 'tools'],
    ['connect', 'capabilities'],
  ],
  job: ({ id = '' }) => [runKeys.lists, runKeys.one(id), receiptKeys.streams, receiptKeys.found],
  receipt: () => [receiptKeys.streams, receiptKeys.found],
};

/** Undefined means everything. */
export function affectedKeys(changes: readonly ChangeOnWire[]): readonly QueryKey[] | undefined {
  const keys = new Map<string, QueryKey>();
  for (const change of changes) {
    if (change.table === '*') return undefined;
    // A newer server may send other kinds.
    for (const key of AFFECTED[change.table]?.(change) ?? []) keys.set(JSON.stringify(key), key);
  }
  return [...keys.values()];
}
