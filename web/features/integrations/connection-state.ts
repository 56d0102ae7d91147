// What a connection's state means, and when a new connection is ready. Pure.
import type { Workspace } from '../../../src/contract/workspaces.ts';
import type { ListedConnection } from './queries.ts';
import { statusReasons, statusTexts } from './strings.ts';

/** Why it cannot be used; undefined if it can. */
export function explainStatus({
  status,
  reason,
  kind,
}: Pick<ListedConnection, 'status' | 'reason' | 'kind'>): string | undefined {
  if (status === 'valid') return undefined;
  if (status === 'expired') return kind === 'integration-reference' ? statusTexts.expired : statusTexts.expiredImport;
  return (reason === undefined ? undefined : statusReasons[reason]) ?? statusTexts.invalid;
}

/** Only managers of the workspace may reconnect a working connection: everyone's calls would go to the new account. */
export function mayReconnect(
  { status }: Pick<ListedConnection, 'status'>,
  { canManage }: { readonly canManage: boolean },
): boolean {
  return status !== 'valid' || canManage;
}

export interface ConnectionName {
  readonly provider: string;
  readonly name: string;
}

export function findAt(
  connections: readonly ListedConnection[],
  { provider, name }: ConnectionName,
): ListedConnection | undefined {
  return connections.find((connection) => connection.provider === provider && connection.name === name);
}

/** Whether it was authorized since `before` was read: it is new, or it changed and is valid. */
export function isAuthorized(before: ListedConnection | undefined, now: ListedConnection | undefined): boolean {
  if (now?.status !== 'valid') return false;
  return (
    before === undefined || before.id !== now.id || before.status !== 'valid' || before.updatedAt !== now.updatedAt
  );
}

interface SomeMembers {
  readonly members: readonly { readonly user: string }[];
  readonly more: boolean;
}

/** Whether others use the workspace too, as far as is known. Default is everybody's, now or later. */
export function isShared(kind: Workspace['kind'], known: SomeMembers | undefined, user: string): boolean {
  return kind !== 'named' || known === undefined || known.more || known.members.some((member) => member.user !== user);
}
