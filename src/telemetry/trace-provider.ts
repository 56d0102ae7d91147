// The tracing library, in a separate file that is loaded only when there is a collector. Its packages are CommonJS: in
// a bundle, a static import sees their named exports, a dynamic import only the default export.
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
