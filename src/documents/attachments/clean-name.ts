const MOST_CHARACTERS = 200;
const UNNAMED = 'attachment';

/**
 * A file name without its folders and without characters that could break a header or mislead the reader: control
 * characters, bidirectional marks, quotes and separators.
 */
export function cleanName(given: string): string {
  const last = given.normalize('NFC').toWellFormed().split(/[/\\]/).at(-1) ?? '';
  const plain = last
    // oxlint-disable-next-line no-control-regex -- control characters are to be removed
    .replace(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g, '')
    .replace(/["<>|:*?]/g, '_')
    .trim();
  const name = plain.replace(/^\.+/, '').trim();
  if (name === '') return UNNAMED;
  if (name.length <= MOST_CHARACTERS) return name;
  const extension = /\.\w{1,10}$/.exec(name)?.[0] ?? '';
  return `${name.slice(0, MOST_CHARACTERS - extension.length).toWellFormed()}${extension}`;
}
