// Comma- and tab-separated values as rows, as far as a page can show them.

export interface TablePreview {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** Whether rows or columns are left out. */
  readonly isCut: boolean;
}

export const ROWS_MAX = 200;
export const COLUMNS_MAX = 40;

/** The first row is the heading. Quotes and line breaks inside quotes are as in RFC 4180. */
export function readTable(text: string, separator: ',' | '\t'): TablePreview {
  const rows: string[][] = [];
  let row: string[] = [];
  let field = '';
  let isQuoted = false;
  let isCut = false;
  const endRow = (): void => {
    row.push(field);
    field = '';
    if (row.length > 1 || row[0] !== '') rows.push(row);
    row = [];
  };
  let at = text.startsWith('\uFEFF') ? 1 : 0;
  for (; at < text.length && rows.length <= ROWS_MAX; at++) {
    const character = text[at] ?? '';
    if (isQuoted) {
      if (character !== '"') field += character;
      else if (text[at + 1] === '"') {
        field += '"';
        at++;
      } else isQuoted = false;
    } else if (character === '"' && field === '') isQuoted = true;
    else if (character === separator) {
      row.push(field);
      field = '';
    } else if (character === '\n') endRow();
    else if (character !== '\r' || text[at + 1] !== '\n') field += character;
  }
  if (at < text.length) isCut = true;
  else if (field !== '' || row.length > 0) endRow();
  const [head = [], ...body] = rows.map((cells) => {
    if (cells.length > COLUMNS_MAX) isCut = true;
    return cells.slice(0, COLUMNS_MAX);
  });
  return { head, rows: body, isCut };
}
