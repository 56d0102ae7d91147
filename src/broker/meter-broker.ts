// The broker's queues as metrics, read from the database once per scrape for all gauges.
import type { Meter, Reading } from '../telemetry/metrics/create-meter.ts';
import type { MetricName } from '../telemetry/metrics/metric-table.ts';
import { shareRead } from '../timing/share-read.ts';
import type { BrokerFigures } from './protocol/figures.ts';

const FRESH_MS = 1_000;

const GAUGES: Partial<Readonly<Record<MetricName, (figures: BrokerFigures) => readonly Reading[]>>> = {
  service_broker_leases: ({ leases }) => [{ value: leases }],
  service_broker_replicas: ({ replicas }) => [{ value: replicas }],
  service_broker_streams: ({ groups }) =>
    groups.map(({ group, streams }) => ({ labels: [group], value: streams.length })),
  service_broker_tasks_waiting: ({ groups }) =>
    groups.flatMap(({ group, waiting }) =>
      Object.entries(waiting).map(([reason, value]) => ({ labels: [group, reason], value })),
    ),
  service_broker_oldest_waiting_seconds: ({ waiting }) => [
    { value: Math.max(0, ...waiting.map(({ waitingMs }) => waitingMs)) / 1000 },
  ],
};

export function meterBroker(broker: { figures(): Promise<BrokerFigures> }, meter: Meter): void {
  const figures = shareRead(() => broker.figures(), FRESH_MS);
  for (const [name, read] of Object.entries(GAUGES) as [MetricName, (figures: BrokerFigures) => readonly Reading[]][])
    meter.read(name, () => figures().then(read, () => []));
}
