import type { Queryable } from '../../store/database.ts';

const MOST = 20;

/** Of open organizations, by their slugs: tokens older than a day that were never used, or not within a week. */
export async function findQuietScimTokens(
  db: Queryable,
): Promise<{ total: number; neverUsed: string[]; quiet: string[] }> {
  const { rows } = await db.query<{ slug: string; never: boolean }>(
    `select o.slug, t.used_at is null as never from :schema.scim_token t
       join :schema.organization o on o.id = t.organization_id and o.deleted_at is null and o.disabled_at is null
      where coalesce(t.used_at + interval '7 days', t.created_at + interval '1 day') < now() order by t.id limit ${MOST}`,
  );
  const { rows: counted } = await db.query<{ total: number }>('select count(*) as total from :schema.scim_token');
  const slugs = (never: boolean): string[] => rows.filter((row) => row.never === never).map(({ slug }) => slug);
  return { total: counted[0]?.total ?? 0, neverUsed: slugs(true), quiet: slugs(false) };
}
