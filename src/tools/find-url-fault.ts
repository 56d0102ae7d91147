// Text that may not reach a URL, whatever part of it. The integration provider expands `${…}` with the connection's
// own credentials and takes `||` for a choice between two addresses; URL parsers drop or cut at control characters.

// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/;

/** Printable ASCII without `$` and `|`: nearly everything, and none of it is at fault. */
const HARMLESS = /^[\x20-\x23\x25-\x7b\x7d\x7e]*$/;

/** A value of a query is encoded whole, so lines and tabs in it do no harm. */
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
