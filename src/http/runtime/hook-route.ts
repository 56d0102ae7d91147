// Where senders deliver to triggers. The signature of the raw body is the only authentication: until it is checked, the
// sender is a stranger.
import { AppError } from '../../base/errors.ts';
import { type DeliverDeps, receiveDelivery } from '../../runs/triggers/receive-delivery.ts';
import type { Admission } from '../shell/admission/admission.ts';
import { anonymousSender, type PlainRoutes } from '../shell/plain-routes.ts';

const NO_STORE = { 'cache-control': 'no-store' };
/** Longer than any id. */
const MOST_ID_CHARACTERS = 64;

export function mountHooks(routes: PlainRoutes, deps: DeliverDeps, admission: Pick<Admission, 'attempt'>): void {
  routes.on({
    method: 'POST',
    path: '/hooks/:id',
    cost: 'database',
    body: 'hook',
    attempt: 'hook',
    identify: anonymousSender,
    async handle(c, _sender, body) {
      const id = c.req.param('id') ?? '';
      if (id.length > MOST_ID_CHARACTERS) throw new AppError('delivery_unverified');
      const answered = await receiveDelivery(
        deps,
        { id, headers: c.req.raw.headers, body, nowMs: Date.now() },
        (triggerId) => admission.attempt('hook-delivery', triggerId),
      );
      return c.json(answered, 'job' in answered ? 202 : 200, NO_STORE);
    },
  });
}
