import { randomBytes } from 'node:crypto';
import { expect, it, onTestFinished } from 'vitest';
import { openTestDatabase } from '../../test/support/database.ts';
import { seal, unseal } from '../base/seal.ts';
import { sealingContext } from './create-mailer.ts';
import { rewrapMail } from './rewrap-mail.ts';

it('mail that waits moves to the new key, and what has moved or was sent is left alone', async () => {
  const db = await openTestDatabase();
  onTestFinished(() => db.close());
  const [from, to, other] = [randomBytes(32), randomBytes(32), randomBytes(32)];
  const insert = async (id: string, key: Buffer): Promise<void> => {
    const { ciphertext, iv, authTag } = seal(key, 'a link', sealingContext(id, 'jo@acme.example'));
    await db.query(
      `insert into :schema.mail (id, recipient, kind, language, ciphertext, iv, auth_tag, created_at, next_at)
       values ($1, 'jo@acme.example', 'invitation', 'en', $2, $3, $4, now(), now())`,
      [id, ciphertext, iv, authTag],
    );
  };
  await Promise.all([insert('mail_1', from), insert('mail_2', from), insert('mail_3', other)]);
  await db.query(
    `insert into :schema.mail (id, recipient, kind, language, created_at, sent_at) values ('mail_4', 'jo@acme.example', 'invitation', 'en', now(), now())`,
  );
  expect(await rewrapMail(db, { from, to })).toEqual({ moved: 2, kept: 0, lost: 1 });
  expect(await rewrapMail(db, { from, to })).toEqual({ moved: 0, kept: 2, lost: 1 });
  const { rows } = await db.query<{ ciphertext: Buffer; iv: Buffer; auth_tag: Buffer }>(
    "select ciphertext, iv, auth_tag from :schema.mail where id = 'mail_1'",
  );
  const opened = rows.map(({ ciphertext, iv, auth_tag: authTag }) =>
    unseal(to, { ciphertext, iv, authTag }, sealingContext('mail_1', 'jo@acme.example')),
  );
  expect(opened).toEqual(['a link']);
});
