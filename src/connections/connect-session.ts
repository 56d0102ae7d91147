// Opens a session in which a user authorizes a connection at the integration provider. The tags identify user and
// workspace, and the provider returns them with its webhook. All are sent every time, because a reconnect replaces them.
import { AppError } from '../base/errors.ts';
import { isCredentialOnly, needsApplication } from '../catalog/auth-modes.ts';
import type { Connector } from '../catalog/connector-types.ts';
import { findConnector } from '../catalog/find-connector.ts';
import type { NangoClient } from '../nango/nango-client.ts';
import { NangoError, toAppError } from '../nango/nango-error.ts';
import { requireIntegrations } from '../nango/nango-settings.ts';
import type { ProviderSession } from '../nango/nango-shapes.ts';
import type { ConnectionDeps } from './connection-deps.ts';
import type { Connection, IntegrationReference } from './connection-types.ts';
import type { WorkspaceRef } from '../tenancy/workspaces/workspace-ref.ts';
import { findConnection } from './find-connection.ts';
import { checkName, RESERVED_NAME } from './normalize-name.ts';
import { requireWrappingKey, unsealReference } from './stored-reference.ts';

export interface NewSession extends WorkspaceRef {
  readonly userId: string;
  /** Mutation authority over the workspace, required to authorize a valid connection again. */
  readonly hasAuthority: boolean;
  readonly provider: string;
  readonly name?: string | undefined;
}

export async function openConnectSession(deps: ConnectionDeps, input: NewSession): Promise<ProviderSession> {
  const { client, settings } = requireIntegrations(deps.integrations);
  const wrappingKey = requireWrappingKey(deps.wrappingKey);
  const connector = findConnector(deps.catalog, input.provider);
  if (!connector) throw new AppError('connector_not_found', { provider: input.provider });
  const name = checkName(input.name);
  if (name === RESERVED_NAME && !connector.command) throw new AppError('name_reserved');

  const tags = {
    organization_id: input.organizationId,
    workspace_id: input.workspaceId,
    end_user_id: input.userId,
    connection_name: name,
  };
  const connection = await findConnection(deps.db, input, `${connector.id}:${name}`, {
    registry: true,
    now: deps.clock(),
  });
  if (connection?.status === 'valid' && !input.hasAuthority) throw new AppError('workspace_authority_required');
  const existing = connection && findReference(wrappingKey, connection);
  try {
    await ensureIntegration(client, connector);
    const session =
      (existing && (await reconnect(client, existing, tags))) ??
      (await client.createSession({ integrationId: connector.id, tags }));
    return { ...session, connectLink: withApiUrl(session.connectLink, settings.publicUrl) };
  } catch (error) {
    throw toAppError(error);
  }
}

function findReference(wrappingKey: Buffer, connection: Connection): IntegrationReference | undefined {
  const reference = unsealReference(wrappingKey, connection, connection.sealed);
  return reference?.kind === 'integration-reference' ? reference : undefined;
}

/** Undefined if the provider no longer has the connection: it is then created again. */
async function reconnect(
  client: NangoClient,
  { integrationId, connectionId }: IntegrationReference,
  tags: Readonly<Record<string, string>>,
): Promise<ProviderSession | undefined> {
  try {
    return await client.createReconnectSession({ integrationId, connectionId, tags });
  } catch (error) {
    if (
      error instanceof NangoError &&
      error.failure === 'refused' &&
      (error.status === 400 || error.status === 404 || error.status === 410)
    )
      return undefined;
    throw error;
  }
}

/** Credential-only integrations are created on first use; those that need a registered application are not. */
async function ensureIntegration(client: NangoClient, connector: Connector): Promise<void> {
  if (await client.hasIntegration(connector.id)) return;
  if (!isCredentialOnly(connector))
    throw new AppError('integration_not_registered', {
      provider: connector.id,
      application: needsApplication(connector),
    });
  try {
    await client.createIntegration({
      key: connector.id,
      provider: connector.auth.provider,
      displayName: connector.name,
    });
  } catch (error) {
    // A concurrent request may have created it.
    if (!(error instanceof NangoError) || error.status !== 400 || !(await client.hasIntegration(connector.id)))
      throw error;
  }
}

/** Without its API's URL, a self-hosted Connect UI would send the token to the provider's cloud. */
function withApiUrl(connectLink: string, apiUrl: string): string {
  const url = new URL(connectLink);
  url.searchParams.set('apiURL', apiUrl);
  return url.href;
}
