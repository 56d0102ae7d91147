import { createHash, timingSafeEqual } from 'node:crypto';

/** Whether what was presented is the token; without a token everybody may come in. Takes the same time either way. */
export function createTokenCheck(token: string | undefined): (presented: string | undefined) => boolean {
  if (token === undefined) return () => true;
  const expected = digest(token);
  return (presented) => timingSafeEqual(digest(presented ?? ''), expected);
}

export function bearerOf(header: string | undefined): string | undefined {
  return /^Bearer +(.+)$/i.exec(header ?? '')?.[1];
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
