// An array parameter as a PostgreSQL literal. Batched calls are sent as arrays, one per column; the driver quotes and
// escapes every element, which most do not need.

const PLAIN = /^[\w.:/-]+$/;

/** Undefined for an array with anything but texts, numbers and nulls: the driver writes those. */
export function arrayLiteral(values: readonly unknown[]): string | undefined {
  let literal = '';
  for (const value of values) {
    if (literal !== '') literal += ',';
    if (typeof value === 'string') literal += isPlain(value) ? value : quoted(value);
    else if (typeof value === 'number') literal += value;
    else if (value === null) literal += 'NULL';
    else return undefined;
  }
  return `{${literal}}`;
}

function isPlain(text: string): boolean {
  return PLAIN.test(text) && !(text.length === 4 && text.toLowerCase() === 'null');
}

function quoted(text: string): string {
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}
