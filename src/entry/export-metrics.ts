// The metrics of a process over OTLP, for collectors that do not scrape: every minute, and once at the end. An export
// that fails is lost; totals are cumulative, so the next export has them.
import type { MetricObjectWithValues, MetricValue } from 'prom-client';
import type { Config } from '../base/config.ts';
import type { BuildInfo } from '../process/build-info.ts';
import type { ProcessMeter } from '../telemetry/metrics/create-meter.ts';
import { METRICS, type MetricName, type MetricRow } from '../telemetry/metrics/metric-table.ts';

const EVERY_MS = 60_000;
const TIMEOUT_MS = 2_000;
const CUMULATIVE = 2;

type Given = MetricObjectWithValues<MetricValue<string>>;
type Point = Readonly<Record<string, unknown>>;

export function exportMetrics(
  meter: ProcessMeter,
  { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }: Pick<Config, 'OTEL_EXPORTER_OTLP_ENDPOINT'>,
  identity: { readonly part: string; readonly role?: string } & BuildInfo,
): () => Promise<void> {
  if (endpoint === undefined) return async () => {};
  const startedAt = Date.now();
  const resource = {
    attributes: attributesOf({
      'service.name': `service-${identity.part}`,
      'service.version': identity.version,
      'service.build': identity.build,
      ...(identity.role === undefined ? {} : { 'service.role': identity.role }),
      'process.pid': process.pid,
    }),
  };
  const send = async (): Promise<void> => {
    const metrics = toOtlp(await meter.registry.getMetricsAsJSON(), startedAt, Date.now());
    const body = JSON.stringify({
      resourceMetrics: [
        { resource, scopeMetrics: [{ scope: { name: 'service', version: identity.version }, metrics }] },
      ],
    });
    await fetch(`${endpoint}/v1/metrics`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    }).then(
      (answer) => answer.body?.cancel(),
      () => {},
    );
  };
  // Not `every`: its timer would keep the process alive. Exports time out long before the next one, so none overlap.
  const timer = setInterval(() => void send().catch(() => {}), EVERY_MS).unref();
  return async () => {
    clearInterval(timer);
    await send().catch(() => {});
  };
}

export function toOtlp(given: readonly Given[], startedAtMs: number, nowMs: number): object[] {
  const times = { startTimeUnixNano: `${startedAtMs}000000`, timeUnixNano: `${nowMs}000000` };
  return given
    .filter(({ values }) => values.length > 0)
    .map(({ name, help, type, values }) => {
      const row: MetricRow | undefined = Object.hasOwn(METRICS, name) ? METRICS[name as MetricName] : undefined;
      const head = {
        name: row?.convention?.name ?? name,
        description: help,
        unit: row?.convention?.unit ?? unitOf(name),
      };
      const rename = row?.convention !== undefined;
      const points = values
        .filter(({ value }) => Number.isFinite(value))
        .map(({ labels, value }) => ({ ...times, asDouble: value, attributes: attributesOf(labels, rename) }));
      switch (String(type)) {
        case 'histogram':
          return {
            ...head,
            histogram: {
              aggregationTemporality: CUMULATIVE,
              dataPoints: toHistograms(values, rename).map((point) => ({ ...times, ...point })),
            },
          };
        case 'counter':
          return { ...head, sum: { aggregationTemporality: CUMULATIVE, isMonotonic: true, dataPoints: points } };
        default:
          return { ...head, gauge: { dataPoints: points } };
      }
    });
}

/** Prometheus counts everything below each bound, OTLP what is between two. */
function toHistograms(values: Given['values'], rename: boolean): Point[] {
  const series = new Map<string, { labels: object; bounds: number[]; below: number[]; sum: number; count: number }>();
  for (const {
    metricName = '',
    labels: { le, ...labels },
    value,
  } of values as readonly (MetricValue<string> & { metricName?: string })[]) {
    const key = JSON.stringify(Object.entries(labels));
    const one = series.get(key) ?? { labels, bounds: [], below: [], sum: 0, count: 0 };
    series.set(key, one);
    if (metricName.endsWith('_sum')) one.sum = value;
    else if (metricName.endsWith('_count')) one.count = value;
    else if (le !== '+Inf') {
      one.bounds.push(Number(le));
      one.below.push(value);
    }
  }
  return [...series.values()].map(({ labels, bounds, below, sum, count }) => ({
    attributes: attributesOf(labels as Record<string, string | number>, rename),
    count: String(count),
    sum,
    explicitBounds: bounds,
    bucketCounts: [...below, count].map((value, at) => String(value - (below[at - 1] ?? 0))),
  }));
}

/** `gen_ai_request_model` is how Prometheus has to write `gen_ai.request.model`. */
const DOTTED: Readonly<Record<string, string>> = {
  gen_ai_operation_name: 'gen_ai.operation.name',
  gen_ai_provider_name: 'gen_ai.provider.name',
  gen_ai_request_model: 'gen_ai.request.model',
  gen_ai_token_type: 'gen_ai.token.type',
  error_type: 'error.type',
};

function attributesOf(labels: Partial<Record<string, string | number>>, rename = false): object[] {
  return Object.entries(labels).map(([name, value]) => ({
    key: rename ? (DOTTED[name] ?? name) : name,
    value: typeof value === 'number' ? { intValue: String(value) } : { stringValue: String(value) },
  }));
}

function unitOf(name: string): string {
  if (/_seconds(?:_total)?$/.test(name)) return 's';
  return /_bytes(?:_total)?$/.test(name) ? 'By' : '1';
}
