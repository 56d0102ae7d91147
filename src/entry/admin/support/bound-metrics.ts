// What of a metrics page may be in a support bundle: the metrics of the table with the labels of the table, and those of
// the Node process. Every label has a bounded set of values; one that has another form is left out.
import { METRICS, type MetricName, type MetricRow } from '../../../telemetry/metrics/metric-table.ts';
import type { Scrub } from './scrub.ts';

const LINE = /^([a-zA-Z_]\w*)(?:\{(.*)\})? (\S+)$/;
const LABEL = /([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"/g;
const VALUE = /^[\w .:/{}*<>+-]{0,120}$/;
const NUMBER = /^(?:NaN|[+-]?(?:Inf|\d[\d.eE+-]*))$/;
const OF_NODE = /^(?:process|nodejs)_/;
const OF_HISTOGRAM = /_(?:bucket|sum|count)$/;
const MOST_LINES = 20_000;

export function boundMetrics(page: string, scrub: Scrub): string {
  // The last line of a page that was cut is no line.
  const lines = page.slice(0, page.lastIndexOf('\n') + 1).split('\n');
  const kept = lines.slice(0, MOST_LINES).flatMap((line) => boundLine(line, scrub) ?? []);
  return `${kept.join('\n')}\n`;
}

function boundLine(line: string, scrub: Scrub): string | undefined {
  const [, name = '', labels = '', value = ''] = LINE.exec(line) ?? [];
  if (!NUMBER.test(value)) return undefined;
  const row = rowOf(name) ?? rowOf(name.replace(OF_HISTOGRAM, ''));
  if (name === '' || (row === undefined && !OF_NODE.test(name))) return undefined;
  const kept = [...labels.matchAll(LABEL)].flatMap(([, label = '', given = '']) =>
    row === undefined || label === 'le' || row.labels.includes(label)
      ? [`${label}="${VALUE.test(given) ? scrub(given) : '…'}"`]
      : [],
  );
  return `${name}${kept.length > 0 ? `{${kept.join(',')}}` : ''} ${value}`;
}

function rowOf(name: string): MetricRow | undefined {
  return Object.hasOwn(METRICS, name) ? METRICS[name as MetricName] : undefined;
}
