// The gateway's span of a request, from its arrival to the end of its response. Our upstreams continue the trace; the
// integration provider is not ours and gets the headers that the client sent.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { openSpan } from '../telemetry/telemetry.ts';
import type { Admitted } from './admit-request.ts';

const OF_THE_TRACE = new Set(['traceparent', 'tracestate']);

export function traceRequest(
  { headers, requestId, service }: Admitted,
  req: IncomingMessage,
  res: ServerResponse,
): void {
  const { method = 'GET' } = req;
  const read = (name: string): string | undefined =>
    typeof req.headers[name] === 'string' ? req.headers[name] : undefined;
  const span = openSpan(
    `${method} ${service.prefix}`,
    { 'http.request.method': method, 'http.route': service.prefix, 'request.id': requestId },
    'server',
    read,
  );
  if (!span) return;
  if (!service.foreign) {
    const kept = headers.filter((_, at) => !OF_THE_TRACE.has((headers[at - (at % 2)] ?? '').toLowerCase()));
    headers.splice(0, headers.length, ...kept, ...Object.entries(span.headers()).flat());
  }
  res.once('close', () => {
    span.set({ 'http.response.status_code': res.statusCode });
    span.end(res.statusCode >= 500 ? String(res.statusCode) : undefined);
  });
}
