import { sendThroughProxy } from '../provider-sending.ts';
import { readRequest } from '../read-request.ts';
import type { Arguments, PreparedCall } from './prepare-call.ts';

/** One resource of a provider without typed tools. */
export function prepareCompatibilityRead(given: Arguments): PreparedCall {
  const request = readRequest(given);
  return (_deps, sending) => sendThroughProxy(sending, request);
}
