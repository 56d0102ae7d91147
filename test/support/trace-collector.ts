// A collector that takes traces and metrics over OTLP/HTTP and keeps what it was sent.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

interface CollectedSpan {
  readonly name: string;
  /** `service.name`, and the role of a process of the runtime. */
  readonly from: string;
  readonly traceId: string;
  readonly parentSpanId: string | undefined;
  readonly attributes: Record<string, unknown>;
  readonly failed: boolean;
}

export interface TraceCollector {
  readonly url: string;
  readonly paths: string[];
  /** Everything received, byte for byte. */
  text(): string;
  spans(): CollectedSpan[];
  resource(): Record<string, unknown>;
  /** Whose spans have come, each once: the name of the service and, where it has one, its role. */
  sources(): string[];
  /** Names of the metrics that this service has sent. */
  metrics(from: string): Set<string>;
  close(): Promise<void>;
}

type Attribute = { key: string; value: Record<string, unknown> };
interface Export {
  resourceMetrics?: { resource: { attributes: Attribute[] }; scopeMetrics: { metrics: { name: string }[] }[] }[];
  resourceSpans?: {
    resource: { attributes: Attribute[] };
    scopeSpans: {
      spans: {
        name: string;
        traceId: string;
        parentSpanId?: string;
        attributes: Attribute[];
        status?: { code?: number };
      }[];
    }[];
  }[];
}

export async function startTraceCollector(): Promise<TraceCollector> {
  const bodies: string[] = [];
  const paths: string[] = [];
  const server = createServer((request, response) => {
    paths.push(request.url ?? '');
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
    request.on('end', () => {
      bodies.push(body);
      response.setHeader('content-type', 'application/json').end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const exports = (): NonNullable<Export['resourceSpans']> =>
    bodies.flatMap((body) => (JSON.parse(body) as Export).resourceSpans ?? []);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    paths,
    text: () => bodies.join('\n'),
    spans: () =>
      exports()
        .flatMap((one) =>
          one.scopeSpans.flatMap((scope) =>
            scope.spans.map((span) => ({ ...span, from: nameOf(one.resource.attributes) })),
          ),
        )
        .map(({ name, from, traceId, parentSpanId, attributes, status }) => ({
          name,
          from,
          traceId,
          parentSpanId,
          attributes: flatten(attributes),
          failed: status?.code === 2,
        })),
    metrics: (from) =>
      new Set(
        bodies
          .flatMap((body) => (JSON.parse(body) as Export).resourceMetrics ?? [])
          .flatMap(({ resource, scopeMetrics }) =>
            nameOf(resource.attributes) === from
              ? scopeMetrics.flatMap(({ metrics }) => metrics.map(({ name }) => name))
              : [],
          ),
      ),
    resource: () => flatten(exports()[0]?.resource.attributes ?? []),
    sources: () => [
      ...new Set(
        exports()
          .map(({ resource }) => flatten(resource.attributes))
          .map((attributes) =>
            [attributes['service.name'], attributes['service.role']].filter((part) => part !== undefined).join('/'),
          ),
      ),
    ],
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function nameOf(attributes: Attribute[]): string {
  const { 'service.name': name, 'service.role': role } = flatten(attributes);
  return role === undefined ? String(name) : `${String(name)}/${String(role)}`;
}

function flatten(attributes: Attribute[]): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}
