// The routes of an organization. What a route names is checked when it is saved; whether a request may use a model is
// decided for each request.
import { AppError } from '../../base/errors.ts';
import { AUTO_MODEL_ID, findModel, type ModelCatalog } from '../../catalog/model-catalog.ts';
import type { ModelRouteOnWire } from '../../contract/routes/model-routes.ts';
import { MOVE_ON_REASONS, type MoveOnReason, ROUTE_LIMITS, ROUTE_PREFIX } from '../../contract/routes/route-rules.ts';
import type { Database, Queryable } from '../../store/database.ts';
import { requireSettings } from '../../tenancy/authority.ts';
import { withLockedMembership } from '../../tenancy/members/get-membership.ts';
import type { Membership } from '../../tenancy/members/membership.ts';
import { matchesPattern } from '../models-accounts.ts';

interface RouteRow extends Record<string, unknown> {
  slug: string;
  models: string[];
  move_on: MoveOnReason[];
  updated_at: Date;
}

export interface RouteInput {
  readonly slug: string;
  readonly name?: string | undefined;
  readonly models: readonly string[];
  readonly on?: readonly MoveOnReason[] | undefined;
}

const COLUMNS = 'slug, models, move_on, updated_at';

export async function listRoutes(db: Queryable, { organizationId }: Membership): Promise<ModelRouteOnWire[]> {
  const { rows } = await db.query<RouteRow>(
    `select ${COLUMNS} from :schema.model_route where organization_id = $1 order by slug`,
    [organizationId],
  );
  return rows.map(toWire);
}

export function putRoute(
  db: Database,
  catalog: ModelCatalog,
  lookup: Membership,
  { slug, name = `${ROUTE_PREFIX}${slug}`, models: named, on = MOVE_ON_REASONS }: RouteInput,
): Promise<ModelRouteOnWire> {
  return withLockedMembership(db, lookup, async (tx, membership) => {
    requireSettings(membership, 'models');
    const { organizationId } = membership;
    if (name !== `${ROUTE_PREFIX}${slug}`)
      throw new AppError('invalid_request', { name: `must be ${ROUTE_PREFIX}${slug}` });
    const models = await checkModels(tx, catalog, organizationId, named);
    const { rows } = await tx.query<RouteRow>(
      `insert into :schema.model_route (organization_id, slug, models, move_on)
         select $1, $2, $3, $4
          where exists (select from :schema.model_route r where r.organization_id = $1 and r.slug = $2)
             or (select count(*) from :schema.model_route r where r.organization_id = $1) < $5
       on conflict (organization_id, slug) do update set models = excluded.models, move_on = excluded.move_on, updated_at = now()
       returning ${COLUMNS}`,
      [organizationId, slug, models, MOVE_ON_REASONS.filter((reason) => on.includes(reason)), ROUTE_LIMITS.routes],
    );
    if (!rows[0]) throw new AppError('too_many_routes', { limit: ROUTE_LIMITS.routes });
    return toWire(rows[0]);
  });
}

export function removeRoute(db: Database, lookup: Membership, slug: string): Promise<void> {
  return withLockedMembership(db, lookup, async (tx, membership) => {
    requireSettings(membership, 'models');
    const { rowCount } = await tx.query('delete from :schema.model_route where organization_id = $1 and slug = $2', [
      membership.organizationId,
      slug,
    ]);
    if (rowCount === 0) throw new AppError('not_found');
  });
}

/** The models under their ids; one that a Models account serves keeps its name. */
async function checkModels(
  db: Queryable,
  catalog: ModelCatalog,
  organizationId: string,
  named: readonly string[],
): Promise<string[]> {
  const { rows } = await db.query<{ models: string[] }>(
    'select models from :schema.models_account where organization_id = $1',
    [organizationId],
  );
  const served = (model: string): boolean =>
    rows.some(({ models }) => models.some((pattern) => matchesPattern(pattern, model)));
  const models = named.map((model) => findModel(catalog, model)?.id ?? model);
  const faultOf = (model: string, at: number): string | undefined => {
    if (model.startsWith(ROUTE_PREFIX)) return 'is a route, and a route consists of models';
    if (model === AUTO_MODEL_ID) return 'stands for other models: name those';
    if (models.indexOf(model) < at) return 'is named twice';
    const known = findModel(catalog, model);
    if (known) return known.modality === 'chat' ? undefined : 'is not a chat model';
    return served(model) ? undefined : 'is not a model of the catalogue, nor of a Models account';
  };
  const faults = models.flatMap((model, at) => {
    const fault = faultOf(model, at);
    return fault === undefined ? [] : [[`models.${at}`, fault] as const];
  });
  if (faults.length > 0) throw new AppError('invalid_request', Object.fromEntries(faults));
  return models;
}

function toWire({ slug, models, move_on, updated_at }: RouteRow): ModelRouteOnWire {
  return { name: `${ROUTE_PREFIX}${slug}`, models, on: move_on, updatedAt: updated_at.toISOString() };
}
