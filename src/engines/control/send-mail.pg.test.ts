import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestDatabase, quiet } from '../../../test/support/database.ts';
import { type MailServer, startMailServer } from '../../../test/support/mail/mail-server.ts';
import { addOrganization, addPerson, join, type Person, type TestOrganization } from '../../../test/support/people.ts';
import { systemClock } from '../../base/clock.ts';
import { loadConnectors } from '../../catalog/load-connectors.ts';
import { loadModels } from '../../catalog/load-models.ts';
import { SCOPES } from '../../contract/tokens.ts';
import { chooseMail, readMailChoice } from '../../identity/account/mail-choice.ts';
import { createMailer } from '../../mail/create-mailer.ts';
import { openSmtpSender } from '../../mail/smtp-sender.ts';
import type { RunAttempt } from '../../runs/delivery/engine.ts';
import { areRunMailsDue, pruneRunMails } from '../../runs/delivery/run-mails.ts';
import { startRun } from '../../runs/delivery/start-run.ts';
import { abortRun } from '../../runs/record/abort-run.ts';
import type { Run, RunAuthority } from '../../runs/record/run.ts';
import type { Database } from '../../store/database.ts';
import { findMembership } from '../../tenancy/members/find-membership.ts';
import { sendMail } from './send-mail.ts';

const key = randomBytes(32);
const authority: RunAuthority = { startedWith: 'session', scopes: SCOPES, tokenId: undefined, grantId: undefined };
const attempt: RunAttempt = {
  run: {} as Run,
  begunBefore: false,
  signal: new AbortController().signal,
  artifacts: async () => tmpdir(),
  progress: async () => {},
};
let db: Database;
let server: MailServer;
let owner: Person;
let organization: TestOrganization;
const other = { current: {} as Person };

beforeAll(async () => {
  [db, server] = await Promise.all([openTestDatabase({ poolMax: 4 }), startMailServer()]);
  owner = await addPerson(db, 'owner');
  organization = await addOrganization(db, owner);
  other.current = await addPerson(db, 'other');
  await join(db, organization.id, other.current, 'member');
});
afterAll(async () => {
  await server?.close();
  await db?.close();
});

async function endRun(person: Person, by = 'system:api'): Promise<Run> {
  const membership = await findMembership(db, { userId: person.id, organizationId: organization.id });
  if (!membership) throw new Error('no member');
  const deps = {
    db,
    catalog: loadConnectors(),
    models: loadModels(undefined),
    engines: { chat: undefined, control: undefined, codex: undefined },
  };
  const { run } = await startRun(deps, membership, { objective: 'a secret task', kind: 'chat', authority });
  return (await abortRun(db, run, by)).run;
}
const send = (): Promise<unknown> => {
  const openSender = async () =>
    openSmtpSender(`smtp://127.0.0.1:${server.port}`, { name: 'Service', address: 'service@example.test' });
  const publicUrl = 'https://service.example';
  return sendMail({
    db,
    mailer: createMailer({ key, actor: 'system:test', clock: systemClock }),
    delivery: { db, log: quiet, clock: systemClock, key, publicUrl, openSender, onOutcome: () => {} },
  })(attempt);
};

it('tells people of their ended runs if they chose it: one mail for all since the last, without what they were about', async () => {
  await endRun(owner);
  expect(await areRunMailsDue(db)).toBe(false);
  expect(await readMailChoice(db, owner.id)).toEqual({ runs: false });
  await chooseMail(db, owner.id, { runs: true });
  const run = await endRun(owner);
  await endRun(other.current);
  expect(await areRunMailsDue(db)).toBe(true);
  expect(await send()).toMatchObject({ configured: true, sent: 1 });
  const mail = await server.receive(owner.email);
  expect(mail.text).toContain('A run of yours was stopped.');
  expect(mail.text).toMatch(new RegExp(`https://service\\.example/runs/${run.id}\\?org=`));
  expect(JSON.stringify(mail)).not.toContain('a secret task');
  expect(await areRunMailsDue(db)).toBe(false);
  expect(await send()).toMatchObject({ sent: 0 });

  await Promise.all([endRun(owner), endRun(owner), endRun(owner)]);
  const outcomes = (await Promise.all([send(), send()])) as { sent: number }[];
  expect(outcomes.reduce((sum, { sent }) => sum + sent, 0)).toBe(1);
  expect(server.received.at(-1)?.text).toContain('3 runs of yours have ended: 3 stopped.');
});

it('tells nobody of a run that they stopped themselves, and them of one that somebody else stopped', async () => {
  await chooseMail(db, owner.id, { runs: true });
  await endRun(owner, `user:${owner.id}`);
  expect(await areRunMailsDue(db)).toBe(false);
  await endRun(owner, `user:${other.current.id}`);
  expect(await send()).toMatchObject({ sent: 1 });
});

it('tells nobody who has left or changed their mind, and forgets what no mail is sent for', async () => {
  await chooseMail(db, other.current.id, { runs: true });
  await endRun(other.current);
  await chooseMail(db, other.current.id, { runs: false });
  expect(await send()).toMatchObject({ sent: 0 });
  await chooseMail(db, other.current.id, { runs: true });
  await endRun(other.current);
  await db.query('delete from :schema.organization_member where user_id = $1', [other.current.id]);
  expect(await send()).toMatchObject({ sent: 0 });
  expect(await areRunMailsDue(db)).toBe(false);

  await endRun(owner);
  expect(await pruneRunMails(db)).toBe(0);
  await db.query("update :schema.run_mail set created_at = now() - interval '25 hours'");
  expect(await pruneRunMails(db)).toBe(1);
});
