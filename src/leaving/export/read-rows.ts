// Rows of one person as JSON text, a page at a time. PostgreSQL writes the JSON, so it is never parsed here.
import type { Queryable } from '../../store/database.ts';
import type { ExportedTable } from './export-table.ts';

const PAGE = 500;

export type RowsOf = Pick<ExportedTable, 'columns' | 'where' | 'key' | 'page'>;

export interface ReadRow extends Record<string, unknown> {
  readonly row: string;
  readonly key: string[];
}

/** `values` are those of `where`, the person first. */
export async function* readRows(
  db: Queryable,
  table: string,
  { columns, where, key, page = PAGE }: RowsOf,
  values: readonly string[],
): AsyncGenerator<readonly ReadRow[]> {
  const [after, most] = [values.length + 1, values.length + 2];
  const order = `array[${key.join(', ')}]::text[]`;
  const sql = `select (select to_jsonb(r) from (select ${columns}) r)::text as row, ${order} as key
    from :schema.${table} t where (${where}) and ${order} > $${after}::text[] order by ${order} limit $${most}`;
  for (let last: readonly string[] = []; ;) {
    const { rows } = await db.query<ReadRow>(sql, [...values, last, page]);
    const end = rows.at(-1);
    if (!end) return;
    yield rows;
    if (rows.length < page) return;
    last = end.key;
  }
}

/** The rows as one JSON array. */
export async function* asArray(pages: AsyncIterable<readonly ReadRow[]>): AsyncGenerator<Buffer> {
  let before = '[\n';
  for await (const rows of pages) {
    yield Buffer.from(before + rows.map(({ row }) => row).join(',\n'));
    before = ',\n';
  }
  yield Buffer.from(before === '[\n' ? '[]\n' : '\n]\n');
}
