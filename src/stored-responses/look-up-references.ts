// Finds the rows that a request refers to, without their contents, so that their size is known before they are read.
// The statement checks membership, workspace and user. Another member's row, or a deleted one, counts as missing but is
// reported separately, because it must not be requested from a provider whose key they share either.
import type { Queryable } from '../store/database.ts';
import { readInputItemId } from './input-item-ids.ts';
import { STORED_LIMITS, type StoredKind, type StoredOwner } from './stored-response.ts';

export interface ReferenceQuery {
  readonly kind: StoredKind;
  /** The response whose conversation is continued. */
  readonly previousId: string | undefined;
  /** Ids of items. */
  readonly itemIds: readonly string[];
}

export interface LookedUp {
  /** Ids from the first response of the conversation to the previous one; undefined if any of them is missing. */
  readonly chain: readonly string[] | undefined;
  readonly tooLong: boolean;
  /** The response that contains an item, by the item's id. */
  readonly holders: ReadonlyMap<string, string>;
  /** Ids that belong to another user or another workspace, or were deleted. */
  readonly foreign: ReadonlySet<string>;
  /** The total size of the payloads to be read. */
  readonly bytes: number;
}

interface Row extends Record<string, unknown> {
  kind: 'chain' | 'deleted' | 'item' | 'foreign';
  id: string;
  previous_id: string | null;
  bytes: number;
  total: number | null;
  item_ids: string[] | null;
}

/** True if the user is still in the organization and the workspace, and stored responses may be used. */
export const MAY_USE = `exists (
  select from :schema.member_workspace m
    left join :schema.org_policy p on p.organization_id = m.organization_id
   where m.organization_id = $1 and m.workspace_id = $2 and m.user_id = $3 and m.is_member and not coalesce(p.require_zdr, false))`;

/** Earlier responses live as long as a later one that continues them, so only the named one is checked for age. */
const LOOK_UP = `
with recursive may as (select ${MAY_USE} as use), chain as (
  select r.kind, r.id, r.previous_id, r.bytes, 1 as depth, r.bytes::bigint as total
    from :schema.stored_response r, may
   where may.use and r.organization_id = $1 and r.workspace_id = $2 and r.user_id = $3 and r.id = $4 and r.kind in ($10, 'deleted') and r.created_at > now() - make_interval(days => $6)
  union all
  select e.kind, e.id, e.previous_id, e.bytes, c.depth + 1, c.total + e.bytes
    from chain c join :schema.stored_response e on e.organization_id = $1 and e.workspace_id = $2 and e.user_id = $3 and e.id = c.previous_id and e.kind in ($10, 'deleted')
   where c.depth <= $7 and c.total <= $8
)
(select case kind when 'deleted' then kind else 'chain' end as kind, id, previous_id, bytes, total, null::text[] as item_ids from chain order by depth)
union all
(select case when may.use and r.kind = $10 and r.workspace_id = $2 and r.user_id = $3 and r.created_at > now() - make_interval(days => $6) then 'item' else 'foreign' end, r.id, null, case when r.id = any($9::text[]) then r.bytes else r.output_bytes end, null, r.item_ids
   from :schema.stored_response r, may where r.organization_id = $1 and r.kind in ($10, 'deleted') and (r.item_ids && $5::text[] or r.id = any($9::text[])) order by r.created_at)
union all
select 'foreign', r.id, null, 0, null, null from :schema.stored_response r where r.organization_id = $1 and r.id = $4 and (r.workspace_id, r.user_id) <> ($2, $3)`;

export async function lookUpReferences(
  db: Queryable,
  owner: StoredOwner,
  { kind, previousId, itemIds }: ReferenceQuery,
  days: number,
): Promise<LookedUp> {
  const { conversationBytes, conversationResponses } = STORED_LIMITS;
  /** Items whose id names the response that they are an input of. */
  const inputIdsOf = new Map<string, string[]>();
  for (const id of itemIds) {
    const responseId = readInputItemId(id)?.responseId;
    if (responseId === undefined) continue;
    const ids = inputIdsOf.get(responseId);
    if (ids) ids.push(id);
    else inputIdsOf.set(responseId, [id]);
  }
  const { rows } = await db.query<Row>(LOOK_UP, [
    owner.organizationId,
    owner.workspaceId,
    owner.userId,
    previousId ?? null,
    itemIds,
    days,
    conversationResponses,
    conversationBytes,
    [...inputIdsOf.keys()],
    kind,
  ]);
  const chain = rows.filter((row) => row.kind === 'chain');
  const asked = new Set(itemIds);
  const holders = new Map<string, string>();
  const foreign = new Set<string>();
  // Ordered by age: of several that contain an item, the latest counts.
  for (const { kind: found, id, item_ids: ids } of rows) {
    if (found === 'chain') continue;
    if (found === 'deleted' && previousId !== undefined) foreign.add(previousId);
    if (ids === null) foreign.add(id);
    const held = [...(ids ?? []).filter((item) => asked.has(item)), ...(inputIdsOf.get(id) ?? [])];
    for (const item of held)
      if (found === 'item') holders.set(item, id);
      else foreign.add(item);
  }
  for (const item of holders.keys()) foreign.delete(item);
  const held = new Set(holders.values());
  const holding = rows.filter((row) => row.kind === 'item' && held.has(row.id));
  const first = chain.at(-1);
  const tooLong = chain.length > conversationResponses || (first?.total ?? 0) > conversationBytes;
  const isWhole = first?.previous_id === null && !tooLong;
  return {
    chain: isWhole ? chain.map(({ id }) => id).toReversed() : undefined,
    tooLong,
    holders,
    foreign,
    bytes: [...(isWhole ? chain : []), ...holding].reduce((sum, { bytes }) => sum + bytes, 0),
  };
}
