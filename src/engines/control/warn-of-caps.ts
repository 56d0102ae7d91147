import { type Clock, systemClock } from '../../base/clock.ts';
import { takeCapWarnings } from '../../enforcement/cap-warnings.ts';
import type { Mailer } from '../../mail/mailer.ts';
import type { Engine } from '../../runs/delivery/engine.ts';
import type { Database, Queryable } from '../../store/database.ts';
import { findNames } from '../../tenancy/find-names.ts';
import { findCapReaders } from '../../tenancy/members/find-cap-readers.ts';

interface WarnDeps {
  readonly db: Database;
  readonly mailer: Mailer;
  readonly clock?: Clock;
}

/** A warning counts as told in the transaction that queues its mail and tells who subscribed to it. */
export function warnOfCaps({ db, mailer, clock = systemClock }: WarnDeps): Engine {
  return async ({ signal }) => {
    for (let warned = 0; ;) {
      signal.throwIfAborted();
      const taken = await db.transaction((tx) => warnSome(tx, mailer, clock()));
      warned += taken;
      if (taken === 0) return { configured: mailer.configured, warned };
    }
  };
}

const TELL_REACHED = `
select :schema.announce_event($1, $2, 'cap.reached', jsonb_build_object('cap', $3::text, 'kind', $4::text, 'subject', $5::text))`;

async function warnSome(tx: Queryable, mailer: Mailer, now: Date): Promise<number> {
  const warnings = await takeCapWarnings(tx, now);
  for (const { id, organizationId, subject, percent } of warnings) {
    if (percent === 100)
      await tx.query(TELL_REACHED, [
        organizationId,
        subject.kind === 'workspace' ? subject.id : null,
        id,
        subject.kind,
        subject.id,
      ]);
    if (!mailer.configured) continue;
    const readers = await findCapReaders(tx, organizationId, subject);
    if (!readers) continue;
    const whose = (await findNames(tx, subject.kind, [subject.id]))(subject.id);
    const values = { organization: readers.organization, whose, percent };
    for (const to of readers.addresses) await mailer.queue(tx, { kind: 'cap-warning', to, values });
  }
  return warnings.length;
}
