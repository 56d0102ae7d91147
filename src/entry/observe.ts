// What every process exposes about itself: metrics at /metrics, and metrics and traces for the collector that the
// operator configured.
import type { MetricPart } from '../telemetry/metrics/metric-table.ts';
import { createMeter, type ProcessMeter } from '../telemetry/metrics/create-meter.ts';
import { metricsPortOf } from '../process/metrics-ports.ts';
import type { ProcessContext, Stop } from '../process/run-process.ts';
import { buildInfo } from '../process/build-info.ts';
import { startTelemetry } from '../telemetry/telemetry.ts';
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
  const build = buildInfo();
  const isRuntime = part === 'api' || part === 'worker';
  const identity = { part: isRuntime ? 'runtime' : part, ...(isRuntime ? { role } : {}), ...build };
  const stopTelemetry = await startTelemetry(config, identity);
  const meter = createMeter(part, { ...build, role });
  const stopExport = exportMetrics(meter, config, identity);
  const port = metricsPortOf(role, config);
  // Metrics are no reason to stay down: two workers of a kind on one machine would use the same port.
  const serving =
    port === undefined
      ? undefined
      : await listen(meter, port, config.SERVICE_LISTEN_HOST).catch((error: unknown) =>
          log.warn({ err: error, port }, 'metrics of this process cannot be scraped: could not listen on port'),
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

/** A worker loads no HTTP server unless it needs one. */
async function listen(meter: ProcessMeter, port: number, host: string | undefined): Promise<Serving> {
  const [{ metricsListener }, { serve }] = await Promise.all([
    import('../http/shell/metrics-route.ts'),
    import('../http/shell/serve.ts'),
  ]);
  return serve(metricsListener(meter), { port, host });
}
