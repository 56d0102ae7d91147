import { describeFailure, failureOf } from '../decode-failure.ts';
import type { NeutralEvent } from '../neutral.ts';
import { isObject, type Loose } from '../read-fields.ts';
import { findResponsesUsage } from '../usage.ts';

/** The final events of an answer, from its last state: a failure, or usage and the finish reason. */
export function finishResponse(response: Loose, calls: number): NeutralEvent[] {
  const usage = findResponsesUsage(response['usage']);
  const events: NeutralEvent[] = usage === undefined ? [] : [{ type: 'usage', usage, final: true }];
  if (response['status'] === 'failed' || response['status'] === 'cancelled') {
    const failure = isObject(response['error']) ? describeFailure(response['error']) : failureOf('other');
    return [...events, { type: 'error', ...failure }];
  }
  if (response['status'] !== 'incomplete')
    return [...events, { type: 'finish', reason: calls > 0 ? 'tool-calls' : 'stop' }];
  const why = isObject(response['incomplete_details']) ? response['incomplete_details']['reason'] : undefined;
  return [...events, { type: 'finish', reason: why === 'content_filter' ? 'content-filter' : 'length' }];
}
