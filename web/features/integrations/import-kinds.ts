// What can be imported into an app, and a parser for pasted credentials. Pure.
import type { CredentialBundle } from '../../../src/contract/connections.ts';
import type { ListedConnection, ListedConnector } from './queries.ts';

export type ImportKind = Exclude<ListedConnection['kind'], 'integration-reference'>;

export function importKinds({ cli, codeHost }: Pick<ListedConnector, 'cli' | 'codeHost'>): readonly ImportKind[] {
  return [
    ...(cli === undefined ? [] : (['local-cloud-profile', 'cloud-credential-process'] as const)),
    ...(codeHost ? (['code-host-token'] as const) : []),
  ];
}

const TEXTS = ['AccessKeyId', 'SecretAccessKey', 'SessionToken', 'Expiration'] as const;

/** Undefined if it is not the output of a credential process. Unknown fields are dropped. */
export function readBundle(text: string): CredentialBundle | undefined {
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof given !== 'object' || given === null) return undefined;
  const fields = given as Record<string, unknown>;
  const taken = Object.fromEntries(
    TEXTS.flatMap((name) => (typeof fields[name] === 'string' && fields[name] !== '' ? [[name, fields[name]]] : [])),
  );
  if (fields.Version !== 1 || taken.AccessKeyId === undefined || taken.SecretAccessKey === undefined) return undefined;
  return { Version: 1, ...taken } as CredentialBundle;
}
