// Every route of the web contract is implemented from here, so that none can be reached without a session. The
// check runs before the input is validated.
import { implement } from '@orpc/server';
import { AppError } from '../../base/errors.ts';
import { webContract } from '../../contract/contract.ts';
import type { Session } from '../../identity/find-session.ts';

export interface WebContext extends Record<never, never> {
  readonly session: Session | undefined;
}

export const web = implement(webContract)
  .$context<WebContext>()
  .use(({ context, next }) => {
    if (!context.session) throw new AppError('unauthenticated');
    return next({ context: { user: context.session.user } });
  });
