// What every process shows of itself: figures at /metrics, and to the collector that the operator names, figures and
// traces.
import type { MetricPart } from '../base/metrics/metric-table.ts';
import { createMeter, type ProcessMeter } from '../base/metrics/create-meter.ts';
import { metricsPortOf } from '../base/metrics/metrics-ports.ts';
import type { ProcessContext, Stop } from '../base/run-process.ts';
import { serviceVersion } from '../base/service-version.ts';
import { startTelemetry } from '../base/telemetry.ts';
import type { Serving } from '../http/shell/serve.ts';
import { exportMetrics } from './export-metrics.ts';

export interface Observing {
  readonly meter: ProcessMeter;
  readonly stop: Stop;
}

/** `role` is the process's: `web`, `worker-chat`. */
export async function observe(
  part: MetricPart,
  role: string,
  { config, log }: Pick<ProcessContext, 'config' | 'log'>,
): Promise<Observing> {
  const version = serviceVersion();
  const isRuntime = part === 'api' || part === 'worker';
  const identity = { part: isRuntime ? 'runtime' : part, ...(isRuntime ? { role } : {}), version };
  const stopTelemetry = await startTelemetry(config, identity);
  const meter = createMeter(part, { version, role });
  const stopExport = exportMetrics(meter, config, identity);
  const port = metricsPortOf(role, config);
  // Figures are no reason to stay down: two workers of a kind on one machine ask for the same port.
  const serving =
    port === undefined
      ? undefined
      : await listen(meter, port, config.SERVICE_LISTEN_HOST).catch((error: unknown) =>
          log.warn({ err: error, port }, 'the figures of this process cannot be scraped: its port is not to be had'),
        );
  if (serving) log.info({ port }, 'metrics are served');
  return {
    meter,
    async stop() {
      await serving?.close();
      await stopExport();
      await stopTelemetry();
    },
  };
}

/** A worker carries no HTTP server unless it is asked for one. */
async function listen(meter: ProcessMeter, port: number, host: string | undefined): Promise<Serving> {
  const [{ metricsListener }, { serve }] = await Promise.all([
    import('../http/shell/metrics-route.ts'),
    import('../http/shell/serve.ts'),
  ]);
  return serve(metricsListener(meter), { port, host });
}
