// The metrics of one process. Metrics libraries build a string from the labels on every count, which is too expensive
// for a short request: here a series is looked up label by label, and hot paths keep the series they have found.
// Everything else happens on scrape.
import { collectDefaultMetrics, Registry } from 'prom-client';
import { LOOP_SAMPLE_MS } from '../process-figures.ts';
import { METRICS, type MetricName, type MetricPart, type MetricRow } from './metric-table.ts';

/** In the order of the table; undefined omits a label. */
type LabelValues = readonly (string | number | undefined)[];

export interface Reading {
  readonly labels?: LabelValues;
  readonly value: number;
}

/** One series of a metric. */
export interface Tally {
  add(value: number): void;
}

export interface Meter {
  /** The series with these labels; hot paths keep it. */
  tally(name: MetricName, labels: LabelValues): Tally;
  count(name: MetricName, labels: LabelValues, by?: number): void;
  observe(name: MetricName, labels: LabelValues, value: number): void;
  /** Called on every scrape. */
  read(name: MetricName, read: () => readonly Reading[] | Promise<readonly Reading[]>): void;
}

export interface ProcessMeter extends Meter {
  readonly part: MetricPart;
  readonly registry: Registry;
  readonly contentType: string;
  /** Prometheus text. */
  render(): Promise<string>;
}

interface Value {
  readonly metricName?: string;
  readonly labels: Readonly<Record<string, string | number>>;
  readonly value: number;
}

interface Series extends Tally {
  readonly labels: Readonly<Record<string, string | number>>;
  readonly buckets: number[];
  sum: number;
  count: number;
}

/** Series are looked up by the values of their labels, one after the other. */
interface Branch {
  readonly next: Map<LabelValues[number], Branch>;
  series?: Series;
}

interface Metric {
  readonly row: MetricRow;
  readonly root: Branch;
  readonly series: Series[];
  read: () => readonly Reading[] | Promise<readonly Reading[]>;
}

/** Gauges of the library under a counter's name; each is the sum of the gauge of the same name without `_total`. */
const MISNAMED = ['nodejs_active_handles_total', 'nodejs_active_requests_total', 'nodejs_active_resources_total'];
const NOTHING: readonly Reading[] = [];
/** For metrics that this process does not have. */
const UNCOUNTED: Tally = { add: () => {} };

export function createMeter(
  part: MetricPart,
  identity: { readonly version: string; readonly build: string; readonly role: string },
): ProcessMeter {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: LOOP_SAMPLE_MS });
  for (const name of MISNAMED) registry.removeSingleMetric(name);
  const metrics = new Map<MetricName, Metric>();
  for (const [name, row] of Object.entries(METRICS) as [MetricName, MetricRow][]) {
    if (!row.parts.includes(part)) continue;
    const metric: Metric = { row, root: { next: new Map() }, series: [], read: () => NOTHING };
    metrics.set(name, metric);
    registry.registerMetric({
      name,
      get: async () => ({
        name,
        help: row.help,
        type: row.type,
        aggregator: 'sum',
        values: await valuesOf(name, metric),
      }),
    } as never);
  }

  const tally = (name: MetricName, labels: LabelValues): Tally => {
    const metric = metrics.get(name);
    return metric ? findSeries(metric, labels) : UNCOUNTED;
  };

  const meter: ProcessMeter = {
    part,
    registry,
    contentType: registry.contentType,
    tally,
    count: (name, labels, by = 1) => tally(name, labels).add(by),
    observe: (name, labels, value) => tally(name, labels).add(value),
    read(name, read) {
      const metric = metrics.get(name);
      if (metric) metric.read = read;
    },
    // The library writes Nan, which is not valid in the format.
    render: async () => (await registry.metrics()).replace(/ Nan$/gm, ' NaN'),
  };
  meter.read('service_build_info', () => [{ labels: [identity.version, identity.role, identity.build], value: 1 }]);
  return meter;
}

function findSeries({ row, root, series }: Metric, labels: LabelValues): Series {
  let at = root;
  for (const label of labels) {
    let next = at.next.get(label);
    if (!next) at.next.set(label, (next = { next: new Map() }));
    at = next;
  }
  if (!at.series) series.push((at.series = createSeries(row, labels)));
  return at.series;
}

function createSeries(row: MetricRow, labels: LabelValues): Series {
  const { bounds = [] } = row;
  const series: Series = {
    labels: named(row, labels),
    buckets: bounds.map(() => 0),
    sum: 0,
    count: 0,
    add(value) {
      series.sum += value;
      series.count++;
      for (let at = 0; at < bounds.length; at++) {
        if (value > (bounds[at] ?? 0)) continue;
        series.buckets[at] = (series.buckets[at] ?? 0) + 1;
        return;
      }
    },
  };
  return series;
}

async function valuesOf(name: MetricName, { row, series, read }: Metric): Promise<Value[]> {
  const told = (await read()).map(({ labels = [], value }) => ({ labels: named(row, labels), value }));
  if (row.type === 'histogram') return series.flatMap((one) => toHistogram(name, row.bounds ?? [], one));
  // A counter without labels starts at 0, so that its first increase is visible.
  if (row.type === 'counter' && row.labels.length === 0 && series.length === 0 && told.length === 0)
    return [{ labels: {}, value: 0 }];
  return [...told, ...series.map(({ labels, sum }) => ({ labels, value: sum }))];
}

function named({ labels: names }: MetricRow, values: LabelValues): Record<string, string | number> {
  return Object.fromEntries(names.flatMap((name, at) => (values[at] === undefined ? [] : [[name, values[at]]])));
}

function toHistogram(name: string, bounds: readonly number[], { labels, buckets, sum, count }: Series): Value[] {
  let below = 0;
  return [
    ...bounds.map((le, at) => ({
      metricName: `${name}_bucket`,
      labels: { le, ...labels },
      value: (below += buckets[at] ?? 0),
    })),
    { metricName: `${name}_bucket`, labels: { le: '+Inf', ...labels }, value: count },
    { metricName: `${name}_sum`, labels, value: sum },
    { metricName: `${name}_count`, labels, value: count },
  ];
}
