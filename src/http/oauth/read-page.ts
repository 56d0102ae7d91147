import { z } from 'zod';
import { AppError } from '../../base/errors.ts';
import { page } from '../../contract/common.ts';
import { readIdCursor } from '../../tenancy/paging.ts';
import { filledQuery } from '../shell/filled-query.ts';

const pageQuery = z.object(page);

/** For a list whose ids have the prefix. */
export function readPage(query: URLSearchParams, prefix: string): z.infer<typeof pageQuery> {
  const parsed = pageQuery.safeParse(Object.fromEntries(filledQuery(query)));
  if (!parsed.success)
    throw new AppError(
      'invalid_request',
      Object.fromEntries(parsed.error.issues.map((issue) => [issue.path.join('.'), issue.message])),
    );
  readIdCursor(parsed.data.cursor, prefix);
  return parsed.data;
}
