// A Responses client keeps the reasoning of earlier turns as opaque `encrypted_content` and sends it back. Anthropic's
// signature travels in it, marked as ours, so that a conversation with tools can continue its reasoning.

const SIGNATURE = 'anthropic-signature:';
const REDACTED = 'anthropic-redacted:';

export function sealReasoning({
  signature,
  redacted,
}: {
  readonly signature?: string | undefined;
  readonly redacted?: string | undefined;
}): string | null {
  if (redacted !== undefined) return REDACTED + redacted;
  return signature === undefined ? null : SIGNATURE + signature;
}

export function openSeal(sealed: unknown): { signature?: string; redacted?: string } {
  if (typeof sealed !== 'string') return {};
  if (sealed.startsWith(SIGNATURE)) return { signature: sealed.slice(SIGNATURE.length) };
  return sealed.startsWith(REDACTED) ? { redacted: sealed.slice(REDACTED.length) } : {};
}

/** A summary that a model of another protocol wrote in place of a conversation, marked as ours. */
const SUMMARY = 'service-summary:';

export function sealSummary(text: string): string {
  return SUMMARY + text;
}

export function openSummary(sealed: unknown): string | undefined {
  return typeof sealed === 'string' && sealed.startsWith(SUMMARY) ? sealed.slice(SUMMARY.length) : undefined;
}

/** The item ids given by this service end in their position in the answer; OpenAI's do not. */
const OUR_ID = /^rs_.+_\d+$/;

/** Whether this service made a reasoning item for another provider's model, sealed or not. */
export function isOurReasoning({
  id,
  encrypted_content: sealed,
}: {
  readonly id?: unknown;
  readonly encrypted_content?: unknown;
}): boolean {
  return (
    (typeof sealed === 'string' && (sealed.startsWith(SIGNATURE) || sealed.startsWith(REDACTED))) ||
    (typeof id === 'string' && OUR_ID.test(id))
  );
}
