// Every route of the web contract is implemented from here, so that none can be reached without a session. That is
// asked before the input is looked at. An input that is not valid is then refused for who sent it, where the route has
// a rule for that, before it is refused for what it says.
import { implement, ORPCError } from '@orpc/server';
import { AppError } from '../../base/errors.ts';
import { webContract } from '../../contract/contract.ts';
import type { Session } from '../../identity/find-session.ts';
import type { Database } from '../../store/database.ts';
import { UnreadInput } from '../shell/path-bound-codec.ts';
import { refuseSender } from './refuse-sender.ts';

export interface WebContext extends Record<never, never> {
  readonly session: Session | undefined;
  readonly db: Database;
}

export const web = implement(webContract)
  .$context<WebContext>()
  .use(async ({ context: { session, db }, path, next }, input: unknown) => {
    if (!session) throw new AppError('unauthenticated');
    try {
      if (input instanceof UnreadInput) throw input.fault;
      return await next({ context: { user: session.user } });
    } catch (error) {
      if (isInvalid(error))
        await refuseSender(db, session.user.id, path, input instanceof UnreadInput ? input.params : input);
      throw error;
    }
  });

function isInvalid(error: unknown): boolean {
  return error instanceof AppError
    ? error.code === 'invalid_request'
    : error instanceof ORPCError && error.code === 'BAD_REQUEST';
}
