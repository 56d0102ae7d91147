// What several commands need to know of connections.
import type { Account } from './account.ts';
import type { ConnectClient } from './api/typed-clients.ts';

export type Connection = Awaited<ReturnType<ConnectClient['connections']['list']>>['connections'][number];
export type Connector = Awaited<ReturnType<ConnectClient['connections']['connectors']>>['connectors'][number];
export type Tool = Connector['tools'][number];

export async function openConnect(account: Account): Promise<ConnectClient['connections']> {
  const { connectClient } = await import('./api/typed-clients.ts');
  return connectClient(account).connections;
}

export const inWorkspace = (workspace: string | undefined): { workspace?: string } => (workspace === undefined ? {} : { workspace });

/** A supplied name as the service writes it. */
export function normalizeName(supplied: string | undefined): string {
  return (supplied ?? '').trim().replaceAll(/\s+/gu, '-').toLowerCase() || 'default';
}

export function selectorOf({ provider, name }: Pick<Connection, 'provider' | 'name'>): string {
  return name === 'default' ? provider : `${provider}:${name}`;
}

/** `provider`, `provider:name` or an id. */
export function matchesSelector(connection: Connection, selector: string): boolean {
  if (connection.id === selector) return true;
  const colon = selector.indexOf(':');
  const [provider, name] = colon < 0 ? [selector, undefined] : [selector.slice(0, colon), selector.slice(colon + 1)];
  return connection.provider === provider.trim() && connection.name === normalizeName(name);
}
