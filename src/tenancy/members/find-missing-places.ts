import type { Queryable } from '../../store/database.ts';

interface Place {
  /** Its slug. */
  readonly organization: string;
  /** The slugs of named ones. */
  readonly workspaces: readonly string[];
}

/** Organizations that do not exist, and workspaces as `organization/workspace`. */
export async function findMissingPlaces(db: Queryable, places: readonly Place[]): Promise<string[]> {
  const { rows } = await db.query<{ place: string }>(
    `select o.slug as place from :schema.organization o where o.slug = any($1) and o.deleted_at is null
     union all
     select o.slug || '/' || w.slug from :schema.workspace w join :schema.organization o on o.id = w.organization_id
      where o.slug = any($1) and o.deleted_at is null`,
    [places.map(({ organization }) => organization)],
  );
  const there = new Set(rows.map(({ place }) => place));
  const named = places.flatMap(({ organization, workspaces }) =>
    there.has(organization) ? workspaces.map((workspace) => `${organization}/${workspace}`) : [organization],
  );
  return [...new Set(named)].filter((place) => !there.has(place));
}
