import type { Clock } from '../../base/clock.ts';
import type { Queryable } from '../../store/database.ts';
import type { ClientDocuments } from './client-documents.ts';
import type { OAuthClient } from './oauth-client.ts';

export interface ClientDeps {
  readonly db: Queryable;
  readonly clock: Clock;
  readonly documents: ClientDocuments;
}

interface ClientRow extends Record<string, unknown> {
  id: string;
  name: string;
  uri: string | null;
  application_type: 'native' | 'web';
  redirect_uris: string[];
  grant_types: string[];
}

/** A client id is the URL of a metadata document, or names a registration, which is then marked as used. */
export async function findClient(deps: ClientDeps, id: string): Promise<OAuthClient | undefined> {
  if (/^https?:/i.test(id)) return deps.documents.get(id);
  const { rows } = await deps.db.query<ClientRow>(
    `update :schema.oauth_client set used_at = $2 where id = $1
     returning id, name, uri, application_type, redirect_uris, grant_types`,
    [id, deps.clock()],
  );
  const row = rows[0];
  return (
    row && {
      id: row.id,
      name: row.name,
      uri: row.uri ?? undefined,
      applicationType: row.application_type,
      redirectUris: row.redirect_uris,
      grantTypes: row.grant_types,
    }
  );
}
