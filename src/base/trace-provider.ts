// The tracing library, in a file of its own that is loaded only when there is a collector. Its packages are CommonJS:
// a bundle gives a static import their names, a dynamic import only their default export.
import { context, propagation, trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node';

export { context, propagation, trace };

/** Registers a provider that exports to the collector at this URL. */
export function registerTraceProvider(
  url: string,
  timeoutMs: number,
  attributes: Record<string, string | number>,
): NodeTracerProvider {
  const exporter = new OTLPTraceExporter({ url, timeoutMillis: timeoutMs });
  const provider = new NodeTracerProvider({
    resource: resourceFromAttributes(attributes),
    spanProcessors: [new BatchSpanProcessor(exporter, { exportTimeoutMillis: timeoutMs })],
  });
  provider.register();
  return provider;
}
