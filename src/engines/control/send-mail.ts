// Delivers waiting mail. Every mail starts a run, so many may be here at once: one of them delivers, and looks again if
// another asked in the meantime; the others have nothing left to do.
import { deliverMail, type DeliverDeps } from '../../mail/deliver-mail.ts';
import type { Engine } from '../../runs/delivery/engine.ts';

export function sendMail(deps: DeliverDeps | undefined): Engine {
  let delivering = false;
  let asked = false;
  return async ({ signal }) => {
    if (!deps) return { configured: false };
    asked = true;
    if (delivering) return { configured: true, joined: true };
    delivering = true;
    try {
      const total = { sent: 0, retried: 0, givenUp: 0 };
      while (asked) {
        asked = false;
        const { sent, retried, 'given-up': givenUp } = await deliverMail(deps, signal);
        total.sent += sent;
        total.retried += retried;
        total.givenUp += givenUp;
      }
      return { configured: true, ...total };
    } finally {
      delivering = false;
    }
  };
}
