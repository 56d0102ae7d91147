// The cost of one authorization, compared with one bare round trip to the same server. Variants take turns in short
// rounds, so that other load on the machine affects all of them alike.
import { createSecretKey } from 'node:crypto';
import { systemClock } from '../src/base/clock.ts';
import { authenticateToken } from '../src/http/shell/authenticate-token.ts';
import { findSession } from '../src/identity/sessions/find-session.ts';
import { digestSecret } from '../src/identity/secret-digests.ts';
import { sessionCookieName, signSessionToken } from '../src/identity/sessions/session-cookie.ts';
import type { Database } from '../src/store/database.ts';
import { createOrganization } from '../src/tenancy/organizations/create-organization.ts';
import { findMembership } from '../src/tenancy/members/find-membership.ts';
import { mintToken } from '../src/tenancy/tokens/mint-token.ts';
import { createTokenVerifier } from '../src/tenancy/tokens/verify-token.ts';
import { median } from './support/median.ts';
import { startPostgres } from './support/postgres.ts';

const ROUNDS = 7;
const CALLS_PER_ROUND = 2_000;
const ORGANIZATIONS = 5_000;
const SETTINGS = { authSecret: 'a-secret-for-the-bench-0123456789', publicUrl: 'http://localhost:4000' };
const SESSION_TOKEN = 'benchsessiontoken0123456789abcdef';

export async function bench(report: (line: string) => void): Promise<void> {
  const postgres = await startPostgres();
  try {
    const db = await postgres.openMigrated();
    await compare(db, report);
    await db.close();
  } finally {
    await postgres.stop();
  }
}

async function compare(db: Database, report: (line: string) => void): Promise<void> {
  const userId = 'usr_bench';
  await db.query("insert into :schema.identity_user (id, name, email) values ($1, 'Bench', 'bench@example.test')", [
    userId,
  ]);
  await db.query(
    "insert into :schema.identity_session (id, user_id, token, expires_at) values ('ses_bench', $1, $2, now() + interval '1 day')",
    [userId, digestSecret(SESSION_TOKEN)],
  );
  const { id: organizationId } = (await createOrganization(db, userId, { name: 'Mine' })).organization;
  await crowd(db);

  const key = createSecretKey(Buffer.from('a-connect-secret-for-the-bench'));
  const { token } = await mintToken(
    { db, key, clock: systemClock },
    { userId, organizationId, scopes: ['chat'], lifetimeSeconds: 3_600 },
  );
  const verifier = createTokenVerifier(key, systemClock);
  const cookie = new Headers({
    cookie: `${sessionCookieName(SETTINGS)}=${encodeURIComponent(signSessionToken(SESSION_TOKEN, SETTINGS.authSecret))}`,
  });

  const variants: { name: string; call: () => Promise<unknown> }[] = [
    { name: 'select 1', call: () => db.query('select 1') },
    { name: 'session check (cookie, one query)', call: () => findSession({ db, settings: SETTINGS }, cookie) },
    { name: 'membership query', call: () => findMembership(db, { userId, organizationId }) },
    {
      name: 'session check, then membership',
      call: async () => [
        await findSession({ db, settings: SETTINGS }, cookie),
        await findMembership(db, { userId, organizationId }),
      ],
    },
    { name: 'token signature, first time', call: () => createTokenVerifier(key, systemClock).verify(token) },
    { name: 'token signature, seen before', call: () => verifier.verify(token) },
    {
      name: 'connect token, whole: signature, revocation, membership',
      call: () => authenticateToken({ db, verifier }, { authorization: `Bearer ${token}` }),
    },
  ];
  const times = variants.map(() => [] as number[]);
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [i, { call }] of variants.entries()) {
      const startedAt = performance.now();
      for (let n = 0; n < CALLS_PER_ROUND; n++) await call();
      // The first round warms up.
      if (round > 0) times[i]?.push((performance.now() - startedAt) / CALLS_PER_ROUND);
    }
  }
  const base = median(times[0] ?? []);
  report('µs per call (ratio to a bare select 1)');
  for (const [i, { name }] of variants.entries()) {
    const time = median(times[i] ?? []);
    report(`  ${name.padEnd(56)} ${(time * 1000).toFixed(1).padStart(8)}  ${(time / base).toFixed(2)}×`);
  }
}

/** Neighbours, so that tables are of a size at which an index matters. */
async function crowd(db: Database): Promise<void> {
  const many = `generate_series(1, ${ORGANIZATIONS}) as i`;
  await db.query(
    `insert into :schema.identity_user (id, name, email) select 'usr_' || i, 'x', i || '@example.test' from ${many}`,
  );
  await db.query(
    `insert into :schema.identity_session (id, user_id, token, expires_at) select 'ses_' || i, 'usr_' || i, 'sha256:' || md5(i::text), now() + interval '1 day' from ${many}`,
  );
  await db.query(
    `insert into :schema.organization (id, slug, name, plan, signup_credit_micros) select 'org_' || i, 'org-' || i, 'x', 'team', 0 from ${many}`,
  );
  await db.query(
    `insert into :schema.organization_member (organization_id, user_id, role) select 'org_' || i, 'usr_' || (1 + (i * n) % ${ORGANIZATIONS}), 'member' from ${many}, generate_series(1, 3) as n on conflict do nothing`,
  );
  await db.query(
    `insert into :schema.workspace (id, organization_id, slug, name, kind) select 'ws_' || i || kind, 'org_' || i, kind, 'x', kind from ${many}, unnest(array['global', 'default']) as kind`,
  );
  await db.query(
    `insert into :schema.workspace (id, organization_id, slug, name, kind) select 'ws_' || i, 'org_' || i, 'lab', 'x', 'named' from ${many}`,
  );
  await db.query(
    "insert into :schema.workspace_member (organization_id, workspace_id, user_id, role) select m.organization_id, w.id, m.user_id, 'member' from :schema.organization_member m join :schema.workspace w on w.organization_id = m.organization_id and w.kind = 'named'",
  );
  await db.query('analyze');
}
