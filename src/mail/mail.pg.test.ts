import { randomBytes } from 'node:crypto';
import { createServer } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest';
import { openTestDatabase, quiet } from '../../test/support/database.ts';
import { freePort } from '../../test/support/free-port.ts';
import { type MailServer, startMailServer } from '../../test/support/mail/mail-server.ts';
import { outcome } from '../../test/support/people.ts';
import type { Database } from '../store/database.ts';
import { createMailer } from './create-mailer.ts';
import { deliverMail, type Delivered } from './deliver-mail.ts';
import { isMailDue, readMailFigures } from './mail-queue.ts';
import { MAIL_LIMITS } from './mail-limits.ts';
import { openSmtpSender } from './smtp-sender.ts';

const key = randomBytes(32);
const LINK = 'https://service.example/reset-password#the-secret-of-the-link';
const HOUR = 3_600_000;
let db: Database;
let server: MailServer;
let now: Date;
const clock = (): Date => now;
const mailer = createMailer({ key, actor: 'system:test', clock });

beforeAll(async () => {
  db = await openTestDatabase({ poolMax: 4 });
  server = await startMailServer();
});
afterAll(async () => {
  await server?.close();
  await db?.close();
});
beforeEach(async () => {
  now = new Date();
  await db.query('delete from :schema.mail');
});

const queue = (to: string, change: () => Promise<void> = async () => {}): Promise<void> =>
  db.transaction(async (tx) => {
    await mailer.queue(tx, { kind: 'reset-password', to, values: { link: LINK } });
    await change();
  });
const rows = async (): Promise<Record<string, unknown>[]> =>
  (
    await db.query(
      'select recipient, tries, next_at, sent_at, failure, ciphertext from :schema.mail order by recipient',
    )
  ).rows;

function deliver(port = server.port, sendMs?: number): Promise<Delivered> {
  const openSender = async () =>
    openSmtpSender(`smtp://127.0.0.1:${port}`, { name: 'Service', address: 'service@example.test' }, sendMs);
  const deps = { db, log: quiet, clock, key, publicUrl: 'https://service.example', openSender, onOutcome: () => {} };
  return deliverMail(deps, new AbortController().signal);
}

it('is queued with the change or not at all, says its secret to no table, and starts its own delivery', async () => {
  await expect(queue('ada@example.test', () => Promise.reject(new Error('the change failed')))).rejects.toThrow(
    'the change failed',
  );
  expect(await rows()).toEqual([]);
  await queue('ada@example.test');
  const { rows: stored } = await db.query('select m::text as row from :schema.mail m');
  expect(JSON.stringify(stored)).not.toContain('the-secret-of-the-link');
  const { rows: runs } = await db.query("select task from :schema.job where idempotency_key like 'mail/%'");
  expect(runs).toEqual([{ task: 'mail' }]);

  expect(await deliver()).toEqual({ sent: 1, retried: 0, 'given-up': 0 });
  const mail = await server.receive('ada@example.test');
  expect(mail.text).toContain(LINK);
  expect(mail.html).toContain(`href="${LINK}"`);
  expect(await rows()).toMatchObject([{ tries: 1, next_at: null, sent_at: now, ciphertext: null }]);
});

it('is delivered once by two workers, and again by another when one is lost', async () => {
  for (let at = 0; at < 20; at++) await queue(`twice${at}@example.test`);
  const both = await Promise.all([deliver(), deliver()]);
  expect(both.reduce((sum, { sent }) => sum + sent, 0)).toBe(20);
  expect(server.received.filter(({ envelopeTo }) => envelopeTo[0]?.startsWith('twice'))).toHaveLength(20);

  await queue('lost@example.test');
  await db.query("update :schema.mail set next_at = $1, tries = 1 where recipient = 'lost@example.test'", [
    new Date(now.getTime() + 300_000),
  ]);
  expect(await deliver()).toMatchObject({ sent: 0 });
  now = new Date(now.getTime() + 300_001);
  expect(await deliver()).toMatchObject({ sent: 1 });
});

it('is tried again after what may pass, and given up at once after what will not', async () => {
  await queue('greylisted@example.test');
  await queue('refused@example.test');
  expect(await deliver()).toEqual({ sent: 0, retried: 1, 'given-up': 1 });
  expect(await rows()).toMatchObject([
    { recipient: 'greylisted@example.test', tries: 1, failure: 'the mail server put it off (451)' },
    { recipient: 'refused@example.test', next_at: null, ciphertext: null, failure: 'the mail server refused it (550)' },
  ]);
  expect(await deliver()).toMatchObject({ sent: 0 });
  now = new Date(now.getTime() + 2 * 60_000);
  expect(await deliver()).toMatchObject({ sent: 1 });
});

it('waits longer and longer for a server that is away or silent, and gives up after a day', async () => {
  const silent = createServer();
  onTestFinished(() => void silent.close());
  const port = await freePort();
  await new Promise<void>((resolve) => silent.listen(port, '127.0.0.1', resolve));
  await queue('patient@example.test');
  expect(await deliver(port, 50)).toMatchObject({ retried: 1 });
  const away = await freePort();
  const start = now.getTime();
  const pauses: number[] = [];
  for (let last = now; ; last = now) {
    const [{ next_at: next }] = (await rows()) as [{ next_at: Date | null }];
    if (next === null) break;
    pauses.push(next.getTime() - last.getTime());
    now = next;
    await deliver(away);
  }
  expect(pauses[0]).toBeLessThan(80_000);
  expect(Math.max(...pauses)).toBeLessThan(1.3 * HOUR);
  expect(now.getTime() - start).toBeGreaterThan(22 * HOUR);
  expect(now.getTime() - start).toBeLessThanOrEqual(24 * HOUR);
  expect(await rows()).toMatchObject([{ ciphertext: null, failure: 'the mail server did not answer' }]);
});

it('is forgotten after a week, also when nothing new is sent', async () => {
  await queue('ada@example.test');
  await deliver();
  expect(await isMailDue(db, now)).toBe(false);
  now = new Date(now.getTime() + 8 * 24 * HOUR);
  expect(await isMailDue(db, now)).toBe(true);
  await deliver();
  expect(await rows()).toEqual([]);
});

it('is limited to one address and from one person, over all processes, without holding other addresses back', async () => {
  const { perHour = 0, perDay = 0 } = MAIL_LIMITS['reset-password'] ?? {};
  const outcomes = await Promise.all(Array.from({ length: perHour + 2 }, () => outcome(queue('flooded@example.test'))));
  expect(outcomes.filter((each) => each === 'ok')).toHaveLength(perHour);
  expect(outcomes.filter((each) => each === 'rate_limited')).toHaveLength(2);
  expect(await outcome(queue('other@example.test'))).toBe('ok');
  for (let sent = perHour; sent < perDay;) {
    now = new Date(now.getTime() + 1.01 * HOUR);
    for (let at = 0; at < perHour && sent < perDay; at++, sent++) await queue('flooded@example.test');
  }
  now = new Date(now.getTime() + 1.01 * HOUR);
  expect(await outcome(queue('flooded@example.test'))).toBe('rate_limited');
  expect((await readMailFigures(db, now)).waiting).toBe(perDay + 1);
});

it.each([
  'ada@example.test\nbcc: eve@example.test',
  'ada@example.test,eve@example.test',
  'Ada <ada@example.test>',
  'ada',
])('goes to no such address: %j', async (to) => {
  expect(await outcome(queue(to))).toBe('invalid_request');
  expect(await rows()).toEqual([]);
});
