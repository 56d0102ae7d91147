// Whether this process can do its work. Concurrent callers share one check, and it has a timeout: a database that hangs
// makes the check fail instead of hang.
import type { Context } from 'hono';
import { errorBody, AppError } from '../../base/errors.ts';
import type { BuildInfo } from '../../process/build-info.ts';
import type { ProcessRole } from '../../process/process-roles.ts';
import { shareRead } from '../../timing/share-read.ts';
import type { Queryable } from '../../store/database.ts';
import { reasonOf } from '../../timing/database-fault.ts';
import { type PlainRoutes, anonymousSender } from './plain-routes.ts';

export type DatabaseHealth =
  | { readonly ok: true; readonly latencyMs: number }
  | { readonly ok: false; readonly reason: string };

const CHECK_TIMEOUT_MS = 5_000;
const FRESH_MS = 250;

export function createDatabaseCheck(db: Queryable, timeoutMs = CHECK_TIMEOUT_MS): () => Promise<DatabaseHealth> {
  return shareRead(async () => {
    const startedAt = performance.now();
    const { promise: late, resolve } = Promise.withResolvers<DatabaseHealth>();
    const timer = setTimeout(() => resolve({ ok: false, reason: `no answer within ${timeoutMs} ms` }), timeoutMs);
    const answer = db.query('select 1').then(
      (): DatabaseHealth => ({ ok: true, latencyMs: Math.round((performance.now() - startedAt) * 100) / 100 }),
      (error: unknown): DatabaseHealth => ({ ok: false, reason: reasonOf(error) }),
    );
    try {
      return await Promise.race([answer, late]);
    } finally {
      clearTimeout(timer);
    }
  }, FRESH_MS);
}

export interface HealthDeps extends BuildInfo {
  readonly role: ProcessRole;
  readonly checkDatabase: () => Promise<DatabaseHealth>;
}

export function mountHealth(routes: PlainRoutes, { role, version, build, checkDatabase }: HealthDeps): void {
  const handle = async (c: Context): Promise<Response> => {
    const database = await checkDatabase();
    const common = { role, version, build, uptimeSeconds: Math.round(process.uptime()) };
    c.header('cache-control', 'no-store');
    if (database.ok) return c.json({ ok: true, ...common, database: 'ok' });
    const { body } = errorBody(new AppError('unavailable', { database: database.reason }));
    return c.json({ ...body, ...common, database: 'failed' }, 503);
  };
  routes.on({ method: 'GET', path: '/healthz', cost: 'cheap', identify: anonymousSender, handle });
}
