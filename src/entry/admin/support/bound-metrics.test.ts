import { expect, it } from 'vitest';
import { boundMetrics } from './bound-metrics.ts';

it('keeps the metrics of the table with the labels of the table', () => {
  const page = [
    '# HELP service_build_info The running build.',
    'service_build_info{version="1.0.0",role="web",build="3f2a9c81d07e",person="Jo"} 1',
    'service_http_request_duration_seconds_bucket{le="+Inf",method="GET",route="/v1/models"} 3',
    'service_http_requests_total{method="GET",route="tell \\"Jo\\"",status="200"} 2',
    'process_cpu_seconds_total 0.5',
    'nodejs_eventloop_lag_p99_seconds NaN',
    'somebody_elses{name="Jo"} 1',
    'service_database_up Jo',
    'service_cut_off 1',
  ].join('\n');
  expect(boundMetrics(page, (text) => text)).toBe(
    [
      'service_build_info{version="1.0.0",role="web",build="3f2a9c81d07e"} 1',
      'service_http_request_duration_seconds_bucket{le="+Inf",method="GET",route="/v1/models"} 3',
      'service_http_requests_total{method="GET",route="…",status="200"} 2',
      'process_cpu_seconds_total 0.5',
      'nodejs_eventloop_lag_p99_seconds NaN',
      '',
    ].join('\n'),
  );
});
