// Tokens for what the runtime serves, made from the session for a quarter of an hour. They are in this page's memory
// and nowhere else.
import type { Scope } from '../../src/contract/tokens.ts';
import { client } from './client.ts';
import { createTokenKeeper } from './keep-tokens.ts';

const keeper = createTokenKeeper(Date.now);

export function getConnectToken(organization: string, scopes: readonly Scope[]): Promise<string> {
  return keeper.get(keyOf(organization, scopes), async () => {
    const { token, expiresAt } = await client.tokens.create({ organization, scopes: [...scopes], expiresIn: '15m' });
    return { token, expiresAtMs: Date.parse(expiresAt) };
  });
}

export function dropConnectToken(organization: string, scopes: readonly Scope[]): void {
  keeper.drop(keyOf(organization, scopes));
}

/** Sends with such a token. One that is refused, because it was revoked or a clock is wrong, is replaced once. */
export async function withConnectToken(
  organization: string,
  scopes: readonly Scope[],
  send: (authorization: string) => Promise<Response>,
): Promise<Response> {
  const response = await send(`Bearer ${await getConnectToken(organization, scopes)}`);
  if (response.status !== 401) return response;
  dropConnectToken(organization, scopes);
  return send(`Bearer ${await getConnectToken(organization, scopes)}`);
}

function keyOf(organization: string, scopes: readonly Scope[]): string {
  return `${organization} ${scopes.join(' ')}`;
}
