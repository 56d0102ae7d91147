import type { Meter } from '../telemetry/metrics/create-meter.ts';
import type { MeasuredDatabase } from './measure-database.ts';

/** The figures of a process's pool and statements. */
export function meterDatabase(db: MeasuredDatabase, meter: Meter): void {
  db.onStatement((seconds, ok) =>
    meter.observe('service_database_statement_duration_seconds', [ok ? 'ok' : 'failed'], seconds),
  );
  meter.read('service_database_pool_waits_total', () => [{ value: db.figures().waits }]);
  meter.read('service_database_pool_connections', () => {
    const { poolMax, busy, waiting } = db.figures();
    return [
      { labels: ['max'], value: poolMax },
      { labels: ['busy'], value: busy },
      { labels: ['waiting'], value: waiting },
    ];
  });
}
