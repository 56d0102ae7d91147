import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import fc from 'fast-check';
import { DatabaseError } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestDatabase, quiet } from '../../test/support/database.ts';
import {
  addOrganization,
  addPerson,
  join as joinOrganization,
  joinWorkspace,
  outcome,
  type Person,
  type TestOrganization,
} from '../../test/support/people.ts';
import { runProjection } from '../audit/find-run-head.ts';
import { newId } from '../base/ids.ts';
import { loadConnectors } from '../catalog/load-connectors.ts';
import { loadModels } from '../catalog/load-models.ts';
import { linkReceipt, receiptText } from '../receipts/receipt.ts';
import { verifyStream } from '../receipts/verify-stream.ts';
import type { Database, Queryable } from '../store/database.ts';
import { findMembership } from '../tenancy/members/find-membership.ts';
import type { Membership } from '../tenancy/members/membership.ts';
import { SCOPES } from '../contract/tokens.ts';
import { abortRun } from './record/abort-run.ts';
import { appendRunReceipt, type RunReceiptDraft } from './record/move-run.ts';
import { describeRuns } from './reading/describe-runs.ts';
import { type ExecuteDeps, executeRun } from './delivery/execute-run.ts';
import { storedWaiting } from './reading/present-run.ts';
import { type Engine, RunFailure, RunInterrupted, RunReleased } from './delivery/engine.ts';
import { findRun, getRun, getRunToAbort } from './record/find-runs.ts';
import { findRunSandbox } from './reading/find-run-sandbox.ts';
import { insertRun } from './record/insert-run.ts';
import { type Run, type RunAuthority, stateOf, streamOf } from './record/run.ts';
import { nextStatus, TRANSITIONS } from './record/run-states.ts';
import { listRuns } from './reading/list-runs.ts';
import { readShownRuns } from './reading/read-shown-runs.ts';
import { type Change, type ChangePosition, createChangeReader, findPlace } from './reading/read-changes.ts';
import { replayRun } from './record/replay-run.ts';
import { findSnapshot, hasSnapshot, recordSnapshot, writeSnapshotFile } from './record/snapshots.ts';
import { startControlRun } from './delivery/control-tasks.ts';
import { startRun } from './delivery/start-run.ts';

let db: Database;
let owner: Person;
let organization: TestOrganization;
let membership: Membership;
const deps = {
  catalog: loadConnectors(),
  models: loadModels(undefined),
  engines: { chat: undefined, control: undefined, codex: undefined },
};

beforeAll(async () => {
  db = await openTestDatabase({ poolMax: 8 });
  owner = await addPerson(db, 'owner');
  organization = await addOrganization(db, owner);
  const found = await findMembership(db, { userId: owner.id, organizationId: organization.id });
  if (!found) throw new Error('the owner stands nowhere');
  membership = found;
});
afterAll(() => db?.close());

const authority: RunAuthority = { startedWith: 'token', scopes: SCOPES, tokenId: undefined, grantId: undefined };
const start = async (
  objective = 'do it',
  more: { idempotencyKey?: string; capabilities?: string[]; model?: string } = {},
): Promise<Run> => (await startRun({ db, ...deps }, membership, { objective, kind: 'chat', authority, ...more })).run;
const reread = async (run: Pick<Run, 'id'>): Promise<Run> => {
  const found = await findRun(db, run.id);
  if (!found) throw new Error('the job is gone');
  return found;
};
const draft = (kind: RunReceiptDraft['kind']): RunReceiptDraft => ({ kind, actor: 'system:test', body: {} });
const finals = async (run: Run): Promise<number> =>
  (
    await db.query(
      "select 1 from :schema.receipt where stream = $1 and kind in ('job.completed', 'job.failed', 'job.aborted')",
      [streamOf(run)],
    )
  ).rowCount;

function worker(engine: Engine, more: Partial<ExecuteDeps> = {}): ExecuteDeps {
  return {
    db,
    log: quiet,
    actor: 'system:test',
    engineOf: () => engine,
    artifactsDirectory: '/nowhere',
    onAppended: () => {},
    ...more,
  };
}

describe('the sandbox of a run', () => {
  const limits = { memory: 'cgroup', processes: 'cgroup', disk: 'tmpfs', cpu: 'cgroup', time: 'timer' } as const;
  const began = (attempt: number, more: Record<string, string>): RunReceiptDraft => ({
    kind: 'job.progress',
    actor: 'system:test',
    body: { attempt, progress: { type: 'began', sandbox: 'bubblewrap', limits: { ...limits, ...more } } },
  });

  it('is what the current attempt recorded when it began', async () => {
    let run = await start();
    const move = async (next: RunReceiptDraft): Promise<unknown> => {
      run = (await appendRunReceipt(db, run, next)) ?? expect.unreachable();
      return findRunSandbox(db, run);
    };
    expect(await findRunSandbox(db, run)).toBeUndefined();
    expect(await move(draft('job.started'))).toBeUndefined();
    // A note of another kind, or of a build that did not name the means, tells nothing.
    expect(
      await move({
        ...draft('job.progress'),
        body: { attempt: 1, progress: { type: 'began', sandbox: 'bubblewrap' } },
      }),
    ).toBeUndefined();
    expect(
      await move({
        ...draft('job.progress'),
        body: { attempt: 1, progress: { type: 'other', tool: '"type":"began"' } },
      }),
    ).toBeUndefined();
    expect(await move(began(1, {}))).toEqual({ driver: 'bubblewrap', limits });
    expect(await move(draft('job.retried'))).toBeUndefined();
    expect(await move(began(2, { disk: 'watchdog' }))).toEqual({
      driver: 'bubblewrap',
      limits: { ...limits, disk: 'watchdog' },
    });
    expect(await move({ ...draft('job.completed'), body: null })).toMatchObject({ limits: { disk: 'watchdog' } });
  });
});

describe('a run that is started', () => {
  it('has its row and its first receipt, which repeats nothing of the objective', async () => {
    const run = await start('a very private objective');
    expect(run).toMatchObject({
      status: 'queued',
      attempt: 0,
      waitingReason: 'sandbox_engine_unavailable',
      head: { index: 0 },
    });
    const { receipts } = await replayRun(db, run);
    expect(receipts).toHaveLength(1);
    expect(receipts[0]?.text).not.toContain('private');
    expect(receipts[0]?.text).toContain(`"actor":"user:${owner.id}"`);
  });

  it('is started once per key, however many concurrent requests; another body is refused', async () => {
    const runs = await Promise.all(Array.from({ length: 12 }, () => start('same', { idempotencyKey: 'k1' })));
    expect(new Set(runs.map(({ id }) => id)).size).toBe(1);
    expect(await outcome(start('other', { idempotencyKey: 'k1' }))).toBe('idempotency_conflict');
    const stranger = await addOrganization(db, owner);
    const elsewhere = await findMembership(db, { userId: owner.id, organizationId: stranger.id });
    if (elsewhere)
      expect(
        (
          await startRun({ db, ...deps }, elsewhere, {
            objective: 'other',
            kind: 'chat',
            idempotencyKey: 'k1',
            authority,
          })
        ).isNew,
      ).toBe(true);
  });

  it('is refused for an unusable capability or a model that the provider does not serve, and writes nothing', async () => {
    const before = (await db.query('select 1 from :schema.job')).rowCount;
    expect(await outcome(start('x', { capabilities: ['github'] }))).toBe('capability_unusable');
    expect(await outcome(start('x', { model: 'no-such-model' }))).toBe('model_not_found');
    const foreign = deps.models.models.find((model) => !model.providers.some(({ provider }) => provider === 'openai'));
    expect(await outcome(start('x', { model: foreign?.id ?? '' }))).toBe('model_not_supported_for_runs');
    expect((await db.query('select 1 from :schema.job')).rowCount).toBe(before);
    expect(await outcome(start('x', { model: 'service/auto' }))).toBe('ok');
  });
});

describe('receipts and row', () => {
  it('agree after any receipts that the table allows', async () => {
    const kinds = Object.keys(TRANSITIONS).filter((kind) => kind !== 'job.queued') as RunReceiptDraft['kind'][];
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...kinds), { maxLength: 8 }), async (wanted) => {
        let run = await start();
        for (const kind of wanted) {
          if (nextStatus(run.status, kind) === undefined) continue;
          const moved = await appendRunReceipt(db, run, draft(kind));
          if (!moved) throw new Error('nobody else was there');
          run = moved;
        }
        const stored = await reread(run);
        expect(stored).toEqual({ ...run, waitingReason: stored.waitingReason });
        expect((await replayRun(db, stored)).state).toEqual(stateOf(stored));
        expect(
          (await verifyStream(db, streamOf(run), runProjection(db, stored.id, stored.head))).fault,
        ).toBeUndefined();
      }),
      { numRuns: 25 },
    );
  });

  it('let one of many writers through that saw the same head', async () => {
    const run = await start();
    const won = await Promise.all(
      Array.from({ length: 10 }, (_, at) =>
        appendRunReceipt(db, run, draft(at % 2 === 0 ? 'job.started' : 'job.aborted')),
      ),
    );
    expect(won.filter((moved) => moved !== undefined)).toHaveLength(1);
    expect((await reread(run)).head.index).toBe(1);
  });
});

describe('execution', () => {
  it('shuts out a late worker: it writes nothing more once its run was taken over', async () => {
    const run = await start();
    const { promise: hold, resolve: release } = Promise.withResolvers<void>();
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    const late = executeRun(
      worker(async () => (begin(), await hold, { who: 'late' })),
      run.id,
      { taken: new AbortController() },
    );
    await begun;
    expect(
      await executeRun(
        worker(async () => ({ who: 'second' })),
        run.id,
        { taken: new AbortController() },
      ),
    ).toEqual({ status: 'completed' });
    release();
    expect(await late).toEqual({ status: 'completed' });
    expect(await reread(run)).toMatchObject({ attempt: 2, result: { who: 'second' } });
    expect(await finals(run)).toBe(1);
  });

  it('gives up after three lost workers', async () => {
    const run = await start();
    const lost: Engine = () => new Promise(() => {});
    for (let attempt = 1; attempt <= 3; attempt++) {
      void executeRun(worker(lost), run.id, { taken: new AbortController() });
      await expect.poll(async () => (await reread(run)).attempt).toBe(attempt);
    }
    expect(await executeRun(worker(lost), run.id, { taken: new AbortController() })).toEqual({ status: 'failed' });
    expect((await reread(run)).error).toMatch(/3 times.* \(attempts_exhausted\)$/);
    expect(await finals(run)).toBe(1);
  });

  it('keeps its attempt however often a stopping worker gives it back, whatever failed there', async () => {
    const run = await start();
    const failures: Engine[] = [
      async () => Promise.reject(new RunInterrupted('sandbox_lost')),
      async () => Promise.reject(new RunFailure('connect_unreachable', 'The api went first.')),
      async () => Promise.reject(new Error('anything')),
      async ({ signal }) =>
        new Promise((_, reject) =>
          signal.addEventListener('abort', () => reject(new Error('aborted')), { once: true }),
        ),
    ];
    for (const [at, engine] of failures.entries()) {
      const [stopping, taken] = [new AbortController(), new AbortController()];
      const begun = Promise.withResolvers<boolean>();
      const outcome = executeRun(
        worker(async (run) => (begun.resolve(run.begunBefore), stopping.abort(), engine(run))),
        run.id,
        { taken, stopping: stopping.signal },
      );
      expect(await begun.promise).toBe(at > 0);
      if (at === 3) taken.abort(new RunReleased('worker_stopping'));
      expect(await outcome).toEqual({ released: 'worker_stopping' });
    }
    expect(await reread(run)).toMatchObject({ status: 'running', attempt: 1 });
    expect(
      await executeRun(
        worker(async () => ({ done: true })),
        run.id,
        { taken: new AbortController() },
      ),
    ).toEqual({ status: 'completed' });
    expect(await reread(run)).toMatchObject({ attempt: 1 });
    expect(await finals(run)).toBe(1);
  });

  it('is given back by an engine that writes nothing more, and counts a worker that is lost after resuming', async () => {
    const run = await start();
    const stopping = new AbortController();
    let late: Promise<unknown> = Promise.resolve();
    const first = executeRun(
      worker(async ({ progress }) => {
        stopping.abort();
        late = new Promise((resolve) => setImmediate(resolve))
          .then(() => progress({ too: 'late' }))
          .catch((error: Error) => error.message);
        throw new Error('stopping');
      }),
      run.id,
      { taken: new AbortController(), stopping: stopping.signal },
    );
    expect(await first).toEqual({ released: 'worker_stopping' });
    expect(await late).toBe('the run was given back');
    const lost = Promise.withResolvers<void>();
    void executeRun(
      worker(() => (lost.resolve(), new Promise(() => {}))),
      run.id,
      { taken: new AbortController() },
    );
    await lost.promise;
    expect(
      await executeRun(
        worker(async () => ({})),
        run.id,
        { taken: new AbortController() },
      ),
    ).toEqual({ status: 'completed' });
    expect(await reread(run)).toMatchObject({ attempt: 2 });
  });

  it('ends in exactly one final receipt when abort and worker race', async () => {
    const results = await Promise.all(
      Array.from({ length: 30 }, async (_, at) => {
        const run = await start();
        const executing = executeRun(
          worker(async ({ progress }) => (await progress({ at }), { at })),
          run.id,
          { taken: new AbortController() },
        );
        for (let turn = 0; turn < at; turn++) await db.query('select 1');
        const { run: aborted } = await abortRun(db, await reread(run), 'user:test');
        await executing;
        expect((await reread(run)).status).toBe(aborted.status);
        return finals(run);
      }),
    );
    expect(results.every((count) => count === 1)).toBe(true);
  });

  it('refuses a chain that was changed, holds the job and says why', async () => {
    const run = await start();
    await db.transaction(async (tx) => {
      await tx.query('set local session_replication_role = replica');
      await tx.query("update :schema.receipt set body = replace(body, 'chat', 'chot') where stream = $1", [
        streamOf(run),
      ]);
    });
    const outcomeOf = await executeRun(
      worker(async () => ({})),
      run.id,
      { taken: new AbortController() },
    );
    expect(outcomeOf).toEqual({
      refused: `Service runtime refused to replay invalid chain for stream '${streamOf(run)}': hash_mismatch at index 0`,
    });
    const held = await reread(run);
    expect(held).toMatchObject({ status: 'queued', waitingReason: 'receipt_chain_invalid' });
    expect(storedWaiting(held)?.message).toContain('hash_mismatch at index 0');
    expect((await describeRuns(db)).chainFaults).toContain('hash_mismatch at index 0');
    expect((await describeRuns(db)).refused).toContainEqual(
      expect.objectContaining({ id: run.id, error: expect.stringContaining('hash_mismatch at index 0') }),
    );
  });

  it.each([
    ['that no run has', 'job.queued', 'queued'],
    ['that the row does not know of', 'job.started', 'queued'],
    ['behind the end of a run', 'job.completed', 'aborted'],
  ] as const)(
    'refuses a chain with a receipt %s, wherever it is replayed, and does not run it',
    async (_, kind, status) => {
      const begun = await start();
      const run = status === 'aborted' ? (await abortRun(db, begun, 'user:test')).run : begun;
      const forged = linkReceipt(
        streamOf(run),
        run.head,
        receiptText({ kind, actor: 'system:test', body: {} }, new Date()),
      );
      await db.query('insert into :schema.receipt (stream, idx, prev, hash, body) values ($1, $2, $3, $4, $5)', [
        forged.stream,
        forged.index,
        forged.prev,
        forged.hash,
        forged.text,
      ]);
      const refusal = {
        code: 'receipt_chain_invalid',
        details: { stream: streamOf(run), reason: 'head_mismatch', index: run.head.index },
      };
      await expect(replayRun(db, run)).rejects.toMatchObject(refusal);
      await expect(abortRun(db, run, 'user:test')).rejects.toMatchObject(refusal);
      expect((await verifyStream(db, streamOf(run), runProjection(db, run.id, run.head))).fault).toEqual({
        reason: 'head_mismatch',
        index: run.head.index,
      });
      let executed = false;
      expect(
        await executeRun(
          worker(async () => ((executed = true), {})),
          run.id,
          { taken: new AbortController() },
        ),
      ).toHaveProperty('refused');
      expect([executed, (await reread(run)).status, (await reread(run)).head]).toEqual([false, status, run.head]);
      expect(await appendRunReceipt(db, begun, draft('job.aborted'))).toBeUndefined();
    },
  );

  it('begins a run again after a full disk, once there is space', async () => {
    const run = await start();
    const directory = await mkdtemp(join(tmpdir(), 'service-room-'));
    const engine: Engine = async ({ run: { attempt } }) => {
      if (attempt === 1) await writeFile('/dev/full', 'x');
      return { attempt };
    };
    expect(
      await executeRun(worker(engine, { artifactsDirectory: directory }), run.id, { taken: new AbortController() }),
    ).toEqual({ status: 'completed' });
    expect(await reread(run)).toMatchObject({ attempt: 2, result: { attempt: 2 } });
    const { receipts } = await replayRun(db, await reread(run));
    expect(receipts.map(({ text }) => text).join()).toContain('storage_unavailable');
    expect(await readdir(directory)).toEqual([]);
    await rm(directory, { recursive: true });
  });

  it.each([true, false])('keeps its workspace for the next attempt, and %s: also once it has ended', async (keeps) => {
    const run = await start();
    const directory = await mkdtemp(join(tmpdir(), 'service-kept-'));
    const restored: boolean[] = [];
    const engine: Engine = async ({ run: { attempt }, artifacts }) => {
      restored.push((await findSnapshot(await artifacts())) !== undefined);
      const file = await writeSnapshotFile(await artifacts(), Readable.from([Buffer.from('archive')]));
      await recordSnapshot(await artifacts(), { after: 'call_1', writer: attempt, files: [file] });
      if (attempt === 1) throw new RunInterrupted('sandbox_lost');
      return {};
    };
    const deps = worker(engine, { artifactsDirectory: directory, keepsEndedWorkspaces: keeps });
    expect(await executeRun(deps, run.id, { taken: new AbortController() })).toEqual({ status: 'completed' });
    expect([restored, await hasSnapshot(join(directory, run.id))]).toEqual([[false, true], keeps]);
    await rm(directory, { recursive: true });
  });

  it.each(['EPIPE', 'ECONNRESET', 'ETIMEDOUT'])(
    'appends a receipt once whose answer was lost with %s',
    async (code) => {
      const run = await start();
      let lost = 0;
      const flaky: Queryable = {
        async query(sql, values) {
          const result = await db.query(sql, values);
          if (lost++ === 0) throw Object.assign(new Error(`write ${code}`), { code, syscall: 'write', errno: -1 });
          return result as never;
        },
      };
      expect(await appendRunReceipt(flaky, run, draft('job.started'))).toMatchObject({ status: 'running' });
      expect(await reread(run)).toMatchObject({ status: 'running', head: { index: run.head.index + 1 } });
    },
  );

  it('appends a receipt again after a deadlock', async () => {
    const run = await start();
    let undone = 0;
    const unlucky: Queryable = {
      query: async (sql, values) =>
        undone++ === 0
          ? Promise.reject(Object.assign(new DatabaseError('deadlock detected', 0, 'error'), { code: '40P01' }))
          : db.query(sql, values),
    };
    expect(await appendRunReceipt(unlucky, run, draft('job.started'))).toMatchObject({ status: 'running' });
  });

  it('refuses receipts that verify but that no run can have, even if the row agrees', async () => {
    const run = await start();
    const forged = linkReceipt(
      streamOf(run),
      run.head,
      receiptText({ kind: 'job.completed', actor: 'system:test', body: {} }, new Date()),
    );
    await db.query('insert into :schema.receipt (stream, idx, prev, hash, body) values ($1, $2, $3, $4, $5)', [
      forged.stream,
      forged.index,
      forged.prev,
      forged.hash,
      forged.text,
    ]);
    await db.query('update :schema.job set head_idx = $2, head_hash = $3 where id = $1', [
      run.id,
      forged.index,
      forged.hash,
    ]);
    expect(
      await executeRun(
        worker(async () => ({})),
        run.id,
        { taken: new AbortController() },
      ),
    ).toEqual({ refused: expect.stringContaining('head_mismatch at index 1') });
    expect(await reread(run)).toMatchObject({ status: 'queued', waitingReason: 'receipt_chain_invalid' });
  });
});

async function readChanges(
  workspaces: readonly string[],
  since: ChangePosition,
): Promise<{ changes: Change[]; ids: string[]; next: ChangePosition }> {
  const changes: Change[] = [];
  const read = createChangeReader(db);
  for (let at = since; ;) {
    const page = await read({ organizationId: organization.id, workspaces: new Set(workspaces), since: at });
    changes.push(...page.items);
    at = page.cursor;
    if (page.next !== 'read') return { changes, ids: changes.map(({ run }) => run.id), next: at };
  }
}

describe('aborting', () => {
  it.each([
    ['the person who started it', 'member', 'member', true, 'ok'],
    ['a member of its workspace', 'member', 'member', false, 'workspace_authority_required'],
    ['an admin of its workspace', 'member', 'admin', false, 'ok'],
    ['an owner of its workspace', 'member', 'owner', false, 'ok'],
    ['an admin of the organization who is not in the workspace', 'admin', undefined, false, 'ok'],
    ['an owner of the organization who is not in the workspace', 'owner', undefined, false, 'ok'],
    ['an admin of the organization who is a member of the workspace', 'admin', 'member', false, 'ok'],
    ['a member of the organization who is not in the workspace', 'member', undefined, false, 'not_found'],
  ] as const)('%s', async (_who, role, workspaceRole, started, expected) => {
    const workspaceId = newId('ws');
    await db.query(
      "insert into :schema.workspace (id, organization_id, slug, name, kind) values ($1, $2, replace($1, '_', '-'), $1, 'named')",
      [workspaceId, organization.id],
    );
    const person = await joinOrganization(db, organization.id, await addPerson(db), role);
    if (workspaceRole) await joinWorkspace(db, organization.id, workspaceId, person, workspaceRole);
    const { run } = await insertRun(db, {
      organizationId: organization.id,
      workspaceId,
      createdBy: started ? person.id : owner.id,
      actor: 'user:test',
      kind: 'chat',
      objective: 'x',
      authority,
    });
    const reader = { userId: person.id, organizationId: organization.id };
    expect(await outcome(getRunToAbort(db, reader, run.id))).toBe(expected);
    // A token that is bound to another workspace does not reach it, even for an owner.
    expect(await outcome(getRunToAbort(db, { ...reader, workspaceId: organization.defaultId }, run.id))).toBe(
      'not_found',
    );
  });
});

describe('lists', () => {
  it('page newest first without a gap, by status too', async () => {
    const person = await addPerson(db, 'lister');
    const own = await addOrganization(db, person);
    const at = await findMembership(db, { userId: person.id, organizationId: own.id });
    if (!at) throw new Error('nowhere');
    const ids: string[] = [];
    for (let n = 0; n < 7; n++)
      ids.push((await startRun({ db, ...deps }, at, { objective: String(n), kind: 'codex', authority })).run.id);
    await abortRun(db, await reread({ id: ids[3] ?? '' }), 'user:test');
    const reader = { userId: person.id, organizationId: own.id };
    const seen: string[] = [];
    for (let cursor: string | undefined; ;) {
      const page = await listRuns(db, reader, { cursor, limit: 3 });
      seen.push(...page.runs.map(({ id }) => id));
      if (page.cursor === undefined) break;
      cursor = page.cursor;
    }
    expect(seen).toEqual(ids.toSorted().toReversed());
    expect((await listRuns(db, reader, { status: 'aborted' })).runs.map(({ id }) => id)).toEqual([ids[3]]);
    expect((await listRuns(db, reader, { status: 'aborted', kind: 'codex' })).runs.map(({ id }) => id)).toEqual([
      ids[3],
    ]);
    expect((await listRuns(db, reader, { kind: 'chat' })).runs).toEqual([]);
    expect((await listRuns(db, { ...reader, userId: owner.id }, {})).runs).toEqual([]);
    expect(await outcome(listRuns(db, reader, { cursor: "x' or" }))).toBe('invalid_request');
  });

  it('end a page by the size of objectives and results', async () => {
    const person = await addPerson(db);
    const own = await addOrganization(db, person);
    const ids: string[] = [];
    for (let n = 0; n < 8; n++) {
      const { run } = await insertRun(db, {
        organizationId: own.id,
        workspaceId: own.defaultId,
        createdBy: person.id,
        actor: 'system:test',
        kind: 'chat',
        objective: 'x'.repeat(100_000),
      });
      await db.query('update :schema.job set result = $2 where id = $1', [
        run.id,
        JSON.stringify({ text: 'y'.repeat(n === 5 ? 2_000_000 : 200_000) }),
      ]);
      ids.unshift(run.id);
    }
    const pages: number[] = [];
    const seen: string[] = [];
    for (let cursor: string | undefined; ;) {
      const page = await listRuns(db, { userId: person.id, organizationId: own.id }, { cursor });
      pages.push(page.runs.length);
      seen.push(...page.runs.map(({ id }) => id));
      if (page.cursor === undefined) break;
      cursor = page.cursor;
    }
    expect([pages, seen]).toEqual([[2, 1, 3, 2], ids]);

    await db.query("update :schema.job set status = 'completed', ended_at = now() where id = any($1)", [ids]);
    const reader = { userId: person.id, organizationId: own.id };
    const shown = await readShownRuns(db, reader, ids, 1_000);
    expect([...shown.values()].map(({ objective, result }) => [objective, result])).toEqual(
      ids.map(() => [`${'x'.repeat(1_000)}…`, `${'y'.repeat(1_000)}…`]),
    );
    const [whole] = (await readShownRuns(db, reader, ids.slice(0, 1))).values();
    expect([whole?.objective.length, whole?.result?.length]).toEqual([100_000, 200_000]);
  });

  it('contain no run of the service, and no one can get one', async () => {
    const { run } = await startControlRun(db, 'checkpoint', { actor: 'system:api' });
    expect(await outcome(getRun(db, { userId: owner.id, organizationId: organization.id }, run.id))).toBe('not_found');
    expect(
      (await listRuns(db, { userId: owner.id, organizationId: organization.id }, { limit: 200 })).runs.map(
        ({ id }) => id,
      ),
    ).not.toContain(run.id);
  });

  it('return what changed since a moment, including late commits', async () => {
    const workspaces = [organization.defaultId];
    const since = await findPlace(db, null);
    const { promise: hold, resolve: release } = Promise.withResolvers<void>();
    const { promise: written, resolve: write } = Promise.withResolvers<Run>();
    const slow = db.transaction(async (tx) => {
      write(
        (
          await insertRun(tx, {
            organizationId: organization.id,
            workspaceId: organization.defaultId,
            createdBy: owner.id,
            actor: 'user:x',
            kind: 'chat',
            objective: 'late',
          })
        ).run,
      );
      await hold;
    });
    const late = await written;
    const early = await start();
    const first = await readChanges(workspaces, since);
    expect(first.ids).toContain(early.id);
    release();
    await slow;
    expect((await readChanges(workspaces, first.next)).ids).toContain(late.id);
  });

  it('return every changed run, even more than a page at once, each with a cursor that misses none after it', async () => {
    const person = await addPerson(db, 'busy');
    const own = await addOrganization(db, person);
    const since = await findPlace(db, null);
    const at = {
      organizationId: own.id,
      workspaceId: own.defaultId,
      createdBy: person.id,
      actor: 'user:x',
      kind: 'chat',
      objective: 'x',
    } as const;
    await db.transaction(async (tx) => {
      for (let n = 0; n < 450; n++) await insertRun(tx, at);
    });
    for (let n = 0; n < 60; n++) await insertRun(db, at);
    const { ids, changes } = await readChanges([own.defaultId], since);
    expect(new Set(ids).size).toBe(510);
    const resumed = await readChanges([own.defaultId], await findPlace(db, changes[470]?.cursor ?? null));
    expect(new Set([...ids.slice(0, 471), ...resumed.ids]).size).toBe(510);
  });
});
