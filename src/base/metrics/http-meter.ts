// What a process counts of the requests that it answers.
import type { Meter } from './create-meter.ts';
import { surfaceOf } from './surfaces.ts';

export interface AnsweredRequest {
  readonly method: string;
  /** A pattern, never a path. */
  readonly route: string;
  readonly status: number;
  /** Until the answer began. */
  readonly seconds: number;
  /** Of the error that it was answered with. */
  readonly code?: string | undefined;
  /** Whether the client went before the answer was complete. */
  readonly left?: boolean;
}

export interface HttpMeter {
  began(): void;
  ended(answered: AnsweredRequest): void;
  /** One that was begun and came to nothing. */
  failed(): void;
}

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

export function createHttpMeter(meter: Meter): HttpMeter {
  let open = 0;
  meter.read('service_http_requests_open', () => [{ value: open }]);
  return {
    began: () => void open++,
    failed: () => void open--,
    ended({ method: given, route, status, seconds, code, left = false }) {
      open--;
      const method = METHODS.has(given) ? given : 'other';
      meter.count('service_http_requests_total', [method, route, status]);
      meter.observe('service_http_request_duration_seconds', [method, route], seconds);
      const surface = surfaceOf(route);
      meter.count('service_requests_total', [surface, left ? 'left' : status >= 500 ? 'failed' : status >= 400 ? 'refused' : 'ok']);
      if (code !== undefined) meter.count('service_refusals_total', [surface, code]);
    },
  };
}
