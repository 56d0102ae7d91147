// What a request, a run and the processes' own timers do in the database, through the product's own code. Ten
// organizations with one person each take turns, at every size of the tables.
import { createSecretKey } from 'node:crypto';
import { systemClock } from '../../src/base/clock.ts';
import { newId } from '../../src/base/ids.ts';
import { createBroker } from '../../src/broker/create-broker.ts';
import { findDue } from '../../src/broker/store/sweep.ts';
import { searchReceipts } from '../../src/audit/search-receipts.ts';
import { beginTurn } from '../../src/threads/begin-turn.ts';
import { appendMessage, listMessages } from '../../src/threads/messages.ts';
import { prepareTurn } from '../../src/threads/prepare-turn.ts';
import { closeStream, dropFinished, listDead } from '../../src/threads/streams.ts';
import { insertThread, listThreads } from '../../src/threads/threads.ts';
import { findTurnContext } from '../../src/turns/turn-context.ts';
import { type AdmissionRequest, createAdmit, createSettle, type Settlement } from '../../src/enforcement/budget.ts';
import { reapHolds } from '../../src/enforcement/holds.ts';
import { setCap } from '../../src/enforcement/caps.ts';
import { readRequests } from '../../src/enforcement/read-requests.ts';
import { authenticateToken } from '../../src/http/shell/authenticate-token.ts';
import { findSession } from '../../src/identity/sessions/find-session.ts';
import { digestSecret } from '../../src/identity/secret-digests.ts';
import { createReceiptWriter } from '../../src/receipts/receipt-writer.ts';
import { executeRun } from '../../src/runs/delivery/execute-run.ts';
import { watchAuthority } from '../../src/runs/delivery/watch-authority.ts';
import { listRuns } from '../../src/runs/reading/list-runs.ts';
import { claimDue } from '../../src/runs/schedules/claim-due.ts';
import { insertRun } from '../../src/runs/record/insert-run.ts';
import type { Database } from '../../src/store/database.ts';
import { createOrganization } from '../../src/tenancy/organizations/create-organization.ts';
import type { Membership } from '../../src/tenancy/members/membership.ts';
import { mintToken } from '../../src/tenancy/tokens/mint-token.ts';
import { createTokenVerifier } from '../../src/tenancy/tokens/verify-token.ts';
import { asker, settling, taskFor } from '../../test/support/broker/broker-stream.ts';
import { silentLog } from '../support/postgres.ts';

/** An organization that is measured, with its person and what they use. */
export interface Place {
  readonly organizationId: string;
  readonly userId: string;
  readonly workspaceId: string;
  readonly tokenId: string;
  readonly token: string;
  readonly session: string;
  readonly threadId: string;
}

export interface Operation {
  readonly name: string;
  /** How many of what is counted one call does. */
  readonly of?: number;
  run(): Promise<unknown>;
}

const BATCH = 50;
const PAGE = 20;
const LIMIT_PER_MINUTE = 1_000_000;
const CREDIT_MICROS = 1e15;
export const CONNECT_SECRET = 'a-connect-secret-for-the-bench-0';
const KEY = createSecretKey(Buffer.from(CONNECT_SECRET));
const SETTINGS = { authSecret: 'a-secret-for-the-bench-0123456789', publicUrl: 'http://localhost:4000' };
const MODEL = { model: 'gpt-5-nano', provider: 'openai' };
const DRAFT = { kind: 'tool.called', body: { connection: 'con_0123456789', provider: 'github', tool: 'list-issues' } };
const CLOSING = { type: 'text', text: 'an answer of a few words' } as const;

export async function createPlaces(
  db: Database,
  { count, capped }: { readonly count: number; readonly capped: boolean },
): Promise<Place[]> {
  const places: Place[] = [];
  for (let n = 0; n < count; n++) {
    const userId = newId('usr');
    const session = `benchsession${String(n).padStart(20, '0')}`;
    await db.query('insert into :schema.identity_user (id, name, email) values ($1, $1, $2)', [
      userId,
      `place-${n}@example.test`,
    ]);
    await db.query(
      "insert into :schema.identity_session (id, user_id, token, expires_at) values ($1, $2, $3, now() + interval '1 day')",
      [newId('ses'), userId, digestSecret(session)],
    );
    const { organization, workspaces } = await createOrganization(db, userId, { name: `Place ${n}` });
    const [organizationId, workspaceId, threadId] = [organization.id, workspaces.default.id, newId('thr')];
    await db.query('update :schema.organization set signup_credit_micros = $2 where id = $1', [
      organizationId,
      CREDIT_MICROS,
    ]);
    if (capped) await setCap(db, organizationId, { kind: 'member', id: userId }, 1e9);
    const scopes = ['chat'] as const;
    const { id: tokenId, token } = await mintToken(
      { db, key: KEY, clock: systemClock },
      { userId, organizationId, scopes, lifetimeSeconds: 3_600, name: 'bench' },
    );
    await insertThread(db, { id: threadId, organizationId, workspaceId, workspacePicked: false, userId, title: 'x' });
    places.push({ organizationId, userId, workspaceId, tokenId, token, session, threadId });
  }
  return places;
}

export interface HotOperations {
  readonly operations: readonly Operation[];
  close(): Promise<void>;
}

export async function createHotOperations(db: Database, places: readonly Place[]): Promise<HotOperations> {
  const next = inTurn(places);
  const broker = await createBroker({ db, log: silentLog, retentionMs: 86_400_000 });
  const watch = watchAuthority({ db, log: silentLog, dispatcher: { cancel: () => {} }, onAppended: () => {} });
  return {
    operations: [
      ...identityOperations(db, next),
      ...(await budgetOperations(db, next)),
      ...receiptOperations(db, next),
      ...runOperations(db, next),
      ...brokerOperations(broker),
      ...threadOperations(db, next),
      ...listOperations(db, next),
      { name: 'timers: expired holds', run: () => reapHolds(db) },
      { name: 'timers: what the broker has due', run: () => findDue(db) },
      { name: 'timers: dead and ended streams', run: async () => [await listDead(db, 10), await dropFinished(db)] },
      { name: 'timers: the schedule that is due', run: () => claimOne(db, next) },
      { name: 'timers: authority of unfinished runs', run: () => watch.look() },
    ],
    async close() {
      await watch.stop();
      await broker.close();
    },
  };
}

const DUE_NOW =
  'update :schema.schedule set look_at = now() where id = (select s.id from :schema.standing_run s where s.organization_id = $1 and s.workspace_id = $2 order by s.id desc limit 1)';
const NOT_DUE = 'update :schema.schedule set look_at = next_at, firing_at = null where id = any($1)';

/** Leaves the schedule as it was. */
async function claimOne(db: Database, next: Next): Promise<void> {
  const { organizationId, workspaceId } = next();
  await db.query(DUE_NOW, [organizationId, workspaceId]);
  const claimed = await claimDue(db);
  if (claimed.length !== 1) throw new Error(`${claimed.length} schedules were due`);
  await db.query(NOT_DUE, [claimed.map(({ schedule }) => schedule.standing.id)]);
}

type Next = () => Place;

export function inTurn(places: readonly Place[]): Next {
  let turn = 0;
  return () => {
    const place = places[turn++ % places.length];
    if (!place) throw new Error('there is no place');
    return place;
  };
}

/** Appends a receipt to the stream of one of the places. */
export function receiptAppender(db: Database, next: Next): () => Promise<unknown> {
  const writer = createReceiptWriter({ db, clock: systemClock });
  return () => {
    const { workspaceId, userId } = next();
    return writer.append(`connect/${workspaceId}`, { ...DRAFT, actor: `user:${userId}` });
  };
}

function identityOperations(db: Database, next: Next): Operation[] {
  const verifier = createTokenVerifier(KEY, systemClock);
  return [
    {
      name: 'session of a request',
      run: () => findSession({ db, settings: SETTINGS }, new Headers({ authorization: `Bearer ${next().session}` })),
    },
    {
      name: 'connect token and membership',
      run: () => authenticateToken({ db, verifier }, { authorization: `Bearer ${next().token}` }),
    },
    {
      name: 'settings of an organization, not cached',
      run: async () => {
        const { userId, organizationId } = next();
        return findTurnContext(db, { userId, organizationId, workspace: undefined });
      },
    },
  ];
}

/** Of the settings of every organization; admission compares them. */
export async function readVersions(db: Database): Promise<Map<string, number>> {
  const { rows } = await db.query<{ organization_id: string; version: number }>(
    "select organization_id, version from :schema.chat_version where organization_id not like 'org\\_000%'",
  );
  return new Map(rows.map((row) => [row.organization_id, row.version]));
}

async function budgetOperations(db: Database, next: Next): Promise<Operation[]> {
  const admit = createAdmit(db, { processId: 'proc_bench', log: silentLog });
  const settle = createSettle(db, silentLog);
  const open: { place: Place; holdId: string }[] = [];
  const versions = await readVersions(db);
  const admitOne = async (): Promise<void> => {
    const place = next();
    const admission = await admit(admissionOf(place, versions.get(place.organizationId) ?? 0));
    if (admission.outcome !== 'admitted' || admission.holdId === undefined) throw new Error(admission.outcome);
    open.push({ place, holdId: admission.holdId });
  };
  const settleMany = async (count: number): Promise<void> => {
    if (open.length < count) throw new Error('there is nothing to settle');
    const stored = open.splice(0, count).map(({ place, holdId }) => settle(settlementOf(place, holdId)));
    await settle.flush();
    await Promise.all(stored);
  };
  const many = (): Promise<unknown> => Promise.all(Array.from({ length: BATCH }, admitOne));
  return [
    { name: 'admission: limit, budget, caps', run: admitOne },
    { name: 'settlement: budget, usage, caps, log', run: () => settleMany(1) },
    { name: `admission, ${BATCH} in a statement`, of: BATCH, run: many },
    { name: `settlement, ${BATCH} in a statement`, of: BATCH, run: () => settleMany(BATCH) },
  ];
}

export function admissionOf(
  { userId, tokenId, organizationId, workspaceId }: Place,
  version: number,
): AdmissionRequest {
  return {
    userId,
    tokenId,
    organizationId,
    version,
    limit: LIMIT_PER_MINUTE,
    micros: 1_000,
    note: { ...MODEL, credential: 'platform', leastMicros: 100, inputTokens: 500 },
    seatBudgetMicros: 0,
    creditMicros: CREDIT_MICROS,
    spend: { workspaceId, tokenId, surface: '/v1', requestId: newId('req') },
  };
}

export function settlementOf({ organizationId, userId, workspaceId, tokenId }: Place, holdId: string): Settlement {
  return {
    ...MODEL,
    organizationId,
    userId,
    spend: { workspaceId, tokenId, surface: '/v1', requestId: newId('req') },
    holdId,
    costMicros: 500,
    credential: 'platform',
    inputTokens: 500,
    outputTokens: 200,
    uses: true,
    status: 200,
    firstTokenMs: 300,
    durationMs: 2_000,
  };
}

function receiptOperations(db: Database, next: Next): Operation[] {
  const append = receiptAppender(db, next);
  const begin = receiptAppender(db, () => ({ ...next(), workspaceId: newId('ws') }));
  return [
    { name: 'receipt on a known stream', run: append },
    { name: 'receipt on a new stream', run: begin },
    {
      name: `receipts, ${BATCH} in a statement`,
      of: BATCH,
      run: () => Promise.all(Array.from({ length: BATCH }, append)),
    },
  ];
}

/** Records a run of one of the places: queued, started, completed. */
export function runRecorder(db: Database, next: Next): () => Promise<void> {
  const deps = {
    db,
    log: silentLog,
    actor: 'system:bench',
    engineOf: () => async () => ({ done: true }),
    artifactsDirectory: '/nowhere',
    onAppended: () => {},
  };
  return async () => {
    const { organizationId, workspaceId, userId, tokenId } = next();
    const { run } = await insertRun(db, {
      organizationId,
      workspaceId,
      createdBy: userId,
      actor: `user:${userId}`,
      kind: 'control',
      objective: 'bench',
      idempotencyKey: newId('key'),
      authority: { startedWith: 'token', scopes: ['chat'], tokenId, grantId: undefined },
      mostQueued: 1_000,
    });
    const outcome = await executeRun(deps, run.id, { taken: new AbortController() });
    if (!('status' in outcome) || outcome.status !== 'completed') throw new Error('the run did not complete');
  };
}

function runOperations(db: Database, next: Next): Operation[] {
  const record = runRecorder(db, next);
  return [
    { name: 'run: queued, started, completed', run: record },
    { name: `runs, ${BATCH} at once`, of: BATCH, run: () => Promise.all(Array.from({ length: BATCH }, record)) },
  ];
}

function brokerOperations(broker: Parameters<typeof asker>[0]): Operation[] {
  const ask = asker(broker);
  const asked = async (kind: string, data: unknown): Promise<void> => {
    const { status } = await ask(kind, data);
    if (status !== 200) throw new Error(`${kind} was answered with ${status}`);
  };
  let read = 0;
  return [
    {
      name: 'broker: task created, acquired, fulfilled',
      async run() {
        const id = newId('job');
        await asked('promise.create', taskFor(id, 'nobody'));
        await asked('task.acquire', { id, version: 0, pid: 'bench', ttl: 60_000 });
        await asked('task.fulfill', settling(id, 1));
      },
    },
    {
      name: 'broker: an old promise',
      run: () => asked('promise.get', { id: `job_0${String((read++ % 1_000) + 1).padStart(25, '0')}` }),
    },
  ];
}

function threadOperations(db: Database, next: Next): Operation[] {
  return [
    {
      name: 'chat: question and answer stored',
      async run() {
        const { userId, organizationId, workspaceId, threadId } = next();
        const request = {
          organization: organizationId,
          model: MODEL.model,
          thread: threadId,
          message: { text: 'a question of a few words' },
        };
        const prepared = await prepareTurn(db, { userId, organizationId, request, metadata: {} });
        const begun = await beginTurn(db, { ...prepared, userId, organizationId, workspaceId, request });
        await closeStream(db, {
          ...begun,
          rest: { seq: 0, lines: ['{}'] },
          store: (tx) =>
            appendMessage(tx, threadId, { id: begun.messageId, role: 'assistant', parts: [CLOSING], metadata: {} }),
        });
      },
    },
    { name: 'chat: latest messages of a thread', run: () => listMessages(db, next().threadId, { limit: PAGE }) },
    {
      name: 'chat: latest threads of a person',
      run: () => listThreads(db, { ...pick(next()), show: 'active', limit: PAGE }),
    },
  ];
}

function listOperations(db: Database, next: Next): Operation[] {
  const page = { limit: PAGE };
  return [
    { name: 'list: runs of a person', run: () => listRuns(db, pick(next()), page) },
    { name: 'list: receipts of a person', run: () => searchReceipts(db, pick(next()), page) },
    {
      name: 'list: requests of an organization',
      run: () => readRequests(db, { ...pick(next()), organizationRole: 'owner' } as Membership, page),
    },
  ];
}

function pick({ userId, organizationId }: Place): Pick<Place, 'userId' | 'organizationId'> {
  return { userId, organizationId };
}
