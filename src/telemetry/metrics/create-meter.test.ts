import { expect, it } from 'vitest';
import { createMeter } from './create-meter.ts';
import { createHttpMeter } from './http-meter.ts';

it('is read as the library would have written it', async () => {
  const meter = createMeter('web', { version: '1', build: 'abc', role: 'web' });
  const http = createHttpMeter(meter);
  for (const seconds of [0.001, 0.02, 60]) {
    http.began();
    http.ended({
      method: 'GET',
      route: '/api/things/:thing',
      status: seconds > 1 ? 504 : 200,
      seconds,
      ...(seconds > 1 ? { code: 'internal' } : {}),
    });
  }
  http.began();
  http.began();
  http.failed();
  meter.count('service_tokens_total', ['openai', 'other', 'own-key', 'input'], 7);
  meter.count('service_broker_leases', []);
  meter.observe('gen_ai_client_operation_duration_seconds', ['chat', 'openai', 'other', undefined], 0.03);
  const text = await meter.render();
  expect(text.split('\n')).toEqual(
    expect.arrayContaining([
      'service_build_info{version="1",role="web",build="abc"} 1',
      '# TYPE service_http_requests_total counter',
      'service_http_requests_total{method="GET",route="/api/things/:thing",status="200"} 2',
      'service_http_requests_total{method="GET",route="/api/things/:thing",status="504"} 1',
      '# TYPE service_http_request_duration_seconds histogram',
      'service_http_request_duration_seconds_bucket{le="0.001",method="GET",route="/api/things/:thing"} 1',
      'service_http_request_duration_seconds_bucket{le="0.025",method="GET",route="/api/things/:thing"} 2',
      'service_http_request_duration_seconds_bucket{le="30",method="GET",route="/api/things/:thing"} 2',
      'service_http_request_duration_seconds_bucket{le="+Inf",method="GET",route="/api/things/:thing"} 3',
      'service_http_request_duration_seconds_sum{method="GET",route="/api/things/:thing"} 60.021',
      'service_http_request_duration_seconds_count{method="GET",route="/api/things/:thing"} 3',
      'service_http_requests_open 1',
      'service_requests_total{surface="rest",outcome="ok"} 2',
      'service_requests_total{surface="rest",outcome="failed"} 1',
      'service_refusals_total{surface="rest",code="internal"} 1',
      'service_tokens_total{provider="openai",model="other",credential="own-key",direction="input"} 7',
      'service_database_pool_waits_total 0',
      'gen_ai_client_operation_duration_seconds_bucket{le="0.04",gen_ai_operation_name="chat",gen_ai_provider_name="openai",gen_ai_request_model="other"} 1',
    ]),
  );
  expect(text).not.toContain('service_broker_leases');
});
