// Dynamic client registration (RFC 7591). Anyone may register, so a registration grants nothing: it only says where a
// code may be sent after a person has approved. Unused registrations are pruned.
import type { Clock } from '../../base/clock.ts';
import { newId } from '../../base/ids.ts';
import type { Queryable } from '../../store/database.ts';
import { type OAuthClient, readClientMetadata } from './oauth-client.ts';

export async function registerClient(
  deps: { readonly db: Queryable; readonly clock: Clock },
  document: unknown,
): Promise<OAuthClient & { issuedAt: Date }> {
  const client = { id: newId('client'), ...readClientMetadata(document) };
  const issuedAt = deps.clock();
  await deps.db.query(
    `insert into :schema.oauth_client (id, name, uri, application_type, redirect_uris, grant_types, created_at, used_at)
     values ($1, $2, $3, $4, $5, $6, $7, $7)`,
    [client.id, client.name, client.uri, client.applicationType, client.redirectUris, client.grantTypes, issuedAt],
  );
  return { ...client, issuedAt };
}
