// Every route of the web contract is implemented from here, so that none can be reached without a session, nor without
// the membership that its need asks for.
import { implement } from '@orpc/server';
import { AppError } from '../../base/errors.ts';
import { webContract } from '../../contract/contract.ts';
import type { Session } from '../../identity/find-session.ts';
import type { Database } from '../../store/database.ts';
import type { Standing } from '../../tenancy/standing.ts';
import { authorizeBody } from './authorize.ts';

export interface WebContext extends Record<never, never> {
  readonly session: Session | undefined;
  readonly db: Database;
  /** Decided from the path and the query, before the body was read. */
  readonly membership?: Standing | undefined;
}

/** For routes that are about the caller alone, and for those whose body names the place. */
export const web = implement(webContract)
  .$context<WebContext>()
  .use(async ({ context: { session, db, membership }, procedure, next }, input: unknown) => {
    if (!session) throw new AppError('unauthenticated');
    const { user } = session;
    const { need, namedIn } = procedure['~orpc'].meta.authority;
    const decided =
      namedIn === 'body' ? await authorizeBody(db, user.id, need, input as Record<string, unknown>) : membership;
    return next({ context: { user, decided } });
  });

/** For routes whose path or query names the place. */
export const member = web.use(({ context, next }) => next({ context: { membership: getMembership(context) } }));

/** For handlers of routes whose body names the place, which run once the contract has taken the body. */
export function getMembership({ decided }: { readonly decided: Standing | AppError | undefined }): Standing {
  if (decided instanceof AppError) throw decided;
  if (!decided) throw new Error('the route was not authorized');
  return decided;
}
