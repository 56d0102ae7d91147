// A client of the authorization server, and the rules for its metadata (RFC 7591). They are the same for registered
// clients and metadata documents: public client, authorization code, allowed redirect URIs.
import { z } from 'zod';
import { OAuthError } from './oauth-error.ts';
import { redirectHost, redirectKind } from './redirect-uri.ts';

export interface OAuthClient {
  readonly id: string;
  readonly name: string;
  readonly uri?: string | undefined;
  readonly applicationType: 'native' | 'web';
  readonly redirectUris: readonly string[];
  readonly grantTypes: readonly string[];
}

export const GRANT_TYPES = ['authorization_code', 'refresh_token'] as const;

const metadata = z.object({
  redirect_uris: z.array(z.string()).min(1).max(20),
  client_name: z
    .string()
    .trim()
    .max(200)
    .regex(/^\P{Cc}*$/u)
    .optional(),
  client_uri: z.string().max(2_000).optional(),
  application_type: z.enum(['native', 'web']).optional(),
  grant_types: z.array(z.string().max(200)).max(20).optional(),
  response_types: z.array(z.string().max(200)).max(20).optional(),
});

export function readClientMetadata(document: unknown): Omit<OAuthClient, 'id'> {
  const parsed = metadata.safeParse(document);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw new OAuthError(
      'invalid_client_metadata',
      `${issue?.path.join('.') || 'metadata'}: ${issue?.message ?? 'not valid'}`,
    );
  }
  const {
    redirect_uris: redirectUris,
    client_name: name,
    client_uri: uri,
    application_type: type,
    grant_types: grants,
    response_types: responses,
  } = parsed.data;
  const kinds = redirectUris.map((redirect) => redirectKind(redirect));
  if (kinds.includes(undefined)) {
    throw new OAuthError(
      'invalid_redirect_uri',
      "A redirect URI must be an https URL, an http URL of localhost, 127.0.0.1 or [::1], or use the application's own scheme, and have no fragment.",
    );
  }
  if (grants && !grants.includes('authorization_code'))
    throw new OAuthError('invalid_client_metadata', 'grant_types must contain authorization_code.');
  if (responses && !responses.includes('code'))
    throw new OAuthError('invalid_client_metadata', 'response_types must contain code.');
  return {
    name: name || redirectHost(redirectUris[0] ?? ''),
    uri: uri !== undefined && redirectKind(uri) === 'https' ? uri : undefined,
    // A client that only redirects to the local machine is native, even though the registry's default is `web`.
    applicationType: type ?? (kinds.includes('https') ? 'web' : 'native'),
    redirectUris,
    grantTypes: GRANT_TYPES.filter((grant) => grant === 'authorization_code' || grants?.includes(grant)),
  };
}
