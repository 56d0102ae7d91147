import type { WorkspaceRef } from '../tenancy/workspaces/workspace-ref.ts';
import type { Sealed } from '../base/seal.ts';
import type { CredentialBundle } from '../contract/connections.ts';
import type { ConnectionStatus, Reason } from './connection-status.ts';
import type { ConnectionPolicy } from './policy.ts';

export interface ConnectionRef extends WorkspaceRef {
  /** The connector's id. */
  readonly provider: string;
  readonly name: string;
}

/** What is stored for each kind, and whether it contains a real credential. */
const CONNECTION_KINDS = {
  'integration-reference': {
    stores: 'an encrypted reference to the connection at the integration provider',
    credential: false,
  },
  'local-cloud-profile': { stores: 'the name of a local cloud CLI profile', credential: false },
  'cloud-credential-process': { stores: 'an imported cloud credential-process bundle', credential: true },
  'code-host-token': { stores: 'an imported code-host token', credential: true },
} as const satisfies Record<string, { stores: string; credential: boolean }>;

export type ConnectionKind = keyof typeof CONNECTION_KINDS;

/** A stored connection. Its payload stays sealed until it is needed (stored-reference.ts). */
export interface Connection extends ConnectionRef {
  readonly id: string;
  readonly kind: ConnectionKind;
  /** As of now: a valid connection whose expiry has passed is expired. */
  readonly status: ConnectionStatus;
  readonly reason: Reason | undefined;
  readonly expiry: Date | undefined;
  readonly lastValidatedAt: Date | undefined;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly policy: ConnectionPolicy;
  readonly sealed: Sealed;
}

/** The payload of each kind. */
export type Reference =
  | {
      readonly kind: 'integration-reference';
      readonly integrationId: string;
      readonly connectionId: string;
      readonly cloudId?: string;
    }
  | { readonly kind: 'local-cloud-profile'; readonly profile: string }
  | { readonly kind: 'cloud-credential-process'; readonly bundle: CredentialBundle }
  | { readonly kind: 'code-host-token'; readonly token: string; readonly host?: string };

export type IntegrationReference = Extract<Reference, { kind: 'integration-reference' }>;
