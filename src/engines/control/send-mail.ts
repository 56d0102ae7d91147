// Delivers waiting mail, after queueing that about runs that have ended. Every mail starts a run, so many may be here at once: one of them delivers, and looks again if
// another asked in the meantime; the others have nothing left to do.
import { deliverMail, type DeliverDeps } from '../../mail/deliver-mail.ts';
import type { Mailer } from '../../mail/mailer.ts';
import type { Engine } from '../../runs/delivery/engine.ts';
import { takeRunMails } from '../../runs/delivery/run-mails.ts';
import type { Database } from '../../store/database.ts';

interface SendMailDeps {
  readonly db: Database;
  readonly mailer: Mailer;
  /** Undefined without SMTP. */
  readonly delivery: DeliverDeps | undefined;
}

export function sendMail({ db, mailer, delivery: deps }: SendMailDeps): Engine {
  let delivering = false;
  let asked = false;
  return async ({ signal }) => {
    if (!deps) return { configured: false };
    await queueRunMails(db, mailer, deps.publicUrl, signal);
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

/** A mail counts as queued in the transaction that takes what it tells. */
async function queueRunMails(db: Database, mailer: Mailer, publicUrl: string, signal: AbortSignal): Promise<void> {
  for (let left = true; left;) {
    signal.throwIfAborted();
    left = await db.transaction(async (tx) => {
      const { taken, mails } = await takeRunMails(tx);
      for (const { address: to, run, ...ended } of mails) {
        const page = run === undefined ? '/runs' : `/runs/${run.id}?org=${encodeURIComponent(run.organization)}`;
        await mailer.queue(tx, { kind: 'runs-ended', to, values: { ...ended, link: publicUrl + page } });
      }
      return taken > 0;
    });
  }
}
