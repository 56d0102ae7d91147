import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestDatabase } from '../../../test/support/database.ts';
import { addOrganization, addPerson, join } from '../../../test/support/people.ts';
import { watchAnnounced } from '../../../test/support/watch-announced.ts';
import { areCapWarningsDue } from '../../enforcement/cap-warnings.ts';
import { setCap } from '../../enforcement/caps.ts';
import { createMailer } from '../../mail/create-mailer.ts';
import { NO_MAILER } from '../../mail/mailer.ts';
import { claimMail } from '../../mail/mail-queue.ts';
import type { RunAttempt } from '../../runs/delivery/engine.ts';
import type { Run } from '../../runs/record/run.ts';
import type { Database } from '../../store/database.ts';
import { warnOfCaps } from './warn-of-caps.ts';

let db: Database;
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(() => db.close());

const key = randomBytes(32);
const attempt: RunAttempt = {
  run: {} as Run,
  begunBefore: false,
  signal: new AbortController().signal,
  artifacts: async () => tmpdir(),
  progress: async () => undefined,
};

it('tells owners, admins and the member of a cap, once per month and threshold', async () => {
  let now = new Date();
  const clock = (): Date => now;
  const mailer = createMailer({ key, actor: 'system:test', clock });
  const warn = (): Promise<unknown> => warnOfCaps({ db, mailer, clock })(attempt);
  const [owner, admin, member, other] = [
    await addPerson(db, 'Olga'),
    await addPerson(db, 'Adam'),
    await addPerson(db, 'Mia'),
    await addPerson(db, 'Otto'),
  ];
  const organization = await addOrganization(db, owner);
  await join(db, organization.id, admin, 'admin');
  for (const person of [member, other]) await join(db, organization.id, person, 'member');
  const cap = await setCap(db, organization.id, { kind: 'member', id: member.id }, 10);
  const spend = (usd: number): Promise<unknown> =>
    db.query(
      "update :schema.spend_cap set spent = $2, month = date_trunc('month', $3::timestamptz at time zone 'UTC')::date where id = $1",
      [cap, usd * 1_000_000, now],
    );
  const told = async (): Promise<unknown[]> => {
    const mails = await claimMail(db, key, now, 100);
    await db.query('delete from :schema.mail');
    return mails
      .map(({ recipient, kind, values }) => ({ recipient, kind, values }))
      .sort((one, two) => (one.recipient < two.recipient ? -1 : 1));
  };
  const mails = (percent: number): unknown[] =>
    [owner, admin, member]
      .map(({ email }) => email)
      .sort()
      .map((recipient) => ({
        recipient,
        kind: 'cap-warning',
        values: { organization: expect.any(String), whose: member.name, percent },
      }));

  await spend(7.99);
  expect(await areCapWarningsDue(db, now)).toBe(false);
  await spend(8);
  expect(await areCapWarningsDue(db, now)).toBe(true);
  await Promise.all([warn(), warn()]);
  expect(await told()).toEqual(mails(80));
  await spend(9);
  expect(await areCapWarningsDue(db, now)).toBe(false);
  await spend(10);
  await warn();
  expect(await told()).toEqual(mails(100));
  await spend(12);
  expect(await warn()).toEqual({ configured: true, warned: 0 });

  now = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 2));
  expect(await areCapWarningsDue(db, now)).toBe(false);
  await spend(8.5);
  await warn();
  expect(await told()).toEqual(mails(80));
});

it('tells who subscribed of a cap that is reached, once, with mail and without', async () => {
  const now = new Date();
  for (const mailer of [createMailer({ key, actor: 'system:test', clock: () => now }), NO_MAILER]) {
    const owner = await addPerson(db);
    const { id: organization, defaultId } = await addOrganization(db, owner);
    const announced = await watchAnnounced(db, organization);
    const caps = [
      await setCap(db, organization, { kind: 'workspace', id: defaultId }, 10),
      await setCap(db, organization, { kind: 'member', id: owner.id }, 10),
    ];
    const spend = (usd: number): Promise<unknown> =>
      db.query(
        "update :schema.spend_cap set spent = $2, month = date_trunc('month', $3::timestamptz at time zone 'UTC')::date where id = any ($1)",
        [caps, usd * 1_000_000, now],
      );
    const warn = warnOfCaps({ db, mailer, clock: () => now });
    await spend(9);
    await warn(attempt);
    expect(await announced()).toEqual([]);
    for (const usd of [10, 12]) {
      await spend(usd);
      await Promise.all([warn(attempt), warn(attempt)]);
    }
    expect(await announced()).toEqual(
      expect.arrayContaining([
        {
          type: 'cap.reached',
          data: { organization, workspace: defaultId, cap: caps[0], kind: 'workspace', subject: defaultId },
        },
        { type: 'cap.reached', data: { organization, cap: caps[1], kind: 'member', subject: owner.id } },
      ]),
    );
    expect(await announced()).toHaveLength(2);
  }
});
