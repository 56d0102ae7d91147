// Credentials for the AWS clients of a run. They always expire: a long-lived key is exchanged for a session first, and if
// that fails the run gets nothing, because a key that leaks from a sandbox would stay valid.
import { z } from 'zod';
import { type CacheKey, cacheKey } from '../../base/cache-key.ts';
import { CloudError } from '../../clouds/cloud-error.ts';
import { getSessionToken } from '../../clouds/get-session-token.ts';
import { readLocalProfile } from '../../clouds/read-local-profile.ts';
import type { Connection } from '../../connections/connection-types.ts';
import { readReference } from '../../connections/stored-reference.ts';
import type { CredentialBundle } from '../../contract/connections.ts';
import type { ClientDeps } from './client-deps.ts';
import { NEEDED_FOR_MS } from './read-token.ts';

export type AwsDeps = Pick<ClientDeps, 'wrappingKey' | 'credentials' | 'stsUrl' | 'localProfiles' | 'path'>;

/** The clients renew within the last fifteen minutes; a new session is created before that. */
const RENEW_BEFORE_MS = 20 * 60_000;

const printed = z.object({
  Version: z.literal(1),
  AccessKeyId: z.string().min(1).max(256),
  SecretAccessKey: z.string().min(1).max(1_024),
  SessionToken: z.string().max(8_192).optional(),
  Expiration: z.iso.datetime({ offset: true }).optional(),
});

export interface AwsIssuer {
  issue(connection: Connection, signal: AbortSignal): Promise<CredentialBundle>;
}

export function createAwsIssuer(deps: AwsDeps): AwsIssuer {
  const sessions = new Map<CacheKey, CredentialBundle>();
  return {
    async issue(connection, signal) {
      const key = cacheKey(connection.id, connection.updatedAt.getTime());
      const kept = sessions.get(key);
      if (kept?.Expiration !== undefined && Date.parse(kept.Expiration) - Date.now() > RENEW_BEFORE_MS) return kept;
      const stored = await readBundle(deps, connection, signal);
      if (stored.SessionToken !== undefined || deps.stsUrl === 'off') return stored;
      const { accessKeyId, secretAccessKey, sessionToken, expiresAt } = await getSessionToken(
        deps.stsUrl,
        { accessKeyId: stored.AccessKeyId, secretAccessKey: stored.SecretAccessKey },
        signal,
      );
      const session: CredentialBundle = {
        Version: 1,
        AccessKeyId: accessKeyId,
        SecretAccessKey: secretAccessKey,
        SessionToken: sessionToken,
        Expiration: expiresAt.toISOString().replace('.000Z', 'Z'),
      };
      sessions.set(key, session);
      return session;
    },
  };
}

async function readBundle(deps: AwsDeps, connection: Connection, signal: AbortSignal): Promise<CredentialBundle> {
  const reference = readReference(deps.wrappingKey, connection);
  switch (reference.kind) {
    case 'cloud-credential-process':
      return reference.bundle;
    case 'local-cloud-profile': {
      const parsed = printed.safeParse(
        parse(
          await readLocalProfile('aws', reference.profile, { allowed: deps.localProfiles, path: deps.path, signal }),
        ),
      );
      if (!parsed.success) throw new CloudError(`The local profile '${reference.profile}' returned no credentials.`);
      const { SessionToken, Expiration, ...keys } = parsed.data;
      return {
        ...keys,
        ...(SessionToken === undefined ? {} : { SessionToken }),
        ...(Expiration === undefined ? {} : { Expiration }),
      };
    }
    case 'integration-reference': {
      if (!deps.credentials) throw new CloudError('The integration provider is not configured.');
      const { pair } = await deps.credentials.read(reference, { neededForMs: NEEDED_FOR_MS, signal });
      if (pair === undefined) throw new CloudError('The integration provider has no access key for this connection.');
      return { Version: 1, AccessKeyId: pair.name, SecretAccessKey: pair.password };
    }
    case 'code-host-token':
      throw new CloudError('A code host token does not work with AWS.');
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
