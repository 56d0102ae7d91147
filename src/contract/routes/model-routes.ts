// Routes of an organization: several models under one name, tried in order.
import { z } from 'zod';
import { route } from '../authority.ts';
import { done, id, slug, timestamp } from '../common.ts';
import { MOVE_ON_REASONS, ROUTE_LIMITS } from './route-rules.ts';

const name = z.string().regex(/^route\//, 'must be route/ and the slug');
const models = z
  .array(
    z
      .string()
      .trim()
      .min(1)
      .max(200)
      .regex(/^[^\s,;]+$/, 'must be the name of a model'),
  )
  .min(1)
  .max(ROUTE_LIMITS.models);
const on = z.array(z.enum(MOVE_ON_REASONS)).max(MOVE_ON_REASONS.length);

const modelRoute = z.object({
  /** What a request names as its `model`: `route/<slug>`. */
  name,
  /** In the order in which they are tried. */
  models,
  on,
  updatedAt: timestamp,
});
export type ModelRouteOnWire = z.infer<typeof modelRoute>;

const tags = ['Routes'];

export const routes = {
  list: route('database', 'settings:models')
    .route({
      method: 'GET',
      path: '/api/organizations/{org}/routes',
      tags,
      summary: "The organization's routes",
      description: `In order of their names, at most ${ROUTE_LIMITS.routes}.`,
    })
    .input(z.strictObject({ org: id }))
    .output(z.object({ routes: z.array(modelRoute) })),
  put: route('database', 'settings:models')
    .route({
      method: 'PUT',
      path: '/api/organizations/{org}/routes/{slug}',
      tags,
      summary: 'Set a route: one to five models that are tried in order',
      description:
        'Requests name it as their `model`, `route/<slug>`, on every chat surface. `on` lists the failures after which the next model is tried; by default all of them. The route with the slug `auto` is also what `service/auto` follows.',
    })
    .input(z.strictObject({ org: id, slug, name: name.optional(), models, on: on.optional() }))
    .output(z.object({ route: modelRoute })),
  remove: route('database', 'settings:models')
    .route({
      method: 'DELETE',
      path: '/api/organizations/{org}/routes/{slug}',
      tags,
      summary: 'Delete a route',
    })
    .input(z.strictObject({ org: id, slug }))
    .output(done),
};
