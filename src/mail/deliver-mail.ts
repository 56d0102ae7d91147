// Delivers what is due, a few at a time, until nothing is left. A server that cannot be reached ends it: the rest waits
// for the next run instead of meeting the same silence one after the other.
import type { Clock } from '../base/clock.ts';
import type { Queryable } from '../store/database.ts';
import type { Log } from '../telemetry/log.ts';
import { forEachAtMost } from '../timing/for-each-at-most.ts';
import { composeMail } from './compose-mail.ts';
import type { MailKind } from './mail-kinds.ts';
import { claimMail, giveBack, markFailed, markSent, pruneMail, type WaitingMail } from './mail-queue.ts';
import type { SmtpSender } from './smtp-sender.ts';

export type MailOutcome = 'sent' | 'retried' | 'given-up';

export interface DeliverDeps {
  readonly db: Queryable;
  readonly log: Log;
  readonly clock: Clock;
  readonly key: Buffer;
  /** The public URL of the service, which mail names. */
  readonly publicUrl: string;
  /** Opens the connections to the mail server; closed when nothing is left. */
  readonly openSender: () => Promise<SmtpSender>;
  readonly onOutcome: (kind: MailKind, outcome: MailOutcome) => void;
}

export type Delivered = Readonly<Record<MailOutcome, number>>;

const AT_ONCE = 4;
const BATCH = 12;

export async function deliverMail(deps: DeliverDeps, signal: AbortSignal): Promise<Delivered> {
  const { db, clock, key } = deps;
  const delivered = { sent: 0, retried: 0, 'given-up': 0 };
  let sender: SmtpSender | undefined;
  try {
    const server = { reachable: true };
    while (server.reachable) {
      signal.throwIfAborted();
      const claimed = await claimMail(db, key, clock(), BATCH);
      if (claimed.length === 0) break;
      const open = (sender ??= await deps.openSender());
      await forEachAtMost(AT_ONCE, claimed, async (mail) => {
        if (!server.reachable || signal.aborted) return giveBack(db, mail, clock());
        const { outcome, reachable } = await deliverOne(deps, open, mail, signal);
        server.reachable &&= reachable;
        delivered[outcome]++;
        deps.onOutcome(mail.kind, outcome);
      });
    }
    await pruneMail(db, clock());
    return delivered;
  } finally {
    sender?.close();
  }
}

async function deliverOne(
  { db, log, clock, publicUrl }: DeliverDeps,
  sender: SmtpSender,
  mail: WaitingMail,
  signal: AbortSignal,
): Promise<{ outcome: MailOutcome; reachable: boolean }> {
  const failed = async (reason: string, final: boolean): Promise<MailOutcome> => {
    const again = await markFailed(db, mail, { reason, final, now: clock() });
    // The address is a person's and stays out of the log.
    const facts = { mail: mail.id, kind: mail.kind, tries: mail.tries, reason };
    if (again) log.info(facts, 'mail not delivered yet');
    else log.warn(facts, 'mail given up');
    return again ? 'retried' : 'given-up';
  };
  const { values } = mail;
  if (values === undefined)
    return { outcome: await failed('it cannot be decrypted with this key', true), reachable: true };
  const problem = await sender.send(
    { id: mail.id, to: mail.recipient, ...composeMail({ ...mail, values }, publicUrl) },
    signal,
  );
  if (problem) return { outcome: await failed(problem.reason, problem.final), reachable: problem.reachable };
  await markSent(db, mail, clock());
  return { outcome: 'sent', reachable: true };
}
