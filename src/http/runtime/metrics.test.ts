// The names of all metrics by the conventions of Prometheus, as its own linter has them.
import { describe, expect, it } from 'vitest';
import type { RuntimeFigures } from './figures.ts';
import { createMetrics } from './metrics.ts';

const figures: RuntimeFigures = { at: new Date(0), version: '0', uptimeSeconds: 1, database: { ok: true, latencyMs: 1, pool: { poolMax: 1, busy: 0, waiting: 0, statements: 0, failures: 0 } }, stored: undefined };

interface Declared {
  readonly name: string;
  readonly type: string;
  readonly help: string;
}

/** Words of a name that stand for a unit other than seconds, bytes and ratios. */
const OTHER_UNITS = /^(?:s|sec|ms|us|ns|m|h|d|milliseconds?|microseconds?|nanoseconds?|minutes?|hours?|days?|weeks?|b|kb|mb|gb|tb|kilobytes?|megabytes?|gigabytes?|kibibytes?|mebibytes?|gibibytes?|bits?|percent|percents|percentage)$/;

function faultsOf({ name, type, help }: Declared): string[] {
  const words = name.split('_');
  return [
    ...(help === '' ? ['has no help'] : []),
    ...(/^[a-z][a-z0-9_]*$/.test(name) ? [] : ['is not in snake_case']),
    ...((type === 'counter') === name.endsWith('_total') ? [] : [`is a ${type}: counters end in _total, nothing else does`]),
    ...(/_(?:count|sum|bucket)$/.test(name) ? ['ends like a series of a histogram'] : []),
    ...(words.some((word) => OTHER_UNITS.test(word)) ? ['has a unit that is no base unit'] : []),
    ...(words.includes(type) ? ['has its type in its name'] : []),
    ...(type === 'histogram' && !/_(?:seconds|bytes)$/.test(name) ? ['does not end in its unit'] : []),
  ].map((fault) => `${name} ${fault}`);
}

async function declared(): Promise<Declared[]> {
  const text = await createMetrics({ version: '0', role: 'api' }).render(figures);
  const help = new Map([...text.matchAll(/^# HELP (\S+) (.*)$/gm)].map(([, name = '', words = '']) => [name, words]));
  return [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '', type = '']) => ({ name, type, help: help.get(name) ?? '' }));
}

describe('the metrics', () => {
  it('are named by the conventions, every one of them', async () => {
    const metrics = await declared();
    expect(metrics.map(({ name }) => name)).toEqual(expect.arrayContaining(['process_cpu_user_seconds_total', 'nodejs_active_resources', 'service_http_requests_total', 'service_database_up']));
    expect(metrics.flatMap(faultsOf)).toEqual([]);
  });

  it.each([
    [{ name: 'nodejs_active_handles_total', type: 'gauge', help: 'x' }, 'is a gauge: counters end in _total, nothing else does'],
    [{ name: 'service_requests', type: 'counter', help: 'x' }, 'is a counter: counters end in _total, nothing else does'],
    [{ name: 'service_latency_ms', type: 'gauge', help: 'x' }, 'has a unit that is no base unit'],
    [{ name: 'service_request_duration', type: 'histogram', help: 'x' }, 'does not end in its unit'],
    [{ name: 'service_requests_open', type: 'gauge', help: '' }, 'has no help'],
  ])('would not be with %j', (metric, fault) => {
    expect(faultsOf(metric)).toEqual([`${metric.name} ${fault}`]);
  });
});
