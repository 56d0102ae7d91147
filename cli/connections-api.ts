// Connections, as several commands need them.
import { type Account, requireToken } from './account.ts';
import { sendForJson } from './api/send.ts';
import type { ConnectClient } from './api/typed-clients.ts';
import { Failure } from './failure.ts';

export type ListedConnection = Awaited<ReturnType<ConnectClient['connections']['list']>>['connections'][number];
export type ListedConnector = Awaited<ReturnType<ConnectClient['connections']['connectors']>>['connectors'][number];
export type ListedTool = ListedConnector['tools'][number];

export async function openConnect(account: Account): Promise<ConnectClient['connections']> {
  const { connectClient } = await import('./api/typed-clients.ts');
  return connectClient(account).connections;
}

export const inWorkspace = (workspace: string | undefined): { workspace?: string } =>
  workspace === undefined ? {} : { workspace };

const DISCOVERY_TIMEOUT_MS = 45_000;

/** The tools of an app that are not in the catalogue, fetched from the app itself. */
export async function discoverTools(
  account: Account,
  { id, workspace }: Pick<ListedConnection, 'id' | 'workspace'>,
): Promise<readonly ListedTool[]> {
  const path = `/connect/connections/${encodeURIComponent(id)}/tools?${new URLSearchParams({ workspace }).toString()}`;
  return (
    await sendForJson<{ tools: ListedTool[] }>(account.url, path, {
      bearer: requireToken(account),
      timeoutMs: DISCOVERY_TIMEOUT_MS,
    })
  ).tools;
}

/** The service's normal form of a name. */
export function normalizeName(supplied: string | undefined): string {
  return (supplied ?? '').trim().replaceAll(/\s+/gu, '-').toLowerCase() || 'default';
}

export function selectorOf({ provider, name }: Pick<ListedConnection, 'provider' | 'name'>): string {
  return name === 'default' ? provider : `${provider}:${name}`;
}

/** `provider`, `provider:name` or an id. */
export function matchesSelector(connection: ListedConnection, selector: string): boolean {
  if (connection.id === selector) return true;
  const colon = selector.indexOf(':');
  const [provider, name] = colon < 0 ? [selector, undefined] : [selector.slice(0, colon), selector.slice(colon + 1)];
  return connection.provider === provider.trim() && connection.name === normalizeName(name);
}

export async function getConnection(
  connect: ConnectClient['connections'],
  selector: string,
  workspace: string | undefined,
): Promise<ListedConnection> {
  const { connections } = await connect.list(inWorkspace(workspace));
  const found = connections.find((one) => matchesSelector(one, selector));
  if (!found)
    throw new Failure(`there is no connection '${selector}' in this workspace`, {
      error: 'connection_not_found',
      next: 'Run: servicectl connections',
    });
  return found;
}
