// Gives every request an id, which its answer carries and by which its failure is found in the log.
import type { RequestListener } from 'node:http';
import { serveInScope } from '../base/request-scope.ts';
import { requestIdOf } from './raw-route.ts';

export function serveScoped(listener: RequestListener): RequestListener {
  return (request, response) => {
    const requestId = requestIdOf(request.headers['x-request-id']);
    response.setHeader('x-request-id', requestId);
    serveInScope({ requestId, method: request.method ?? 'GET' }, () => listener(request, response));
  };
}
