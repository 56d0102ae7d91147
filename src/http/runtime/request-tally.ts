// Counts requests and how long their answers took to begin, and hands both to the registry when it is read. A metrics
// library finds each series by hashing its labels at every count, which costs more than a short request may.
import { type CacheKey, cacheKey } from '../../base/cache-key.ts';

export interface RequestTally {
  began(): void;
  ended(method: string, route: string, status: number, seconds: number): void;
  /** One that was begun and came to nothing. */
  failed(): void;
  /** What the registry reads. */
  readonly metrics: readonly TallyMetric[];
}

/** A metric as the registry of prom-client asks for it. */
export interface TallyMetric {
  readonly name: string;
  get(): Promise<{ readonly name: string; readonly help: string; readonly type: Type; readonly aggregator: 'sum'; readonly values: readonly Value[] }>;
}

type Type = 'counter' | 'histogram' | 'gauge';

interface Value {
  readonly metricName?: string;
  readonly labels: Readonly<Record<string, string | number>>;
  readonly value: number;
}

interface Durations {
  readonly labels: { readonly method: string; readonly route: string };
  readonly buckets: number[];
  sum: number;
  count: number;
}

interface Series {
  readonly labels: { readonly method: string; readonly route: string; readonly status: number };
  readonly durations: Durations;
  count: number;
}

const BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

export function createRequestTally(): RequestTally {
  // As many as routes, methods and statuses.
  const series = new Map<CacheKey, Series>();
  const durations = new Map<CacheKey, Durations>();
  let open = 0;

  function seriesOf(method: string, route: string, status: number): Series {
    const key = cacheKey(status, method, route);
    let found = series.get(key);
    if (!found) series.set(key, (found = { labels: { method, route, status }, durations: durationsOf(method, route), count: 0 }));
    return found;
  }

  function durationsOf(method: string, route: string): Durations {
    const key = cacheKey(method, route);
    let found = durations.get(key);
    if (!found) durations.set(key, (found = { labels: { method, route }, buckets: BOUNDS.map(() => 0), sum: 0, count: 0 }));
    return found;
  }

  return {
    began: () => void open++,
    failed: () => void open--,
    ended(method, route, status, seconds) {
      open--;
      const counted = seriesOf(method, route, status);
      counted.count++;
      counted.durations.count++;
      counted.durations.sum += seconds;
      const bucket = BOUNDS.findIndex((bound) => seconds <= bound);
      if (bucket >= 0) counted.durations.buckets[bucket] = (counted.durations.buckets[bucket] ?? 0) + 1;
    },
    metrics: [
      metric('service_http_requests_total', 'Answered HTTP requests.', 'counter', () => [...series.values()].map(({ labels, count }) => ({ labels, value: count }))),
      metric('service_http_request_duration_seconds', 'Time until the answer begins.', 'histogram', () => [...durations.values()].flatMap(toHistogram)),
      metric('service_http_requests_open', 'Requests under way.', 'gauge', () => [{ labels: {}, value: open }]),
    ],
  };
}

function toHistogram({ labels, buckets, sum, count }: Durations): Value[] {
  const name = 'service_http_request_duration_seconds';
  let below = 0;
  return [
    ...BOUNDS.map((le, at) => ({ metricName: `${name}_bucket`, labels: { le, ...labels }, value: (below += buckets[at] ?? 0) })),
    { metricName: `${name}_bucket`, labels: { le: '+Inf', ...labels }, value: count },
    { metricName: `${name}_sum`, labels, value: sum },
    { metricName: `${name}_count`, labels, value: count },
  ];
}

function metric(name: string, help: string, type: Type, read: () => Value[]): TallyMetric {
  return { name, get: async () => ({ name, help, type, aggregator: 'sum', values: read() }) };
}
