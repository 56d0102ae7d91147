import { createHmac, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestDatabase, quiet } from '../../../test/support/database.ts';
import {
  addOrganization,
  addPerson,
  join,
  outcome,
  type Person,
  type TestOrganization,
} from '../../../test/support/people.ts';
import { loadConnectors } from '../../catalog/load-connectors.ts';
import { loadModels } from '../../catalog/load-models.ts';
import type { Scope } from '../../contract/tokens.ts';
import { createPrepareTriggerFile } from '../../engines/prepare-trigger-file.ts';
import type { Database } from '../../store/database.ts';
import { findMembership } from '../../tenancy/members/find-membership.ts';
import type { Caller } from '../../tenancy/tokens/find-caller.ts';
import { getStanding } from '../standing/find-standing.ts';
import { findRun } from '../record/find-runs.ts';
import { insertRun } from '../record/insert-run.ts';
import {
  changeTrigger,
  createTrigger,
  type NewTrigger,
  removeTrigger,
  rotateSecret,
  type TriggerDeps,
} from './change-triggers.ts';
import { finishDeliveries } from './finish-deliveries.ts';
import { listDeliveries } from './list-deliveries.ts';
import { type Answered, type DeliverDeps, receiveDelivery } from './receive-delivery.ts';
import { replayDelivery, testDelivery } from './replay-delivery.ts';
import { rewrapTriggers } from './rewrap-triggers.ts';
import { TRIGGERS } from './trigger.ts';

let db: Database;
let owner: Person;
let organization: TestOrganization;
let caller: Caller;
let deps: TriggerDeps & DeliverDeps;
const sealingKey = randomBytes(32);

beforeAll(async () => {
  db = await openTestDatabase({ poolMax: 8 });
  owner = await addPerson(db, 'owner');
  organization = await addOrganization(db, owner);
  caller = await callerOf(owner);
  deps = {
    db,
    catalog: loadConnectors(),
    models: loadModels(undefined),
    engines: { chat: true, control: true, codex: true },
    announcer: { announce: () => {}, flush: () => Promise.resolve() },
    dispatcher: { dispatch: () => {} },
    sealingKey,
    mostTriggers: 1_000,
  };
});
afterAll(() => db?.close());

async function callerOf({ id: userId }: Person): Promise<Caller> {
  return {
    userId,
    organizationId: organization.id,
    workspaceId: undefined,
    scopes: new Set<Scope>(['jobs:read', 'jobs:write']),
    tokenId: undefined,
    expiresAtMs: Date.now() + 60_000,
    membership: await findMembership(db, { userId, organizationId: organization.id }),
  };
}

const make = async (wanted: Partial<NewTrigger> = {}) =>
  createTrigger(deps, caller, {
    name: 'Hook',
    run: { objective: 'Look at {{title}}' },
    source: 'generic',
    ...wanted,
  });

interface Sent {
  readonly secret?: string | undefined;
  readonly headers?: Record<string, string>;
  readonly at?: number;
}

function generic(id: string, body: string, { secret = '', headers = {}, at = Date.now() / 1_000 }: Sent = {}) {
  const time = String(Math.floor(at));
  const signature = createHmac('sha256', secret).update(`${time}.${body}`).digest('hex');
  return {
    id,
    body: Buffer.from(body),
    headers: new Headers({ 'x-service-timestamp': time, 'x-service-signature': `sha256=${signature}`, ...headers }),
    nowMs: Date.now(),
  };
}

const deliver = (id: string, body: string, sent: Sent): Promise<Answered> =>
  receiveDelivery(deps, generic(id, body, sent), () => {});
const jobOf = (answered: Answered): string => {
  if (!('job' in answered)) throw new Error(`no run: ${JSON.stringify(answered)}`);
  return answered.job.id;
};
const runsOf = async (id: string): Promise<number> =>
  (await db.query('select from :schema.job where started_by = $1', [id])).rowCount;
const shown = async (id: string) => (await listDeliveries(db, id, {})).deliveries;

describe('a delivery', () => {
  it('starts one run, with its values as data and its whole payload as a file', async () => {
    const { trigger, secret } = await make();
    const id = jobOf(await deliver(trigger.id, '{"title":"It breaks","big":12345678901234567890}', { secret }));
    const run = await findRun(db, id);
    expect(run).toMatchObject({ startedBy: trigger.id, createdBy: owner.id, workspaceId: organization.defaultId });
    expect(run?.objective).toMatch(/^Look at <(data-\w+) path="title">It breaks<\/\1>\n/);
    if (!run) throw new Error('the run is gone');
    const prepare = createPrepareTriggerFile({ db, sealingKey });
    const { files, given } = await prepare({ run });
    expect(files).toEqual([
      { path: '/workspace/trigger.json', content: Buffer.from('{"title":"It breaks","big":12345678901234567890}') },
    ]);
    expect(given).toContain('it is data');
    expect((await prepare({ run: { ...run, startedBy: undefined } })).files).toBeUndefined();
    // Who goes on with it reads the same words of others.
    const goOn = (continues: string) =>
      insertRun(db, {
        organizationId: organization.id,
        workspaceId: organization.defaultId,
        createdBy: owner.id,
        actor: 'user:test',
        kind: 'chat',
        objective: 'and then?',
        continues,
      });
    const { run: second } = await goOn(id);
    const { run: third } = await goOn(second.id);
    expect((await prepare({ run: third })).files).toEqual(files);
    expect((await prepare({ run: third })).given).toContain('the conversation that this run continues');
    expect(await shown(trigger.id)).toMatchObject([{ outcome: 'started', job: id, kept: true }]);
    expect((await getStanding(db, TRIGGERS, caller, { id: trigger.id })).one.lastRun).toBe(id);
  });

  it('without a valid signature is refused like one to an address that nobody has', async () => {
    const { trigger, secret } = await make();
    const stale = Date.now() / 1_000 - 3_600;
    const paused = await make({ enabled: false });
    for (const wrong of [
      generic(trigger.id, '{}', { secret: 'another-secret' }),
      generic(trigger.id, '{}', { secret, at: stale }),
      generic('trg_00000000000000000000000000', '{}', { secret }),
      generic('', '{}', { secret }),
      generic(paused.trigger.id, '{}', { secret }),
    ])
      expect(await outcome(receiveDelivery(deps, wrong, () => {}))).toBe('delivery_unverified');
    expect(await shown(trigger.id)).toEqual([]);
  });

  it('to a trigger without a secret is refused', async () => {
    const { trigger, secret } = await make({ source: 'slack' });
    expect(secret).toBeUndefined();
    const signature = `v0=${createHmac('sha256', '').update('v0:1:{}').digest('hex')}`;
    const headers = new Headers({ 'x-slack-request-timestamp': '1', 'x-slack-signature': signature });
    const sent = { id: trigger.id, body: Buffer.from('{}'), headers, nowMs: 1_000 };
    expect(await outcome(receiveDelivery(deps, sent, () => {}))).toBe('delivery_unverified');
  });

  it('that comes many times at once starts one run', async () => {
    const { trigger, secret } = await make();
    const headers = { 'x-service-delivery': 'delivery-1' };
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, n) => deliver(trigger.id, `{"n":${n}}`, { secret, headers })),
    );
    expect(answers.filter((one) => 'job' in one)).toHaveLength(1);
    expect(answers.filter((one) => 'ignored' in one && one.ignored === 'duplicate')).toHaveLength(11);
    expect(await runsOf(trigger.id)).toBe(1);
  });

  it('without an id is told apart by its body, and starts again after a day', async () => {
    const { trigger, secret } = await make();
    await deliver(trigger.id, '{"a":1}', { secret });
    expect(await deliver(trigger.id, '{"a":1}', { secret })).toEqual({ ignored: 'duplicate' });
    jobOf(await deliver(trigger.id, '{"a":2}', { secret }));
    await db.query(
      "update :schema.trigger_delivery set received_at = received_at - interval '25 hours' where trigger_id = $1",
      [trigger.id],
    );
    jobOf(await deliver(trigger.id, '{"a":1}', { secret }));
    expect(await runsOf(trigger.id)).toBe(3);
  });

  it('that the filter keeps out starts nothing, and may once the filter lets it through', async () => {
    const { trigger, secret } = await make({ filter: [{ path: 'action', equals: 'opened' }] });
    expect(await deliver(trigger.id, '{"action":"closed"}', { secret })).toEqual({ ignored: 'filter' });
    await changeTrigger(deps, caller, { id: trigger.id, filter: [{ path: 'action', exists: true }] });
    jobOf(await deliver(trigger.id, '{"action":"closed"}', { secret }));
    expect((await shown(trigger.id)).map((one) => one.outcome)).toEqual(['started']);
  });

  it('while it is off is kept, and can be replayed', async () => {
    const { trigger, secret } = await make({ enabled: false });
    expect(await deliver(trigger.id, '{"title":"later"}', { secret })).toEqual({ ignored: 'paused' });
    const [kept] = await shown(trigger.id);
    const first = jobOf(await replayDelivery(deps, caller, { id: trigger.id, delivery: kept?.id ?? '' }));
    const second = jobOf(await replayDelivery(deps, caller, { id: trigger.id, delivery: kept?.id ?? '' }));
    expect(first).not.toBe(second);
    expect(await shown(trigger.id)).toMatchObject([
      { outcome: 'started', job: second, replayOf: kept?.id },
      { outcome: 'started', job: first, replayOf: kept?.id },
      { outcome: 'paused' },
    ]);
    expect((await findRun(db, first))?.objective).toContain('>later</');
  });

  it.each([
    ['not JSON', Buffer.from('nothing')],
    ['nested too deeply', Buffer.from('['.repeat(300) + ']'.repeat(300))],
    ['not UTF-8', Buffer.from([0x22, 0xff, 0xfe, 0x22])],
    ['text that cannot be stored', Buffer.from(String.raw`{"title":"\u0000"}`)],
  ])('with a body that is %s is refused', async (_what, body) => {
    const { trigger, secret = '' } = await make();
    const time = String(Math.floor(Date.now() / 1_000));
    const signature = createHmac('sha256', secret).update(`${time}.`).update(body).digest('hex');
    const headers = new Headers({ 'x-service-timestamp': time, 'x-service-signature': `sha256=${signature}` });
    const sent = { id: trigger.id, body, headers, nowMs: Date.now() };
    expect(await outcome(receiveDelivery(deps, sent, () => {}))).toBe('invalid_request');
    expect(await shown(trigger.id)).toEqual([]);
  });

  it("answers Slack's question for the address, signed, and starts nothing", async () => {
    const { trigger } = await make({ source: 'slack', secret: 'slack-signing-secret' });
    const body = '{"type":"url_verification","challenge":"3eZbrw1a"}';
    const time = String(Math.floor(Date.now() / 1_000));
    const signature = `v0=${createHmac('sha256', 'slack-signing-secret').update(`v0:${time}:${body}`).digest('hex')}`;
    const headers = new Headers({ 'x-slack-request-timestamp': time, 'x-slack-signature': signature });
    const sent = { id: trigger.id, body: Buffer.from(body), headers, nowMs: Date.now() };
    expect(await receiveDelivery(deps, sent, () => {})).toEqual({ challenge: '3eZbrw1a' });
    expect(await shown(trigger.id)).toEqual([]);
  });

  it('reads forms, and JSON that is in the one field of a form', async () => {
    const { trigger, secret } = await make();
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const plain = jobOf(await deliver(trigger.id, 'title=from+a+form&text=x', { secret, headers }));
    expect((await findRun(db, plain))?.objective).toContain('>from a form</');
    const inside = jobOf(
      await deliver(trigger.id, `payload=${encodeURIComponent('{"title":"inside"}')}`, { secret, headers }),
    );
    expect((await findRun(db, inside))?.objective).toContain('>inside</');
  });
});

describe('a process that dies', () => {
  it('after it took a delivery leaves its run to another one, and nothing is started twice', async () => {
    const { trigger, secret } = await make();
    const broken: DeliverDeps = { ...deps, findSandbox: () => Promise.reject(new Error('killed')) };
    await expect(receiveDelivery(broken, generic(trigger.id, '{"title":"x"}', { secret }), () => {})).rejects.toThrow(
      'killed',
    );
    expect(await shown(trigger.id)).toMatchObject([{ outcome: 'received' }]);
    // Its sender asks again; it is known, and still to be done.
    expect(await deliver(trigger.id, '{"title":"x"}', { secret })).toEqual({ ignored: 'duplicate' });
    expect(await finishDeliveries(deps, quiet)).toBe(0);
    await db.query(
      "update :schema.trigger_delivery set look_at = now() where trigger_id = $1 and outcome = 'received'",
      [trigger.id],
    );
    await Promise.all([finishDeliveries(deps, quiet), finishDeliveries(deps, quiet)]);
    expect(await runsOf(trigger.id)).toBe(1);
    expect(await shown(trigger.id)).toMatchObject([{ outcome: 'started' }]);
  });

  it('after it started the run, and before it said so, leaves the same run', async () => {
    const { trigger, secret } = await make();
    const id = jobOf(await deliver(trigger.id, '{"title":"y"}', { secret }));
    await db.query(
      "update :schema.trigger_delivery set outcome = 'received', job = null, look_at = now() where trigger_id = $1",
      [trigger.id],
    );
    await finishDeliveries(deps, quiet);
    expect(await shown(trigger.id)).toMatchObject([{ outcome: 'started', job: id }]);
    expect(await runsOf(trigger.id)).toBe(1);
  });
});

describe('a refusal', () => {
  it('is told, may be tried again, and pauses the trigger the fifth time', async () => {
    const { trigger, secret } = await make();
    const full = { ...deps, mostQueued: 0 };
    const again = (): Promise<Answered> => receiveDelivery(full, generic(trigger.id, '{"n":1}', { secret }), () => {});
    for (let turn = 0; turn < 4; turn++) expect(await outcome(again())).toBe('delivery_refused');
    expect(await again()).toEqual({ ignored: 'paused' });
    expect(await shown(trigger.id)).toMatchObject([{ outcome: 'refused', code: 'too_many_runs' }]);
    expect(await deliver(trigger.id, '{"n":2}', { secret })).toEqual({ ignored: 'paused' });
    const on = await changeTrigger(deps, caller, { id: trigger.id, enabled: true });
    expect(on.paused).toBeUndefined();
    jobOf(await deliver(trigger.id, '{"n":1}', { secret }));
  });

  it('for a maker who left pauses it at once', async () => {
    const member = await join(db, organization.id, await addPerson(db, 'leaver'), 'member');
    const made = await createTrigger(deps, await callerOf(member), {
      name: 'Theirs',
      run: { objective: 'x' },
      source: 'github',
    });
    await db.query('delete from :schema.organization_member where organization_id = $1 and user_id = $2', [
      organization.id,
      member.id,
    ]);
    const signature = `sha256=${createHmac('sha256', made.secret ?? '')
      .update('{}')
      .digest('hex')}`;
    const sent = {
      id: made.trigger.id,
      body: Buffer.from('{}'),
      headers: new Headers({ 'x-hub-signature-256': signature }),
      nowMs: 0,
    };
    expect(await receiveDelivery(deps, sent, () => {})).toEqual({ ignored: 'paused' });
    const { one, right } = await getStanding(db, TRIGGERS, caller, { id: made.trigger.id });
    expect(one.paused?.reason).toBe('authority_lost');
    // Owners see it and may delete it; what it does is not theirs to change.
    expect(right).toBe('manager');
    expect(await outcome(changeTrigger(deps, caller, { id: one.id, enabled: true }))).toBe('maker_required');
    expect(await outcome(rotateSecret(deps, caller, { id: one.id }))).toBe('maker_required');
    await removeTrigger(db, caller, one.id);
    expect(await outcome(getStanding(db, TRIGGERS, caller, { id: one.id }))).toBe('not_found');
  });
});

describe('a secret', () => {
  it('is made in the form of its source, or given, and counts for a day after it was replaced', async () => {
    const { trigger, secret: first } = await make();
    const { secret: second } = await rotateSecret(deps, caller, { id: trigger.id });
    jobOf(await deliver(trigger.id, '{"n":1}', { secret: first }));
    jobOf(await deliver(trigger.id, '{"n":2}', { secret: second }));
    await db.query(
      "update :schema.trigger_secret set ends_at = now() - interval '1 second' where trigger_id = $1 and ends_at is not null",
      [trigger.id],
    );
    expect(await outcome(deliver(trigger.id, '{"n":3}', { secret: first }))).toBe('delivery_unverified');
    jobOf(await deliver(trigger.id, '{"n":4}', { secret: second }));
    expect((await make({ source: 'standard-webhooks' })).secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect((await make({ source: 'github' })).secret).toMatch(/^[\w-]{43}$/);
  });

  it('of a sender that shows its own has to be given', async () => {
    const { trigger } = await make({ source: 'stripe' });
    expect(await outcome(rotateSecret(deps, caller, { id: trigger.id }))).toBe('invalid_request');
    expect((await rotateSecret(deps, caller, { id: trigger.id, secret: 'whsec_0123456789' })).secret).toBeUndefined();
    expect(await outcome(make({ source: 'standard-webhooks', secret: 'whsec_short' }))).toBe('invalid_request');
    expect(await outcome(make({ source: 'stripe', secret: 'has a space' }))).toBe('invalid_request');
  });

  it('and payloads move to another key', async () => {
    const { trigger, secret } = await make();
    await deliver(trigger.id, '{"title":"moved"}', { secret });
    const to = randomBytes(32);
    expect(await rewrapTriggers(db, { from: sealingKey, to })).toMatchObject({
      triggerSecrets: { lost: 0 },
      triggerPayloads: { lost: 0 },
    });
    expect(await outcome(deliver(trigger.id, '{"n":1}', { secret }))).toBe('delivery_unverified');
    const moved = { ...deps, sealingKey: to };
    jobOf(await receiveDelivery(moved, generic(trigger.id, '{"n":1}', { secret }), () => {}));
    const old = (await shown(trigger.id)).at(-1)?.id;
    expect((await testDelivery(moved, caller, { id: trigger.id, delivery: old })).objective).toContain('>moved</');
    expect(await rewrapTriggers(db, { from: to, to: sealingKey })).toMatchObject({
      triggerSecrets: { lost: 0, kept: 0 },
      triggerPayloads: { lost: 0, kept: 0 },
    });
  });
});

it('a test says what would be started, and starts nothing', async () => {
  const { trigger } = await make({
    filter: [
      { path: 'action', equals: 'opened' },
      { path: '@event', equals: 'issues' },
    ],
  });
  const payload = { action: 'opened', title: 'T' };
  const tested = await testDelivery(deps, caller, { id: trigger.id, payload, event: 'push' });
  expect(tested).toMatchObject({
    passes: false,
    filter: [
      { path: 'action', holds: true },
      { path: '@event', holds: false },
    ],
  });
  expect(tested.objective).toContain('>T</');
  expect(await runsOf(trigger.id)).toBe(0);
});

it('a workspace has only so many', async () => {
  const made = await db.query("select from :schema.standing_run where kind = 'trigger' and workspace_id = $1", [
    organization.defaultId,
  ]);
  const most = made.rowCount + 1;
  const wanted: NewTrigger = { name: 'x', run: { objective: 'x' }, source: 'github' };
  const tries = await Promise.all(
    Array.from({ length: 3 }, () => outcome(createTrigger({ ...deps, mostTriggers: most }, caller, wanted))),
  );
  expect(tries.filter((one) => one === 'too_many_triggers')).toHaveLength(2);
});

it('payloads are bounded, the oldest first, but not while their run needs them', async () => {
  const { trigger, secret } = await make();
  await db.query(
    `insert into :schema.trigger_delivery (id, trigger_id, delivery_key, outcome, received_at, bytes, ciphertext, iv, auth_tag)
     select 'del_' || lpad(n::text, 26, '0'), $1, 'k' || n, 'filter', now(), 10, '\\x00', '\\x00', '\\x00' from generate_series(1, 250) n`,
    [trigger.id],
  );
  const running = jobOf(await deliver(trigger.id, '{"title":"running"}', { secret }));
  await db.query("update :schema.trigger_delivery set id = 'del_' || repeat('0', 26) where job = $1", [running]);
  await deliver(trigger.id, '{"n":2}', { secret });
  const { rows } = await db.query<{ kept: number; mine: boolean }>(
    'select count(ciphertext)::int as kept, bool_or(job = $2 and ciphertext is not null) as mine from :schema.trigger_delivery where trigger_id = $1',
    [trigger.id, running],
  );
  expect(rows[0]).toEqual({ kept: 201, mine: true });
});
