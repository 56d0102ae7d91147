// Content that a provider seals and checks when it comes back: signatures of thinking, and encrypted thinking and
// reasoning. Real providers use a secret key; here a digest is enough to recognise our own.
import { createHash } from 'node:crypto';

const MARK = 'demo-sealed.';

/** Anthropic's signature is only valid for the text it signs. */
export function signThinking(thinking: string): string {
  return seal(`thinking ${thinking}`, '');
}

/** `redacted_thinking.data` and `reasoning.encrypted_content`, which contain the text. */
export function sealText(text: string): string {
  return seal(`sealed ${text}`, Buffer.from(text).toString('base64url'));
}

export function isSealedHere(value: unknown): boolean {
  if (typeof value !== 'string' || !value.startsWith(MARK)) return false;
  const [payload = ''] = value.slice(MARK.length).split('.');
  return value === sealText(Buffer.from(payload, 'base64url').toString('utf8'));
}

function seal(signed: string, payload: string): string {
  return `${MARK}${payload}.${createHash('sha256').update(signed).digest('base64url')}`;
}
