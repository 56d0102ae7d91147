import { OAuthError } from '../../identity/oauth/oauth-error.ts';

/** The value of a parameter. An empty one counts as absent, a repeated one is refused (RFC 6749, 3.1). */
export function single(parameters: URLSearchParams, name: string): string | undefined {
  const values = parameters.getAll(name);
  if (values.length > 1) throw new OAuthError('invalid_request', `${name} is given more than once.`);
  if (values[0]?.includes('\0')) throw new OAuthError('invalid_request', `${name} is not text.`);
  return values[0] || undefined;
}

export function required(parameters: URLSearchParams, name: string): string {
  const value = single(parameters, name);
  if (value === undefined) throw new OAuthError('invalid_request', `${name} is missing.`);
  return value;
}
