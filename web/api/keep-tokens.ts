// Caches short-lived tokens: one per key, shared by concurrent callers and replaced shortly before it expires.

export interface MintedToken {
  readonly token: string;
  readonly expiresAtMs: number;
}

export interface TokenKeeper {
  get(key: string, mint: () => Promise<MintedToken>): Promise<string>;
  /** The server no longer accepts it. */
  drop(key: string): void;
}

const RENEW_BEFORE_MS = 60_000;

export function createTokenKeeper(now: () => number): TokenKeeper {
  const kept = new Map<string, Promise<MintedToken>>();

  function make(key: string, mint: () => Promise<MintedToken>): Promise<MintedToken> {
    const minting = mint();
    kept.set(key, minting);
    minting.catch(() => {
      if (kept.get(key) === minting) kept.delete(key);
    });
    return minting;
  }

  return {
    async get(key, mint) {
      const first = kept.get(key) ?? make(key, mint);
      const { token, expiresAtMs } = await first;
      if (expiresAtMs - RENEW_BEFORE_MS > now()) return token;
      if (kept.get(key) === first) kept.delete(key);
      return (await (kept.get(key) ?? make(key, mint))).token;
    },
    drop: (key) => void kept.delete(key),
  };
}
