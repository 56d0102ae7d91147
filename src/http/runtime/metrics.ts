// The metrics of the api role: its own, and those read from the database, which are the same in every replica.
import { createMeter, type ProcessMeter, type Reading } from '../../telemetry/metrics/create-meter.ts';
import { createHttpMeter, type HttpMeter } from '../../telemetry/metrics/http-meter.ts';
import type { MetricName } from '../../telemetry/metrics/metric-table.ts';
import { type PlainRoutes, anonymousSender } from '../shell/plain-routes.ts';
import type { RuntimeFigures } from './figures.ts';

export interface Metrics {
  readonly meter: ProcessMeter;
  /** Counts the requests of a listener. */
  readonly http: HttpMeter;
  /** The text to serve, with current figures. */
  render(figures: RuntimeFigures): Promise<string>;
  readonly contentType: string;
}

type Stored = NonNullable<RuntimeFigures['stored']>;

/** The value of each gauge. */
const FIGURES: Partial<Readonly<Record<MetricName, (figures: RuntimeFigures) => readonly Reading[]>>> = {
  service_database_up: ({ database }) => [{ value: database.ok ? 1 : 0 }],
  service_database_latency_seconds: ({ database }) => (database.ok ? [{ value: database.latencyMs / 1000 }] : []),
  service_platform_month_spent_usd: ({ platform }) => (platform ? [{ value: platform.spentMicros / 1e6 }] : []),
  service_platform_month_limit_usd: ({ platform }) => [
    { value: platform?.limitMicros === undefined ? Number.NaN : platform.limitMicros / 1e6 },
  ],
  service_holds_open: ({ platform }) => (platform ? [{ value: platform.holds }] : []),
  service_spend_caps: ({ caps }) =>
    caps
      ? [
          { labels: ['open'], value: caps.caps - caps.near - caps.reached },
          { labels: ['near'], value: caps.near },
          { labels: ['reached'], value: caps.reached },
        ]
      : [],
  service_mails_waiting: ({ mail }) => (mail ? [{ value: mail.waiting }] : []),
  service_mail_oldest_waiting_seconds: ({ mail }) => (mail ? [{ value: mail.oldestSeconds }] : []),
  service_holds_open_usd: ({ platform }) => (platform ? [{ value: platform.heldMicros / 1e6 }] : []),
  service_receipts_appended_total: ofStored(({ receipts }) => [{ value: receipts.total }]),
  service_receipt_streams: ofStored(({ receipts }) => [{ value: receipts.streams }]),
  service_receipt_checkpoint_timestamp_seconds: ofStored(({ receipts }) =>
    receipts.lastCheckpointAt ? [{ value: receipts.lastCheckpointAt.getTime() / 1000 }] : [],
  ),
  service_receipt_chains_broken: ofStored(({ chains }) => [{ value: chains.broken }]),
  service_receipt_verification_timestamp_seconds: ofStored(({ chains }) =>
    chains.verified ? [{ value: chains.verified.at.getTime() / 1000 }] : [],
  ),
  service_jobs: ofStored(({ runs }) =>
    (['queued', 'running', 'completed', 'failed', 'aborted'] as const).map((status) => ({
      labels: [status],
      value: runs[status],
    })),
  ),
  service_jobs_oldest_queued_seconds: ofStored(({ runs }) => [{ value: runs.oldestQueuedSeconds ?? 0 }]),
  service_processes: ofStored(({ roles }) =>
    roles.flatMap(({ role, running, lost }) => [
      { labels: [role, 'running'], value: running },
      { labels: [role, 'lost'], value: lost },
    ]),
  ),
  service_role_resident_memory_bytes: ofStored(({ processes }) => {
    const bytes = new Map<string, number>();
    for (const { role, state, figures } of processes)
      if (state !== 'lost') bytes.set(role, (bytes.get(role) ?? 0) + (figures['rssBytes'] ?? 0));
    return [...bytes].map(([role, value]) => ({ labels: [role], value }));
  }),
};

function ofStored(read: (stored: Stored) => readonly Reading[]): (figures: RuntimeFigures) => readonly Reading[] {
  return ({ stored }) => (stored ? read(stored) : []);
}

export function createMetrics(
  identity: { readonly version: string; readonly build: string; readonly role: string },
  meter: ProcessMeter = createMeter('api', identity),
): Metrics {
  const http = createHttpMeter(meter);
  let latest: RuntimeFigures | undefined;
  for (const [name, read] of Object.entries(FIGURES) as [MetricName, (figures: RuntimeFigures) => readonly Reading[]][])
    meter.read(name, () => (latest ? read(latest) : []));

  return {
    meter,
    contentType: meter.contentType,
    http,
    render: (figures) => {
      latest = figures;
      return meter.render();
    },
  };
}

export function mountMetrics(routes: PlainRoutes, metrics: Metrics, figures: () => Promise<RuntimeFigures>): void {
  const handle = async (): Promise<Response> =>
    new Response(await metrics.render(await figures()), {
      headers: { 'content-type': metrics.contentType, 'cache-control': 'no-store' },
    });
  routes.on({ method: 'GET', path: '/metrics', cost: 'database', identify: anonymousSender, handle });
}
