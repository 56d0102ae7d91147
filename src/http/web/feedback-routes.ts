import type { Database } from '../../store/database.ts';
import { cutPage, readIdCursor, rowsToRead } from '../../tenancy/paging.ts';
import { giveFeedback, listFeedback, withdrawFeedback } from '../../threads/feedback.ts';
import { member, web } from './authorize.ts';

export function feedbackRoutes({ db }: { readonly db: Database }) {
  return {
    feedback: {
      give: web.feedback.give.handler(async ({ context, input: { thread, message, ...given } }) => ({
        feedback: await giveFeedback(db, { userId: context.user.id, threadId: thread, messageId: message }, given),
      })),
      withdraw: web.feedback.withdraw.handler(async ({ context, input: { thread, message } }) => {
        await withdrawFeedback(db, { userId: context.user.id, threadId: thread, messageId: message });
        return { ok: true as const };
      }),
      list: member.feedback.list.handler(async ({ context: { membership }, input: { org: _org, ...asked } }) => {
        const { entries, found, total } = await listFeedback(db, {
          ...asked,
          organizationId: membership.organizationId,
          after: readIdCursor(asked.cursor, 'fbk'),
          limit: rowsToRead(asked),
        });
        const { rows, ...more } = cutPage(entries, asked, ({ id }) => id, found);
        return { feedback: [...rows], total, ...more };
      }),
    },
  };
}
