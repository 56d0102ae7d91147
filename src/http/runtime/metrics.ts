// Prometheus text. Every label has a bounded set of values: route patterns and never paths, roles and never hosts.
import type { MiddlewareHandler } from 'hono';
import { routePath } from 'hono/route';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { ObserveStatement } from '../../store/measure-database.ts';
import { type PlainRoutes, strangerOf } from '../plain-routes.ts';
import type { RuntimeFigures } from './figures.ts';
import { createRequestTally } from './request-tally.ts';

/** What became of a request. */
export interface Answered {
  readonly route: string;
  readonly status: number;
}

export interface Metrics {
  readonly countRequests: MiddlewareHandler;
  countRequest(method: string, work: () => Promise<Answered>): Promise<void>;
  readonly observeStatement: ObserveStatement;
  /** The text to serve, with the figures of this moment in it. */
  render(figures: RuntimeFigures): Promise<string>;
  readonly contentType: string;
}

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
const STATEMENT_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5];

/** Gauges of the library under the name of a counter. Each is the sum of a gauge of the same name without `_total`. */
const MISNAMED = ['nodejs_active_handles_total', 'nodejs_active_requests_total', 'nodejs_active_resources_total'];

export function createMetrics(identity: { version: string; role: string }): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  for (const name of MISNAMED) registry.removeSingleMetric(name);
  new Gauge({ name: 'service_build_info', help: 'The build that runs.', labelNames: ['version', 'role'], registers }).set(identity, 1);
  const tally = createRequestTally();
  for (const metric of tally.metrics) registry.registerMetric(metric as never);
  const statements = new Histogram({ name: 'service_database_statement_duration_seconds', help: 'Time of a database statement, waiting for a connection included.', labelNames: ['result'], buckets: STATEMENT_SECONDS, registers });
  const stored = createStoredGauges(registers);

  async function countRequest(given: string, work: () => Promise<Answered>): Promise<void> {
    const startedAt = performance.now();
    tally.began();
    try {
      const { route, status } = await work();
      tally.ended(METHODS.has(given) ? given : 'other', route, status, (performance.now() - startedAt) / 1000);
    } catch (error) {
      tally.failed();
      throw error;
    }
  }

  return {
    contentType: registry.contentType,
    observeStatement: (seconds, ok) => statements.observe({ result: ok ? 'ok' : 'failed' }, seconds),
    countRequest,
    countRequests: (c, next) =>
      countRequest(c.req.method, async () => {
        await next();
        return { route: routeLabel(routePath(c)), status: c.res.status };
      }),
    render: async (figures) => {
      stored.set(figures);
      // The library writes Nan, which the format does not know.
      return (await registry.metrics()).replace(/ Nan$/gm, ' NaN');
    },
  };
}

/** A request that only the catch-all middleware saw has no route. */
export function routeLabel(pattern: string): string {
  return pattern === '/*' || pattern === '*' ? 'unknown' : pattern;
}

function createStoredGauges(registers: Registry[]): { set(figures: RuntimeFigures): void } {
  const up = new Gauge({ name: 'service_database_up', help: '1 while the database answers.', registers });
  const latency = new Gauge({ name: 'service_database_latency_seconds', help: 'Round trip of the last health check.', registers });
  const pool = new Gauge({ name: 'service_database_pool_connections', help: 'Connections of this process: the most it may open, those in use, and callers waiting for one.', labelNames: ['state'], registers });
  const receipts = new Counter({ name: 'service_receipts_appended_total', help: 'Receipts in the log, by whichever process appended them.', registers });
  const streams = new Gauge({ name: 'service_receipt_streams', help: 'Receipt streams.', registers });
  const checkpoint = new Gauge({ name: 'service_receipt_checkpoint_timestamp_seconds', help: 'When the last checkpoint over all streams was written.', registers });
  const jobs = new Gauge({ name: 'service_jobs', help: 'Background runs by status; finished ones of the last 24 hours.', labelNames: ['status'], registers });
  const processes = new Gauge({ name: 'service_processes', help: 'Processes by role and state, from the process table.', labelNames: ['role', 'state'], registers });
  const memory = new Gauge({ name: 'service_role_resident_memory_bytes', help: 'Resident memory of all processes of a role.', labelNames: ['role'], registers });

  const spent = new Gauge({ name: 'service_platform_month_spent_usd', help: 'Platform credit that all organizations together have used in this calendar month (UTC).', registers });
  const ceiling = new Gauge({ name: 'service_platform_month_limit_usd', help: 'SERVICE_PLATFORM_MONTHLY_LIMIT_USD; NaN when there is none.', registers });

  return {
    set({ database, stored, platform }) {
      up.set(database.ok ? 1 : 0);
      if (database.ok) latency.set(database.latencyMs / 1000);
      pool.set({ state: 'max' }, database.pool.poolMax);
      pool.set({ state: 'busy' }, database.pool.busy);
      pool.set({ state: 'waiting' }, database.pool.waiting);
      if (platform) spent.set(platform.spentMicros / 1e6);
      ceiling.set(platform?.limitMicros === undefined ? Number.NaN : platform.limitMicros / 1e6);
      processes.reset();
      memory.reset();
      if (!stored) return;
      receipts.reset();
      receipts.inc(stored.receipts.total);
      streams.set(stored.receipts.streams);
      for (const status of ['queued', 'running', 'completed', 'failed', 'aborted'] as const) jobs.set({ status }, stored.jobs[status]);
      if (stored.receipts.lastCheckpointAt) checkpoint.set(stored.receipts.lastCheckpointAt.getTime() / 1000);
      for (const { role, running, lost } of stored.roles) {
        processes.set({ role, state: 'running' }, running);
        processes.set({ role, state: 'lost' }, lost);
      }
      for (const { role, state, figures } of stored.processes) if (state !== 'lost') memory.inc({ role }, figures['rssBytes'] ?? 0);
    },
  };
}

export function mountMetrics(routes: PlainRoutes, metrics: Metrics, figures: () => Promise<RuntimeFigures>): void {
  const handle = async (): Promise<Response> => new Response(await metrics.render(await figures()), { headers: { 'content-type': metrics.contentType, 'cache-control': 'no-store' } });
  routes.on({ method: 'GET', path: '/metrics', cost: 'database', identify: strangerOf, handle });
}
