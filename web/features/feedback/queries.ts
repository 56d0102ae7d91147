import { infiniteQueryOptions } from '@tanstack/react-query';
import type { FeedbackEntry, Rating } from '../../../src/contract/feedback/feedback.ts';
import { FEEDBACK_LIMITS } from '../../../src/contract/feedback/feedback-limits.ts';
import { byCursor, pageAt } from '../../api/by-cursor.ts';
import { api, client } from '../../api/client.ts';

export interface FeedbackFilters {
  readonly rating?: Rating;
  readonly model?: string;
  readonly project?: string;
  /** The first day, UTC. */
  readonly from?: string;
}

export function feedbackQuery(org: string, filters: FeedbackFilters) {
  return infiniteQueryOptions({
    queryKey: [...api.feedback.list.key(), org, filters],
    queryFn: ({ pageParam, signal }) => client.feedback.list({ org, ...filters, ...pageAt(pageParam) }, { signal }),
    ...byCursor,
  });
}

/** What a file may have, and whether there is more. */
export async function readForFile(
  org: string,
  filters: FeedbackFilters,
): Promise<{ feedback: FeedbackEntry[]; more: boolean }> {
  const all: FeedbackEntry[] = [];
  for (let cursor: string | undefined; ;) {
    const page = await client.feedback.list({
      org,
      ...filters,
      limit: 200,
      ...(cursor === undefined ? {} : { cursor }),
    });
    all.push(...page.feedback);
    cursor = page.cursor;
    if (cursor === undefined || all.length >= FEEDBACK_LIMITS.rows)
      return { feedback: all, more: cursor !== undefined };
  }
}
