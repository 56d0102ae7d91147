// A Responses client keeps the reasoning of earlier turns as `encrypted_content` that it cannot read and sends back.
// Anthropic's signature travels in it, marked as its own, so that a conversation with tools can go on thinking.

const SIGNATURE = 'anthropic-signature:';
const REDACTED = 'anthropic-redacted:';

export function sealReasoning({ signature, redacted }: { readonly signature?: string | undefined; readonly redacted?: string | undefined }): string | null {
  if (redacted !== undefined) return REDACTED + redacted;
  return signature === undefined ? null : SIGNATURE + signature;
}

export function openSeal(sealed: unknown): { signature?: string; redacted?: string } {
  if (typeof sealed !== 'string') return {};
  if (sealed.startsWith(SIGNATURE)) return { signature: sealed.slice(SIGNATURE.length) };
  return sealed.startsWith(REDACTED) ? { redacted: sealed.slice(REDACTED.length) } : {};
}

export function isSealedHere(sealed: unknown): boolean {
  return typeof sealed === 'string' && (sealed.startsWith(SIGNATURE) || sealed.startsWith(REDACTED));
}
