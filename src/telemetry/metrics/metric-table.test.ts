// The names of all metrics by the conventions of Prometheus, as its own linter has them.
import { describe, expect, it } from 'vitest';
import { createMeter } from './create-meter.ts';
import { METRICS, type MetricPart, type MetricRow } from './metric-table.ts';

const PARTS: readonly MetricPart[] = ['gateway', 'web', 'api', 'worker', 'broker', 'sandbox'];
const ROWS = Object.entries(METRICS) as [string, MetricRow][];

interface Declared {
  readonly name: string;
  readonly type: string;
  readonly help: string;
}

/** Words of a name that stand for a unit other than seconds, bytes and ratios. */
const OTHER_UNITS =
  /^(?:s|sec|ms|us|ns|m|h|d|milliseconds?|microseconds?|nanoseconds?|minutes?|hours?|days?|weeks?|b|kb|mb|gb|tb|kilobytes?|megabytes?|gigabytes?|kibibytes?|mebibytes?|gibibytes?|bits?|percent|percents|percentage)$/;

function faultsOf({ name, type, help }: Declared): string[] {
  const words = name.split('_');
  return [
    ...(help === '' ? ['has no help'] : []),
    ...(/^[a-z][a-z0-9_]*$/.test(name) ? [] : ['is not in snake_case']),
    ...((type === 'counter') === name.endsWith('_total')
      ? []
      : [`is a ${type}: counters end in _total, nothing else does`]),
    ...(/_(?:count|sum|bucket)$/.test(name) ? ['ends like a series of a histogram'] : []),
    ...(words.some((word) => OTHER_UNITS.test(word)) ? ['has a unit that is not a base unit'] : []),
    ...(words.includes(type) ? ['has its type in its name'] : []),
    ...(type === 'histogram' && !/_(?:seconds|bytes)$/.test(name) && !name.startsWith('gen_ai_')
      ? ['does not end in its unit']
      : []),
  ].map((fault) => `${name} ${fault}`);
}

async function declared(part: MetricPart): Promise<Declared[]> {
  const text = await createMeter(part, { version: '0', build: 'abc', role: part }).render();
  const help = new Map([...text.matchAll(/^# HELP (\S+) (.*)$/gm)].map(([, name = '', words = '']) => [name, words]));
  return [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '', type = '']) => ({
    name,
    type,
    help: help.get(name) ?? '',
  }));
}

describe('the metrics', () => {
  it.each(PARTS)('of %s are named by the conventions, every one of them, and are those of the table', async (part) => {
    const metrics = await declared(part);
    const names = metrics.map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining([
        'process_cpu_user_seconds_total',
        'nodejs_active_resources',
        'nodejs_eventloop_lag_p99_seconds',
      ]),
    );
    expect(names.filter((name) => /^(?:service|gen_ai)_/.test(name)).sort()).toEqual(
      ROWS.filter(([, { parts }]) => parts.includes(part))
        .map(([name]) => name)
        .sort(),
    );
    expect(metrics.flatMap(faultsOf)).toEqual([]);
  });

  it('of the convention for generative AI have its names', () => {
    for (const [name, { convention }] of ROWS)
      if (convention)
        expect(name).toBe(`${convention.name.replaceAll('.', '_')}${convention.unit === 's' ? '_seconds' : ''}`);
    expect(ROWS.filter(([name, { convention }]) => name.startsWith('gen_ai_') !== (convention !== undefined))).toEqual(
      [],
    );
  });

  it('have buckets where they are histograms, and nowhere else', () => {
    expect(ROWS.filter(([, { type, bounds }]) => (type === 'histogram') !== (bounds !== undefined))).toEqual([]);
  });

  it.each([
    [
      { name: 'nodejs_active_handles_total', type: 'gauge', help: 'x' },
      'is a gauge: counters end in _total, nothing else does',
    ],
    [
      { name: 'service_requests', type: 'counter', help: 'x' },
      'is a counter: counters end in _total, nothing else does',
    ],
    [{ name: 'service_latency_ms', type: 'gauge', help: 'x' }, 'has a unit that is not a base unit'],
    [{ name: 'service_request_duration', type: 'histogram', help: 'x' }, 'does not end in its unit'],
    [{ name: 'service_requests_open', type: 'gauge', help: '' }, 'has no help'],
  ])('would not be with %j', (metric, fault) => {
    expect(faultsOf(metric)).toEqual([`${metric.name} ${fault}`]);
  });
});
