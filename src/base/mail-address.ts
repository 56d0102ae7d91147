// Addresses of mail, as far as they are taken: one mailbox, nothing that a mail server could read as two, or as a header.

export interface MailAddress {
  readonly name: string;
  readonly address: string;
}

const ADDRESS = /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?$/;
const NAMED = /^([^<>"\\,;:@]{0,100}?)\s*<([^<>\s]+)>$/;

export function isMailAddress(text: string): boolean {
  return text.length <= 254 && ADDRESS.test(text) && !text.includes('..');
}

/** `a@example.com` or `Name <a@example.com>`; undefined for anything else. */
export function parseMailAddress(text: string): MailAddress | undefined {
  if (hasControl(text)) return undefined;
  const [, name = '', address = text] = NAMED.exec(text.trim()) ?? [];
  return isMailAddress(address) ? { name, address } : undefined;
}

/** Of text that goes into one line of a header. */
export function hasControl(text: string): boolean {
  // oxlint-disable-next-line no-control-regex -- they are what is looked for
  return /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/.test(text);
}
