import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HttpMeter } from '../telemetry/metrics/http-meter.ts';

export interface AnswerWatch {
  /** The upstream's response has begun. */
  begun(): void;
}

/** Counts a request once its response is complete, by service. */
export function watchAnswer(
  http: HttpMeter,
  { method = 'GET' }: IncomingMessage,
  res: ServerResponse,
  route: string,
): AnswerWatch {
  const startedAt = performance.now();
  let begunAt: number | undefined;
  http.began();
  res.once('close', () =>
    http.ended({ method, route, status: res.statusCode, seconds: ((begunAt ?? performance.now()) - startedAt) / 1000 }),
  );
  return { begun: () => void (begunAt = performance.now()) };
}
