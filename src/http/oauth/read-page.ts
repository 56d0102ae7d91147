import { z } from 'zod';
import { AppError } from '../../base/errors.ts';
import { page } from '../../contract/common.ts';

const pageQuery = z.object(page);

export function readPage(query: URLSearchParams): z.infer<typeof pageQuery> {
  const parsed = pageQuery.safeParse(Object.fromEntries(query));
  if (!parsed.success) throw new AppError('invalid_request', Object.fromEntries(parsed.error.issues.map((issue) => [issue.path.join('.'), issue.message])));
  return parsed.data;
}
