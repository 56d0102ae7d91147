// Traces, when a collector is configured. Without one the library is never loaded and `span` is a plain call.
// Attributes are names and counts: keys that look like a secret are dropped, and configured secrets are removed from
// every value in case a caller passes one by mistake. Of an error, only the code or name is recorded.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Attributes as SpanAttributes, Context, Span, TextMapPropagator, Tracer } from '@opentelemetry/api';
import type { Config } from '../base/config.ts';
import { AppError } from '../base/errors.ts';
import { secretValues } from '../base/secret-values.ts';

export type Attributes = Record<string, string | number | boolean | undefined>;

/** A header of an incoming request, by its lower-case name. */
export type ReadHeader = (name: string) => string | undefined;

/** What running work can change about its span. */
export interface CurrentSpan {
  set(attributes: Attributes): void;
  rename(name: string): void;
}

/** The side of a call; undefined for work inside a process. */
export type SpanKind = 'internal' | 'server' | 'client';

/** A span that is ended explicitly, for work that is not a promise. */
export interface OpenSpan {
  set(attributes: Attributes): void;
  rename(name: string): void;
  /** Headers that let the next part continue from here. */
  headers(): Record<string, string>;
  end(errorType?: string): void;
}

interface Active {
  readonly tracer: Tracer;
  readonly propagator: TextMapPropagator;
  /** The context that a caller's `traceparent` header describes, or the current one. */
  parent(read: ReadHeader | undefined): Context;
  current(): Context;
  /** The current context with this span in it. */
  within(span: Span): Context;
  readonly secrets: readonly string[];
}

const EXPORT_TIMEOUT_MS = 5_000;
const FLUSH_TIMEOUT_MS = 2_000;
const KINDS = { internal: 0, server: 1, client: 2 } as const satisfies Record<SpanKind, number>;
const ERROR_STATUS = 2;
/** The convention's attribute names for the tokens of a call. */
const COUNTS = /^gen_ai\.usage\./;
const SECRET_KEY = /authorization|cookie|password|secret|token|api.?key|ciphertext/i;
const SILENT: CurrentSpan = { set: () => {}, rename: () => {} };

let active: Active | undefined;

/** Starts exporting when the environment names a collector. The returned function flushes the rest and stops. */
export async function startTelemetry(
  config: Config,
  identity: { part: string; role?: string; version: string; build: string },
): Promise<() => Promise<void>> {
  const endpoint = config.OTEL_EXPORTER_OTLP_ENDPOINT;
  if (endpoint === undefined) return async () => {};
  const { context, propagation, registerTraceProvider, trace } = await import('./trace-provider.ts');
  const provider = registerTraceProvider(`${endpoint}/v1/traces`, EXPORT_TIMEOUT_MS, {
    'service.name': `service-${identity.part}`,
    'service.version': identity.version,
    'service.build': identity.build,
    ...(identity.role === undefined ? {} : { 'service.role': identity.role }),
    'process.pid': process.pid,
  });
  active = {
    tracer: trace.getTracer('service', identity.version),
    propagator: propagation,
    parent: (read) =>
      read?.('traceparent') === undefined
        ? context.active()
        : propagation.extract(context.active(), read, {
            get: (from, key) => from(key),
            keys: () => propagation.fields(),
          }),
    current: () => context.active(),
    within: (span) => trace.setSpan(context.active(), span),
    secrets: secretValues(config),
  };
  return async () => {
    active = undefined;
    // An unreachable collector must not delay the shutdown; the library would retry for several seconds.
    await Promise.race([provider.shutdown().catch(() => {}), sleep(FLUSH_TIMEOUT_MS, undefined, { ref: false })]);
    trace.disable();
    context.disable();
    propagation.disable();
  };
}

export interface SpanOrigin {
  /** Reads the headers of an incoming request, to continue its trace. */
  readonly read?: ReadHeader | undefined;
  readonly kind?: SpanKind;
}

/** Runs work inside a span. */
export function span<T>(
  name: string,
  attributes: Attributes,
  work: (current: CurrentSpan) => Promise<T>,
  { read, kind = 'internal' }: SpanOrigin = {},
): Promise<T> {
  const on = active;
  if (!on) return work(SILENT);
  return on.tracer.startActiveSpan(
    name,
    { kind: KINDS[kind], attributes: clean(attributes, on.secrets) },
    on.parent(read),
    async (current: Span) => {
      try {
        return await work({
          set: (more) => void current.setAttributes(clean(more, on.secrets)),
          rename: (to) => void current.updateName(to),
        });
      } catch (error) {
        current.setAttribute(
          'error.type',
          error instanceof AppError ? error.code : error instanceof Error ? error.name : 'unknown',
        );
        current.setStatus({ code: ERROR_STATUS });
        throw error;
      } finally {
        current.end();
      }
    },
  );
}

/** Whether traces are collected. */
export function isTracing(): boolean {
  return active !== undefined;
}

/** Undefined when traces are off. */
export function openSpan(
  name: string,
  attributes: Attributes,
  kind: SpanKind,
  read?: ReadHeader,
): OpenSpan | undefined {
  const on = active;
  if (!on) return undefined;
  const opened = on.tracer.startSpan(
    name,
    { kind: KINDS[kind], attributes: clean(attributes, on.secrets) },
    on.parent(read),
  );
  return {
    set: (more) => void opened.setAttributes(clean(more, on.secrets)),
    rename: (to) => void opened.updateName(to),
    headers: () => inject(on, on.within(opened)),
    end(errorType) {
      if (errorType !== undefined) opened.setAttribute('error.type', errorType).setStatus({ code: ERROR_STATUS });
      opened.end();
    },
  };
}

/** Headers that let the next part continue the current trace; none when traces are off. */
export function traceHeaders(): Record<string, string> {
  return active ? inject(active, active.current()) : {};
}

function inject({ propagator }: Active, from: Context): Record<string, string> {
  const headers: Record<string, string> = {};
  propagator.inject(from, headers, {
    set: (carrier, key, value) => void ((carrier as Record<string, string>)[key] = value),
  });
  return headers;
}

function clean(attributes: Attributes, secrets: readonly string[]): SpanAttributes {
  const kept: SpanAttributes = {};
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || (SECRET_KEY.test(key) && !COUNTS.test(key))) continue;
    kept[key] =
      typeof value === 'string'
        ? secrets.reduce((text, secret) => text.replaceAll(secret, '[redacted]'), value)
        : value;
  }
  return kept;
}
