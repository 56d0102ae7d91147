/** What a model can fail with so that the next one of a route is tried. */
export const MOVE_ON_REASONS = ['rate_limited', 'overloaded', 'unavailable', 'timeout'] as const;
export type MoveOnReason = (typeof MOVE_ON_REASONS)[number];

export const ROUTE_PREFIX = 'route/';
/** The slug of the route that `service/auto` follows, if there is one. */
export const AUTO_ROUTE_SLUG = 'auto';
export const ROUTE_LIMITS = { models: 5, routes: 50 } as const;
