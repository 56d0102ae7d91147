// What strangers can make the service do with passwords: hashing holds no connection of the pool, few hashes run at
// once, and guesses stop. The hashing is a stand-in that the test can hold, so that nothing here depends on time.
import { availableParallelism } from 'node:os';
import { afterEach, expect, it } from 'vitest';
import type { Hashing } from '../../src/identity/passwords/passwords.ts';
import type { Database } from '../../src/store/database.ts';
import { openTestDatabase, withSuperuser } from '../support/database.ts';
import { cookieOf, type IdentityServer, post, startIdentityServer } from '../support/http/identity-server.ts';
import { quickHashing } from '../support/quick-hashing.ts';

const PASSWORD = 'correct horse battery';
const APPLICATION = 'password-hashing-test';
const closing: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

async function start(hashing: Hashing, poolMax = 2): Promise<{ db: Database; server: IdentityServer }> {
  const db = await openTestDatabase({ poolMax, applicationName: APPLICATION });
  closing.push(() => db.close());
  const server = await startIdentityServer(db, { hashing });
  closing.push(() => server.close());
  return { db, server };
}

const openTransactions = (): Promise<number> =>
  withSuperuser(
    async (client) =>
      (
        await client.query(
          "select 1 from pg_stat_activity where application_name = $1 and state like 'idle in transaction%'",
          [APPLICATION],
        )
      ).rows.length,
  );
const from = (address: string): Record<string, string> => ({ 'x-forwarded-for': address });
const signUpBody = (email: string) => ({ name: 'A Person', email, password: PASSWORD });

it('holds no transaction while a password is hashed or checked, wherever one is', async () => {
  const seen: { what: string; transactions: number }[] = [];
  const looking = (what: keyof Hashing) => async (given: never) => {
    seen.push({ what, transactions: await openTransactions() });
    return quickHashing[what](given) as never;
  };
  // One connection: a query that waited for another's transaction would wait for good.
  const { server } = await start({ hash: looking('hash'), verify: looking('verify') }, 1);
  const auth = (path: string): string => `${server.url}/api/auth${path}`;
  const signedUp = await post(auth('/sign-up/email'), signUpBody('ada@example.test'));
  const steps = [
    signedUp,
    await post(auth('/sign-up/email'), signUpBody('ada@example.test')),
    await post(auth('/sign-in/email'), { email: 'ada@example.test', password: PASSWORD }),
    await post(auth('/sign-in/email'), { email: 'nobody@example.test', password: PASSWORD }),
    await post(
      auth('/change-password'),
      { currentPassword: PASSWORD, newPassword: 'another horse battery' },
      { cookie: cookieOf(signedUp) },
    ),
  ];
  expect(steps.map(({ status }) => status)).toEqual([200, 409, 200, 401, 200]);
  expect(seen).toEqual(['hash', 'hash', 'verify', 'hash', 'verify', 'hash'].map((what) => ({ what, transactions: 0 })));
});

it('answers everybody else while strangers sign up, and none of the strangers with a fault', async () => {
  const held = Promise.withResolvers<void>();
  let [running, most] = [0, 0];
  let holding = false;
  const { server, db } = await start({
    ...quickHashing,
    async hash(password) {
      most = Math.max(most, ++running);
      if (holding) await held.promise;
      running--;
      return quickHashing.hash(password);
    },
  });
  const person = cookieOf(await post(`${server.url}/api/auth/sign-up/email`, signUpBody('ada@example.test')));
  holding = true;
  const full = Promise.withResolvers<void>();
  const strangers = Array.from({ length: 120 }, async (_, i) => {
    const answer = await post(
      `${server.url}/api/auth/sign-up/email`,
      signUpBody(`stranger${i}@example.test`),
      from(`198.51.100.${i % 12}`),
    );
    if (answer.status === 429) full.resolve();
    return answer;
  });
  await full.promise;
  expect((await fetch(`${server.url}/api/me`, { headers: { cookie: person } })).status).toBe(200);
  expect((await db.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  expect(await openTransactions()).toBe(0);
  held.resolve();
  const answers = await Promise.all(strangers);
  expect([...new Set(answers.map(({ status }) => status))].sort()).toEqual([200, 429]);
  for (const refused of answers.filter(({ status }) => status === 429))
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(most).toBeLessThanOrEqual(Math.max(1, availableParallelism() / 2));
});

it('lets one network sign up, and in, a bounded number of times per minute, however many addresses it has', async () => {
  const { server } = await start(quickHashing);
  const countUntilRefused = async (ask: (i: number) => Promise<Response>): Promise<number> => {
    for (let i = 0; i < 600; i++) {
      const { status } = await ask(i);
      if (status === 429) return i;
      expect(status).toBeLessThan(500);
    }
    return Infinity;
  };
  expect(
    await countUntilRefused((i) =>
      post(
        `${server.url}/api/auth/sign-up/email`,
        signUpBody(`a${i}@example.test`),
        from(`2a00:1450:4001:82a::${i.toString(16)}`),
      ),
    ),
  ).toBe(60);
  expect(
    await countUntilRefused((i) =>
      post(
        `${server.url}/api/auth/sign-up/email`,
        signUpBody(`b${i}@example.test`),
        from(i % 2 ? '::ffff:203.0.113.7' : '203.0.113.7'),
      ),
    ),
  ).toBe(60);
  expect(
    await countUntilRefused(() =>
      post(
        `${server.url}/api/auth/sign-in/email`,
        { email: 'a0@example.test', password: PASSWORD },
        from('203.0.113.8'),
      ),
    ),
  ).toBe(120);
});

it('stops forty addresses that guess at one account, but not its person in a browser that they know', async () => {
  let checks = 0;
  const { server } = await start({ ...quickHashing, verify: (pair) => (checks++, quickHashing.verify(pair)) });
  const signIn = (password: string, headers: Record<string, string>): Promise<Response> =>
    post(`${server.url}/api/auth/sign-in/email`, { email: 'ada@example.test', password }, headers);
  const known = cookieOf(await post(`${server.url}/api/auth/sign-up/email`, signUpBody('ada@example.test')));
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, i) => signIn(`a wrong guess ${i}`, from(`203.0.113.${i}`))),
  );
  const statuses = answers.map(({ status }) => status);
  expect([
    statuses.filter((status) => status === 401).length,
    statuses.filter((status) => status === 429).length,
    checks,
  ]).toEqual([10, 30, 10]);
  expect(Number(answers.find(({ status }) => status === 429)?.headers.get('retry-after'))).toBeGreaterThan(0);
  // The right password of a stranger waits like any other guess; a browser that has been in before does not.
  expect((await signIn(PASSWORD, from('203.0.113.250'))).status).toBe(429);
  expect((await signIn(PASSWORD, { ...from('203.0.113.251'), cookie: known })).status).toBe(200);
});
