import type { Database } from '../../../src/store/database.ts';

type DemoItem = Readonly<Record<string, unknown>>;

/** Items created through the demo apps, newest first. */
export interface DemoItems {
  list(kind: string, place: string): Promise<DemoItem[]>;
  add(kind: string, place: string, make: (id: number) => DemoItem): Promise<DemoItem>;
}

const MOST = 100;

export function openDemoItems(db: Database): DemoItems {
  return {
    async list(kind, place) {
      const { rows } = await db.query<{ body: DemoItem }>(
        `select body from :schema.demo_item where kind = $1 and place = $2 order by id desc limit ${MOST}`,
        [kind, place],
      );
      return rows.map(({ body }) => body);
    },
    add: (kind, place, make) =>
      db.transaction(async (tx) => {
        const { rows } = await tx.query<{ id: number }>(
          "insert into :schema.demo_item (kind, place, body) values ($1, $2, '{}') returning id",
          [kind, place],
        );
        const id = rows[0]?.id ?? 0;
        const body = make(id);
        await tx.query('update :schema.demo_item set body = $2 where id = $1', [id, JSON.stringify(body)]);
        return body;
      }),
  };
}
