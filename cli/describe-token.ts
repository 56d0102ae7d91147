/** The claims of a connect token, for display only: the signature is not checked here. */
export interface TokenDescription {
  readonly user?: string;
  readonly organization?: string;
  readonly workspace?: string;
  readonly scopes: readonly string[];
  readonly expiresAt?: string;
}

export function describeToken(token: string): TokenDescription | undefined {
  const [, payload = '', signature] = token.split('.');
  if (signature === undefined) return undefined;
  try {
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as Record<string, unknown>;
    const text = (name: string): string | undefined => (typeof claims[name] === 'string' ? claims[name] : undefined);
    const [user, organization, workspace] = [text('sub'), text('org'), text('ws')];
    return {
      ...(user === undefined ? {} : { user }),
      ...(organization === undefined ? {} : { organization }),
      ...(workspace === undefined ? {} : { workspace }),
      scopes: (text('scope') ?? '').split(' ').filter((scope) => scope !== ''),
      ...(typeof claims['exp'] === 'number' ? { expiresAt: new Date(claims['exp'] * 1_000).toISOString() } : {}),
    };
  } catch {
    return undefined;
  }
}
