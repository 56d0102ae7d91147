// The token endpoint: exchanges a code or a refresh token for a connect token. Clients are public, so a code is bound
// to its client by the proof key, and a refresh token is protected by its single use.
import { exchangeCode } from '../../identity/oauth/exchange-code.ts';
import type { OAuthDeps, TokenAnswer } from '../../identity/oauth/oauth-deps.ts';
import { OAuthError } from '../../identity/oauth/oauth-error.ts';
import { refreshGrant } from '../../identity/oauth/refresh-grant.ts';
import { isOwnResource } from './metadata.ts';
import { required, single } from './parameters.ts';

export async function answerTokenRequest(
  deps: OAuthDeps,
  form: URLSearchParams,
  publicUrl: string,
): Promise<Record<string, unknown>> {
  const grantType = required(form, 'grant_type');
  if (form.getAll('resource').some((resource) => !isOwnResource(resource, publicUrl)))
    throw new OAuthError('invalid_target', 'resource must be the MCP endpoint of this service.');
  switch (grantType) {
    case 'authorization_code':
      return toBody(
        deps,
        await exchangeCode(deps, {
          code: required(form, 'code'),
          clientId: required(form, 'client_id'),
          codeVerifier: required(form, 'code_verifier'),
          redirectUri: single(form, 'redirect_uri'),
        }),
      );
    case 'refresh_token':
      return toBody(
        deps,
        await refreshGrant(deps, {
          refreshToken: required(form, 'refresh_token'),
          clientId: required(form, 'client_id'),
          scope: single(form, 'scope'),
        }),
      );
    default:
      throw new OAuthError('unsupported_grant_type', 'grant_type must be authorization_code or refresh_token.');
  }
}

function toBody(
  deps: OAuthDeps,
  { accessToken, expiresAt, scopes, refreshToken }: TokenAnswer,
): Record<string, unknown> {
  return {
    access_token: accessToken,
    token_type: 'Bearer',
    expires_in: Math.max(0, Math.floor((expiresAt.getTime() - deps.clock().getTime()) / 1000)),
    scope: scopes.join(' '),
    ...(refreshToken === undefined ? {} : { refresh_token: refreshToken }),
  };
}
