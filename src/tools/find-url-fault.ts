// Text that must not appear in any part of a URL. The integration provider expands `${…}` with the connection's
// credentials and treats `||` as a choice between two addresses; URL parsers drop control characters or stop at them.

// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/;

/** Printable ASCII without `$` and `|`: nearly all text, and always allowed. */
const HARMLESS = /^[\x20-\x23\x25-\x7b\x7d\x7e]*$/;

/** Query values are fully encoded, so line breaks and tabs are harmless. */
export function findValueFault(text: string): string | undefined {
  return findUrlFault(text.replaceAll(/[\t\r\n]/g, ' '));
}

export function findUrlFault(text: string): string | undefined {
  if (HARMLESS.test(text)) return undefined;
  if (!text.isWellFormed()) return 'must be well-formed text';
  if (CONTROL.test(text)) return 'must not contain control characters';
  if (text.includes('${')) return 'must not contain ${';
  if (text.includes('||')) return 'must not contain ||';
  return undefined;
}
