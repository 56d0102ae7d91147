import { Registry } from 'prom-client';
import { expect, it } from 'vitest';
import { createRequestTally } from './request-tally.ts';

it('is read as the library would have written it', async () => {
  const tally = createRequestTally();
  const registry = new Registry();
  for (const metric of tally.metrics) registry.registerMetric(metric as never);
  for (const seconds of [0.001, 0.02, 60]) {
    tally.began();
    tally.ended('GET', '/a', seconds > 1 ? 504 : 200, seconds);
  }
  tally.began();
  tally.began();
  tally.failed();
  const text = await registry.metrics();
  expect(text.split('\n')).toEqual(
    expect.arrayContaining([
      '# TYPE service_http_requests_total counter',
      'service_http_requests_total{method="GET",route="/a",status="200"} 2',
      'service_http_requests_total{method="GET",route="/a",status="504"} 1',
      '# TYPE service_http_request_duration_seconds histogram',
      'service_http_request_duration_seconds_bucket{le="0.001",method="GET",route="/a"} 1',
      'service_http_request_duration_seconds_bucket{le="0.025",method="GET",route="/a"} 2',
      'service_http_request_duration_seconds_bucket{le="30",method="GET",route="/a"} 2',
      'service_http_request_duration_seconds_bucket{le="+Inf",method="GET",route="/a"} 3',
      'service_http_request_duration_seconds_sum{method="GET",route="/a"} 60.021',
      'service_http_request_duration_seconds_count{method="GET",route="/a"} 3',
      'service_http_requests_open 1',
    ]),
  );
});
