// Runs in a conversation. A message stores only which run it started; the run's state is filled in when the
// conversation is read, so it is never stale.
import type { MessagePart, ShownRun } from '../contract/threads.ts';
import type { StoredMessage } from './messages.ts';

/** The state of runs, for a user who may see them. */
export type ReadRuns = (
  reader: { readonly userId: string; readonly organizationId: string },
  ids: readonly string[],
) => Promise<ReadonlyMap<string, ShownRun>>;

export async function showRuns<M extends StoredMessage>(
  messages: readonly M[],
  read: (ids: readonly string[]) => Promise<ReadonlyMap<string, ShownRun>>,
): Promise<M[]> {
  const ids = messages.flatMap(({ parts }) =>
    parts.flatMap((part) => (part.type === 'data-job' ? [part.data.id] : [])),
  );
  if (ids.length === 0) return [...messages];
  const runs = await read([...new Set(ids)]);
  const show = (part: MessagePart): MessagePart =>
    part.type === 'data-job' ? { type: 'data-job', data: runs.get(part.data.id) ?? part.data } : part;
  return messages.map((message) => ({ ...message, parts: message.parts.map(show) }));
}

const STATES = {
  queued: 'The background run for this has not started yet.',
  running: 'The background run for this is in progress.',
  aborted: 'The background run for this was aborted.',
} as const;

/** What a run adds to the conversation, in words a model can continue from. */
export function runText({ status, result, error }: ShownRun): string {
  switch (status) {
    case undefined:
      return '';
    case 'completed':
      return result ?? 'The background run for this completed without an answer.';
    case 'failed':
      return `The background run for this failed: ${error ?? 'unknown reason'}`;
    default:
      return STATES[status];
  }
}
