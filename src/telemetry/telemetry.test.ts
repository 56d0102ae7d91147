import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startTraceCollector, type TraceCollector } from '../../test/support/trace-collector.ts';
import { readConfig } from '../base/config.ts';
import { AppError } from '../base/errors.ts';
import { isTracing, openSpan, span, startTelemetry, traceHeaders } from './telemetry.ts';

const SECRET = 'sk-ant-very-secret-value';
const identity = { part: 'runtime', role: 'api', version: '1.2.3', build: 'abc' };

describe('without a collector', () => {
  it('runs the work, loads nothing and adds no header', async () => {
    const stop = await startTelemetry(readConfig({}), identity);
    expect(await span('work', { a: 1 }, async (current) => (current.set({ b: 2 }), 'done'))).toBe('done');
    expect(traceHeaders()).toEqual({});
    expect([isTracing(), openSpan('call', {}, 'client')]).toEqual([false, undefined]);
    await stop();
  });
});

describe('with a collector', () => {
  let collector: TraceCollector;
  let stop: () => Promise<void>;
  beforeEach(async () => {
    collector = await startTraceCollector();
    stop = await startTelemetry(
      readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, ANTHROPIC_API_KEY: SECRET }),
      identity,
    );
  });
  afterEach(async () => {
    await stop();
    await collector.close();
  });

  it('exports spans, nested as the work is, when it stops', async () => {
    await span('outer', { route: '/a' }, () =>
      span('inner', { rows: 3 }, async (current) => current.rename('renamed')),
    );
    await stop();
    const [inner, outer] = collector.spans();
    expect(collector.paths).toEqual(['/v1/traces']);
    expect(outer).toMatchObject({ name: 'outer', attributes: { route: '/a' } });
    expect(inner).toMatchObject({ name: 'renamed', traceId: outer?.traceId, attributes: { rows: 3 } });
    expect(collector.resource()).toMatchObject({
      'service.name': 'service-runtime',
      'service.role': 'api',
      'service.version': '1.2.3',
      'service.build': 'abc',
    });
  });

  it('continues the trace of a request and hands it on', async () => {
    const traceId = '0af7651916cd43dd8448eb211c80319c';
    const handed = await span('request', {}, async () => traceHeaders(), {
      read: (name) => (name === 'traceparent' ? `00-${traceId}-b7ad6b7169203331-01` : undefined),
    });
    await stop();
    expect(collector.spans()[0]).toMatchObject({ traceId, parentSpanId: 'b7ad6b7169203331' });
    expect(handed['traceparent']).toContain(traceId);
  });

  it('exports a span that is ended by a call, as part of the current trace, and hands it on', async () => {
    const handed = await span('outer', {}, async () => {
      const call = openSpan('chat some-model', { 'gen_ai.usage.input_tokens': 3, token: 'dropped' }, 'client');
      call?.end('timeout');
      return call?.headers()['traceparent'];
    });
    await stop();
    const [inner, outer] = collector.spans();
    expect(inner).toMatchObject({
      name: 'chat some-model',
      traceId: outer?.traceId,
      failed: true,
      attributes: { 'gen_ai.usage.input_tokens': 3, 'error.type': 'timeout' },
    });
    expect(inner?.attributes).not.toHaveProperty('token');
    expect(handed).toContain(outer?.traceId);
  });

  it('never exports a secret: not by key, not inside a value, not in the text of an error', async () => {
    const failing = span(
      'call',
      { authorization: 'Bearer abc', 'x-api-key': 'k', token: 't', url: `https://host/?key=${SECRET}` },
      () => Promise.reject(new Error(`bad key ${SECRET}`)),
    );
    await expect(failing).rejects.toThrow('bad key');
    await expect(
      span('refused', {}, () => Promise.reject(new AppError('unauthenticated', { given: SECRET }))),
    ).rejects.toThrow('unauthenticated');
    await stop();
    expect(collector.text()).not.toContain(SECRET);
    expect(collector.text()).not.toContain('Bearer abc');
    expect(collector.spans()).toMatchObject([
      { name: 'call', failed: true, attributes: { url: 'https://host/?key=[redacted]', 'error.type': 'Error' } },
      { name: 'refused', failed: true, attributes: { 'error.type': 'unauthenticated' } },
    ]);
    expect(Object.keys(collector.spans()[0]?.attributes ?? {}).sort()).toEqual(['error.type', 'url']);
  });

  it('does not fail the work when the collector is gone', async () => {
    await collector.close();
    expect(await span('work', {}, async () => 1)).toBe(1);
    await stop();
  });
});
