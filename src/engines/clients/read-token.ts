// The bearer token of a connection, wherever it is stored, valid for as long as a run may take.
import { CloudError } from '../../clouds/cloud-error.ts';
import { readLocalProfile } from '../../clouds/read-local-profile.ts';
import { readReference } from '../../connections/stored-reference.ts';
import { TIME_LIMIT_MS } from '../../sandbox/limits.ts';
import type { ClientAccount } from './accounts.ts';
import type { ClientDeps } from './client-deps.ts';

export interface ReadToken {
  readonly token: string;
  readonly settings: Readonly<Record<string, string>>;
  /** The code host of an imported token, if it is not the public one. */
  readonly host?: string | undefined;
}

/** The time limit of a run, plus a margin for clocks. */
export const NEEDED_FOR_MS = TIME_LIMIT_MS + 5 * 60_000;

export async function readToken(
  deps: ClientDeps,
  { connection, client }: ClientAccount,
  signal: AbortSignal,
): Promise<ReadToken> {
  const reference = readReference(deps.wrappingKey, connection);
  switch (reference.kind) {
    case 'code-host-token':
      // It must be valid in a header.
      if (!/^[\x21-\x7e]+$/.test(reference.token))
        throw new CloudError('The imported token contains invalid characters.');
      return { token: reference.token, settings: {}, host: reference.host?.toLowerCase() };
    case 'integration-reference': {
      if (!deps.credentials) throw new CloudError('The integration provider is not configured.');
      const { token, settings } = await deps.credentials.read(reference, { neededForMs: NEEDED_FOR_MS, signal });
      if (token === undefined) throw new CloudError('The integration provider has no token for this connection.');
      return { token, settings };
    }
    case 'local-cloud-profile': {
      if (client !== 'gcloud') throw new CloudError('A local profile of this kind cannot be used by runs.');
      const token = (
        await readLocalProfile('gcloud', reference.profile, { allowed: deps.localProfiles, path: deps.path, signal })
      ).trim();
      if (!/^[\x21-\x7e]{8,4096}$/.test(token))
        throw new CloudError(`The local profile '${reference.profile}' returned no token.`);
      return { token, settings: {} };
    }
    case 'cloud-credential-process':
      throw new CloudError('An imported credential process works only with AWS.');
  }
}
