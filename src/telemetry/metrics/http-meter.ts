// Metrics about the requests that a process answers.
import type { Meter, Tally } from './create-meter.ts';

interface AnsweredRequest {
  readonly method: string;
  /** A pattern, never a path. */
  readonly route: string;
  readonly status: number;
  /** Until the response began. */
  readonly seconds: number;
  /** Of the error in the response. */
  readonly code?: string | undefined;
  /** Whether the client disconnected before the response was complete. */
  readonly left?: boolean;
}

export interface HttpMeter {
  began(): void;
  ended(answered: AnsweredRequest): void;
  /** A request that began but was never answered. */
  failed(): void;
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** The surface of the service that a route belongs to; the first matching prefix wins. */
const SURFACES: readonly (readonly [prefix: string, surface: string])[] = [
  ['/v1/chat/completions', 'chat_completions'],
  ['/v1/responses', 'responses'],
  ['/v1/messages/count_tokens', 'count_tokens'],
  ['/v1/messages', 'messages'],
  ['/v1/embeddings', 'embeddings'],
  ['/v1/models', 'models'],
  ['/api/chat', 'chat'],
  ['/api/auth', 'identity'],
  ['/api', 'rest'],
  ['/connect/mcp', 'mcp'],
  ['/connect', 'connect'],
  ['/agents', 'runs'],
  ['/jobs', 'runs'],
  ['/factory', 'runs'],
  ['/service-debug', 'debug'],
  ['/healthz', 'health'],
  ['/metrics', 'health'],
  ['*', 'page'],
];

type Outcome = 'left' | 'failed' | 'refused' | 'ok';

/** The series of one route. */
interface RouteTallies {
  readonly surface: string;
  /** By method and status. */
  readonly answers: Map<number, { readonly count: Tally; readonly duration: Tally }>;
  readonly outcomes: Map<Outcome, Tally>;
}

export function createHttpMeter(meter: Meter): HttpMeter {
  let open = 0;
  meter.read('service_http_requests_open', () => [{ value: open }]);
  const routes = new Map<string, RouteTallies>();

  function talliesOf(route: string): RouteTallies {
    let tallies = routes.get(route);
    if (!tallies) routes.set(route, (tallies = { surface: surfaceOf(route), answers: new Map(), outcomes: new Map() }));
    return tallies;
  }

  return {
    began: () => void open++,
    failed: () => void open--,
    ended({ method, route, status, seconds, code, left = false }) {
      open--;
      const { surface, answers, outcomes } = talliesOf(route);
      const known = METHODS.indexOf(method);
      const key = known * 1000 + status;
      let answer = answers.get(key);
      if (!answer) {
        const label = METHODS[known] ?? 'other';
        answer = {
          count: meter.tally('service_http_requests_total', [label, route, status]),
          duration: meter.tally('service_http_request_duration_seconds', [label, route]),
        };
        answers.set(key, answer);
      }
      answer.count.add(1);
      answer.duration.add(seconds);
      const outcome = left ? 'left' : status >= 500 ? 'failed' : status >= 400 ? 'refused' : 'ok';
      let tally = outcomes.get(outcome);
      if (!tally) outcomes.set(outcome, (tally = meter.tally('service_requests_total', [surface, outcome])));
      tally.add(1);
      if (code !== undefined) meter.count('service_refusals_total', [surface, code]);
    },
  };
}

function surfaceOf(route: string): string {
  return SURFACES.find(([prefix]) => route === prefix || route.startsWith(`${prefix}/`))?.[1] ?? 'other';
}
