// Who spent what, over real web processes on one database: caps that several of them take from at once, answers that
// are cut off by kills and by clients that leave, and pages, CSV and log that agree with what the provider reported.
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { loadModels } from '../../src/catalog/load-models.ts';
import { declaredAt, findModel } from '../../src/catalog/model-catalog.ts';
import { costOf } from '../../src/turns/estimate-cost.ts';
import type { Cap, LoggedRequest, MySpend, SpendPage } from '../../src/contract/spend.ts';
import type { Database } from '../../src/store/database.ts';
import { WRAPPING_KEY } from '../support/http/chat-gateway.ts';
import { openTestDatabase } from '../support/database.ts';
import { freePort } from '../support/free-port.ts';
import { type ModelUpstream, startModelUpstream } from '../support/models/model-upstream.ts';
import { organizationRecords } from '../support/organization-records.ts';
import { addOrganization, addPerson, addSession, join, type Person, type TestOrganization } from '../support/people.ts';
import { type RuntimeProcess, startRuntime } from '../support/runs/runtime-process.ts';

const MODEL = 'openai/gpt-5-mini';
const NEVER = new Promise<never>(() => {});
const QUESTION = { model: MODEL, messages: [{ role: 'user', content: 'Count.' }], max_completion_tokens: 100 };

interface Web {
  readonly url: string;
  readonly process: RuntimeProcess;
}
interface Member extends Person {
  readonly session: string;
}
interface TokenMade {
  readonly id: string;
  readonly token: string;
}

let db: Database;
let upstream: ModelUpstream;
let webs: [Web, Web, Web];
let owner: Member;
let member: Member;
let org: TestOrganization;

async function startWeb(): Promise<Web> {
  const port = await freePort();
  const web = startRuntime(
    {
      SERVICE_UPSTREAM_DB: inject('postgresUrl'),
      SERVICE_DB_SCHEMA: db.schema,
      SERVICE_WEB_PORT: String(port),
      AUTH_SECRET: 'the-auth-secret-of-the-flow-test',
      OPENAI_API_URL: upstream.url,
      OPENAI_API_KEY: 'sk-platform-openai',
      SERVICE_CHAT_REQUESTS_PER_MINUTE: '10000',
      BYOK_ENCRYPTION_KEY_B64: WRAPPING_KEY.toString('base64'),
    },
    'web',
  );
  await web.said('web server is listening');
  return { url: `http://127.0.0.1:${port}`, process: web };
}

beforeAll(async () => {
  db = await openTestDatabase({ poolMax: 2 });
  upstream = await startModelUpstream();
  webs = [await startWeb(), await startWeb(), await startWeb()];
});
afterAll(async () => {
  for (const { process } of webs) await process.stop('SIGTERM');
  await upstream.stop();
  await db.close();
});
beforeEach(async () => {
  upstream.reset();
  const newMember = async (name: string): Promise<Member> => {
    const person = await addPerson(db, name);
    return { ...person, session: await addSession(db, person) };
  };
  [owner, member] = [await newMember('Olive'), await newMember('Max')];
  org = await addOrganization(db, owner);
  await join(db, org.id, member, 'member');
});

async function call<T>(
  who: Member,
  method: string,
  path: string,
  body?: unknown,
): Promise<{ status: number; body: T }> {
  const response = await fetch(webs[0].url + path, {
    method,
    headers: { authorization: `Bearer ${who.session}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as T };
}

async function newToken(who: Member, more: Record<string, unknown> = {}): Promise<TokenMade> {
  const { status, body } = await call<TokenMade>(who, 'POST', '/api/tokens', {
    name: 'machine',
    organization: org.id,
    scopes: ['chat'],
    ...more,
  });
  expect(status).toBe(201);
  return body;
}

const ask = (web: Web, token: string, body: object = QUESTION, init: RequestInit = {}): Promise<Response> =>
  fetch(`${web.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    ...init,
  });

const spendBy = async (who: Member, by: string, query = ''): Promise<SpendPage> =>
  (await call<SpendPage>(who, 'GET', `/api/organizations/${org.id}/spend?by=${by}${query}`)).body;
const requestsOf = async (who: Member, query = ''): Promise<LoggedRequest[]> =>
  (await call<{ requests: LoggedRequest[] }>(who, 'GET', `/api/organizations/${org.id}/requests?limit=200${query}`))
    .body.requests;
const putCap = (subject: Cap['subject'], monthlyUsd: number): Promise<{ status: number; body: Cap }> =>
  call<Cap>(owner, 'PUT', `/api/organizations/${org.id}/caps`, { subject, monthlyUsd });

function priceOf(inputTokens: number, outputTokens: number): number {
  const model = findModel(loadModels(undefined), MODEL);
  const price = model && declaredAt(model, 'openai')?.price;
  if (!price) throw new Error('the model has no price');
  return costOf(price, { inputTokens, outputTokens, cacheReadTokens: 0, cacheWriteTokens: 0 });
}

/** What one request reserves, read from the hold of one that is under way. */
async function holdOfOne(token: string): Promise<number> {
  const gone = new AbortController();
  upstream.respond({ until: NEVER });
  const left = ask(webs[0], token, QUESTION, { signal: gone.signal }).catch(() => {});
  const held = async (): Promise<number> => {
    const { rows } = await db.query<{ micros: number }>(
      'select coalesce(sum(seat_micros + credit_micros), 0)::bigint as micros from :schema.chat_hold where organization_id = $1',
      [org.id],
    );
    return rows[0]?.micros ?? 0;
  };
  await expect.poll(held).toBeGreaterThan(0);
  const micros = await held();
  gone.abort();
  await left;
  await expect.poll(held, { timeout: 20_000 }).toBe(0);
  return micros;
}

describe('a cap', () => {
  for (const kind of ['member', 'workspace', 'token'] as const)
    it(`with room for 4 requests lets exactly 4 of 24 through, over three processes: ${kind}`, async () => {
      const token = await newToken(member);
      const hold = await holdOfOne(token.token);
      const spent = Math.round((await spendBy(owner, 'member')).total * 1e6);
      const subject = { kind, id: { member: member.id, workspace: org.defaultId, token: token.id }[kind] };
      const { status, body: cap } = await putCap(subject, (spent + 4 * hold) / 1e6);
      expect([status, cap.spent, cap.reserved]).toEqual([200, spent / 1e6, 0]);

      let goOn = (): void => {};
      upstream.respondByDefault({ until: new Promise<void>((resolve) => (goOn = resolve)) });
      const before = upstream.requests.length;
      let refused = 0;
      const answers = Array.from({ length: 24 }, async (_, i) => {
        const response = await ask(webs[i % 3] ?? webs[0], token.token);
        if (response.status === 429) refused += 1;
        return { status: response.status, body: (await response.json()) as { error?: { code: string } } };
      });
      await expect.poll(() => refused, { timeout: 20_000 }).toBe(20);
      goOn();
      const statuses = (await Promise.all(answers)).map(({ status: one }) => one).sort();
      expect(statuses).toEqual([...Array<number>(4).fill(200), ...Array<number>(20).fill(429)]);
      expect(upstream.requests.length - before).toBe(4);
      const refusal = (await Promise.all(answers)).find(({ status: one }) => one === 429);
      expect(refusal?.body.error?.code).toBe('cap_reached');
    });

  it('is refused with whom it applies to, how much it is and when it resets; raising it helps at once', async () => {
    const { token } = await newToken(member);
    await putCap({ kind: 'member', id: member.id }, 0);
    const chat = (): Promise<{ status: number; body: unknown }> =>
      call(member, 'POST', '/api/chat', { organization: org.id, model: MODEL, message: { text: 'Hello' } });
    const now = new Date();
    const resetsAt = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1)).toISOString();
    expect(await chat()).toMatchObject({
      status: 429,
      body: {
        error: 'cap_reached',
        details: { subject: { kind: 'member', id: member.id }, limit: 0, resetsAt },
      },
    });
    const secondsLeft = (Date.parse(resetsAt) - now.getTime()) / 1000;
    const details = { subject: { kind: 'member', id: member.id }, limit: 0, resetsAt };
    for (const [path, body, shape] of [
      ['/v1/chat/completions', QUESTION, { code: 'cap_reached', details }],
      [
        '/v1/messages',
        { ...QUESTION, max_completion_tokens: undefined, max_tokens: 100 },
        { type: 'cap_reached', details },
      ],
    ] as const) {
      const refused = await fetch(`${webs[0].url}${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      expect([refused.status, await refused.json()]).toMatchObject([429, { error: shape }]);
      const wait = Number(refused.headers.get('retry-after'));
      expect(wait).toBeGreaterThan(0);
      expect(wait).toBeLessThanOrEqual(Math.ceil(secondsLeft));
      expect(refused.headers.get('x-should-retry')).toBe('false');
    }
    const logged = (await requestsOf(member)).filter(({ surface }) => surface === 'chat');
    expect(logged).toMatchObject([
      { status: 429, surface: 'chat', cost: 0, member: member.id, workspace: org.defaultId },
    ]);
    await putCap({ kind: 'member', id: member.id }, 5);
    const answered = await ask(webs[0], token);
    expect(answered.status).toBe(200);
    await answered.text();
    expect(Number(answered.headers.get('x-service-cap-remaining'))).toBeGreaterThan(4.9);
    const mine = (await call<MySpend>(member, 'GET', `/api/me/spend?organization=${org.id}`)).body;
    expect(mine).toMatchObject({
      cost: priceOf(10, 5) / 1e6,
      caps: [{ subject: { kind: 'member', id: member.id }, limit: 5, remaining: 5 - priceOf(10, 5) / 1e6, resetsAt }],
    });
  });

  it('is set by owners and admins only, one per subject, and only for whom there is', async () => {
    const subject = { kind: 'member' as const, id: member.id };
    expect(await call(member, 'PUT', `/api/organizations/${org.id}/caps`, { subject, monthlyUsd: 1 })).toMatchObject({
      status: 403,
      body: { error: 'Only organization owners or admins can manage plan.' },
    });
    const first = await putCap(subject, 1);
    const second = await putCap(subject, 2.5);
    expect(second.body).toMatchObject({ id: first.body.id, subject, monthlyUsd: 2.5, name: 'Max' });
    const one = `/api/organizations/${org.id}/caps/${first.body.id}`;
    expect((await call<Cap>(owner, 'PUT', one, { monthlyUsd: 3 })).body).toMatchObject({ monthlyUsd: 3 });
    expect((await call<Cap>(owner, 'GET', one)).body).toMatchObject({ monthlyUsd: 3, subject });
    expect((await call<{ caps: Cap[] }>(owner, 'GET', `/api/organizations/${org.id}/caps`)).body.caps).toHaveLength(1);
    expect((await putCap({ kind: 'member', id: 'usr_nobody' }, 1)).status).toBe(404);
    expect((await call(owner, 'DELETE', one)).status).toBe(200);
    expect((await call(owner, 'GET', one)).status).toBe(404);
  });
});

describe('what is recorded', () => {
  it('agrees with what the provider reported, to the micro-dollar, no matter who asked, left or was killed', async () => {
    const [ofOwner, ofMember] = [await newToken(owner, { name: 'build' }), await newToken(member)];
    const victim = await startWeb();
    let reported = 0;
    const turns = Array.from({ length: 18 }, (_, i) => ({ input: 100 + i * 7, output: 20 + i * 3 }));
    for (const [i, { input, output }] of turns.entries()) {
      upstream.respond({ usage: { inputTokens: input, outputTokens: output } });
      const response = await ask(webs[i % 3] ?? webs[0], i % 2 === 0 ? ofOwner.token : ofMember.token);
      const { usage } = (await response.json()) as { usage: { prompt_tokens: number; completion_tokens: number } };
      reported += priceOf(usage.prompt_tokens, usage.completion_tokens);
    }
    // A client that leaves, and a process that is killed.
    upstream.respondByDefault({ text: ['a ', 'b ', 'c '], until: NEVER });
    const gone = new AbortController();
    const left = ask(webs[0], ofMember.token, { ...QUESTION, stream: true }, { signal: gone.signal });
    await (await left).body?.getReader().read();
    gone.abort();
    const before = upstream.requests.length;
    const killed = ask(victim, ofMember.token).catch(() => {});
    await upstream.request(before);
    await victim.process.stop('SIGKILL');
    await killed;
    // The other processes settle what it had open.
    await expect.poll(async () => (await requestsOf(owner)).length, { timeout: 75_000 }).toBe(20);

    const log = await requestsOf(owner);
    const micros = (rows: readonly { cost: number | null }[]): number =>
      rows.reduce((sum, { cost }) => sum + Math.round((cost ?? Number.NaN) * 1e6), 0);
    expect(micros(log.filter(({ status }) => status === 200))).toBe(reported);
    expect(log.map(({ status }) => status).sort()).toEqual([...Array<number>(18).fill(200), 499, 500]);
    const total = micros(log);
    expect(total).toBeGreaterThan(reported);
    for (const by of ['member', 'workspace', 'token', 'model', 'credential']) {
      const page = await spendBy(owner, by);
      expect([by, Math.round(page.total * 1e6), micros(page.rows), page.totals.requests]).toEqual([
        by,
        total,
        total,
        20,
      ]);
      const csv = await fetch(`${webs[1].url}/api/organizations/${org.id}/spend?by=${by}`, {
        headers: { authorization: `Bearer ${owner.session}`, accept: 'text/csv' },
      });
      expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8');
      const [heads, ...lines] = (await csv.text()).trim().split('\r\n');
      expect(heads).toBe('key,name,requests,inputTokens,outputTokens,cost,unpriced,served');
      // A column adds up to the total, because there is no line of totals in it.
      expect(lines).toHaveLength(page.rows.length);
      expect(lines.reduce((sum, line) => sum + Math.round(Number(line.split(',')[5]) * 1e6), 0)).toBe(total);
    }
    expect((await spendBy(owner, 'member')).rows.map(({ name }) => name).sort()).toEqual(['Max', 'Olive']);
    expect((await spendBy(owner, 'token')).rows.map(({ name }) => name).sort()).toEqual(['build', 'machine']);
    const { rows } = await db.query<{ charged: number; spent: number }>(
      `select (select sum(cost_micros)::bigint from :schema.usage_day where organization_id = $1) as charged,
              (select credit_spent + seat_spent from :schema.org_budget where organization_id = $1) as spent`,
      [org.id],
    );
    expect(rows).toEqual([{ charged: total, spent: total }]);
  });

  it('has a request on an own key whose process was killed, as a failed one, and counts it once', async () => {
    const { token } = await newToken(member);
    await organizationRecords(db, org.id, WRAPPING_KEY).saveKey('openai', org.defaultId, 'sk-own');
    await putCap({ kind: 'member', id: member.id }, 5);
    const victim = await startWeb();
    upstream.respondByDefault({ text: ['a ', 'b ', 'c '], until: NEVER });
    const killed = ask(victim, token, { ...QUESTION, stream: true }).catch(() => {});
    await upstream.request(0);
    await victim.process.stop('SIGKILL');
    await killed;
    // While it is unknown how it ends, it is not listed.
    expect(await requestsOf(owner)).toEqual([]);
    await expect.poll(async () => (await requestsOf(owner)).length, { timeout: 75_000 }).toBe(1);
    const [logged] = await requestsOf(owner);
    expect(logged).toMatchObject({ status: 500, credential: 'own-key', model: MODEL, member: member.id });
    expect(logged?.cost).toBeGreaterThan(0);
    expect(await spendBy(owner, 'credential')).toMatchObject({
      total: logged?.cost,
      rows: [{ key: 'own-key', requests: 1 }],
    });
    const mine = (await call<MySpend>(member, 'GET', `/api/me/spend?organization=${org.id}`)).body;
    expect(mine.caps).toMatchObject([{ limit: 5, remaining: 5 - (logged?.cost ?? 0) }]);
  });

  it('shows a member only their own, and finds a request by the id in its answer', async () => {
    const [ofOwner, ofMember] = [await newToken(owner), await newToken(member)];
    await (await ask(webs[0], ofOwner.token)).text();
    const answered = await ask(webs[0], ofMember.token);
    await answered.text();
    expect((await spendBy(member, 'member')).rows).toMatchObject([{ key: member.id, requests: 1 }]);
    expect((await spendBy(owner, 'member')).rows).toHaveLength(2);
    expect(await requestsOf(member)).toHaveLength(1);
    const id = answered.headers.get('x-request-id') ?? '';
    expect(await requestsOf(owner, `&id=${id}`)).toMatchObject([
      {
        id,
        member: member.id,
        workspace: org.defaultId,
        token: ofMember.id,
        surface: '/v1',
        model: MODEL,
        provider: 'openai',
        credential: 'platform',
        status: 200,
        inputTokens: 10,
        outputTokens: 5,
        cost: priceOf(10, 5) / 1e6,
      },
    ]);
  });

  it('keeps the names of what was removed', async () => {
    const { body } = await call<{ workspace: { id: string } }>(
      owner,
      'POST',
      `/api/organizations/${org.id}/workspaces`,
      {
        name: 'Lab',
      },
    );
    const { token } = await newToken(owner, { workspace: body.workspace.id, name: 'lab-key' });
    await (await ask(webs[0], token)).text();
    await expect.poll(async () => (await spendBy(owner, 'token')).rows.length).toBe(1);
    expect((await call(owner, 'DELETE', `/api/workspaces/${body.workspace.id}`)).status).toBe(200);
    await call(owner, 'DELETE', `/api/organizations/${org.id}/members/${member.id}`);
    expect((await spendBy(owner, 'workspace')).rows).toMatchObject([{ name: 'Lab' }]);
    expect((await spendBy(owner, 'token')).rows).toMatchObject([{ name: 'lab-key' }]);
  });
});

describe('a token that is handed out', () => {
  it('is for the models and the amount that it was made with', async () => {
    const made = await newToken(member, { models: ['openai/gpt-5-*'], monthlyUsd: 1 });
    expect((await ask(webs[0], made.token)).status).toBe(200);
    const denied = await ask(webs[0], made.token, { ...QUESTION, model: 'openai/gpt-4o-mini' });
    expect([denied.status, await denied.json()]).toMatchObject([403, { error: { code: 'token_model_denied' } }]);
    const listed = await fetch(`${webs[0].url}/v1/models`, { headers: { authorization: `Bearer ${made.token}` } });
    const ids = ((await listed.json()) as { data: { id: string }[] }).data.map(({ id }) => id);
    expect(ids.length > 0 && ids.every((id) => id.startsWith('openai/gpt-5-'))).toBe(true);
    const { body } = await call<{ tokens: object[] }>(member, 'GET', `/api/tokens?organization=${org.id}`);
    expect(body.tokens).toMatchObject([
      { id: made.id, models: ['openai/gpt-5-*'], monthlyUsd: 1, lastUsedAt: expect.any(String) },
    ]);
    expect(
      await call(member, 'POST', '/api/tokens', { organization: org.id, scopes: ['chat'], monthlyUsd: 1 }),
    ).toMatchObject({
      status: 400,
    });
  });

  it('is rotated without a gap: both work, count for one token under one cap, then the old one ends', async () => {
    const old = await newToken(member, { monthlyUsd: 1 });
    const { status, body: fresh } = await call<TokenMade>(member, 'POST', `/api/tokens/${old.id}/rotate`, {
      overlap: '1h',
    });
    expect(status).toBe(201);
    expect((await ask(webs[0], old.token)).status).toBe(200);
    expect((await ask(webs[1], fresh.token)).status).toBe(200);
    await expect.poll(async () => (await spendBy(member, 'token')).rows).toMatchObject([{ key: old.id, requests: 2 }]);
    await putCap({ kind: 'token', id: fresh.id }, 0);
    expect((await ask(webs[1], fresh.token)).status).toBe(429);
    await putCap({ kind: 'token', id: old.id }, 1);
    await db.query("update :schema.connect_token set revoked_at = now() - interval '1 second' where id = $1", [old.id]);
    expect((await ask(webs[0], old.token)).status).toBe(401);
    expect((await ask(webs[0], fresh.token)).status).toBe(200);
    expect((await call(member, 'POST', `/api/tokens/${old.id}/rotate`, {})).status).toBe(409);
    expect((await call(owner, 'POST', `/api/tokens/${fresh.id}/rotate`, {})).status).toBe(404);
  });
});
