// Short-lived tokens for what the runtime serves, made from the session. They stay in this page's memory, and a new
// one is made shortly before the old one ends.
import type { Scope } from '../../src/contract/tokens.ts';
import { client } from './client.ts';

const RENEW_BEFORE_MS = 60_000;

interface Minted {
  readonly token: string;
  readonly expiresAt: number;
}

const minted = new Map<string, Promise<Minted>>();

export async function getConnectToken(organization: string, scopes: readonly Scope[]): Promise<string> {
  const key = keyOf(organization, scopes);
  const kept = minted.get(key);
  const found = await (kept ?? mint(key, organization, scopes));
  if (found.expiresAt - RENEW_BEFORE_MS > Date.now()) return found.token;
  if (minted.get(key) === kept) minted.delete(key);
  return (await (minted.get(key) ?? mint(key, organization, scopes))).token;
}

/** The server no longer takes it. */
export function dropConnectToken(organization: string, scopes: readonly Scope[]): void {
  minted.delete(keyOf(organization, scopes));
}

/** Callers of the same moment share one. */
function mint(key: string, organization: string, scopes: readonly Scope[]): Promise<Minted> {
  const minting = client.tokens.create({ organization, scopes: [...scopes], expiresIn: '15m' }).then(({ token, expiresAt }) => ({ token, expiresAt: Date.parse(expiresAt) }));
  minted.set(key, minting);
  minting.catch(() => minted.delete(key));
  return minting;
}

function keyOf(organization: string, scopes: readonly Scope[]): string {
  return `${organization} ${scopes.join(' ')}`;
}
