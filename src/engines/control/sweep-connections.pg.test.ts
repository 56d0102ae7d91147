import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestDatabase } from '../../../test/support/database.ts';
import { addOrganization, addPerson, type TestOrganization } from '../../../test/support/people.ts';
import type { WorkspaceRef } from '../../tenancy/workspaces/workspace-ref.ts';
import type { RepairOutcome } from '../../connections/read-repair.ts';
import type { Database } from '../../store/database.ts';
import type { RunAttempt } from '../../runs/delivery/engine.ts';
import type { Run } from '../../runs/record/run.ts';
import { sweepConnections } from './sweep-connections.ts';

let db: Database;
let organizations: TestOrganization[];
beforeAll(async () => {
  db = await openTestDatabase();
  const owner = await addPerson(db, 'owner');
  organizations = [
    await addOrganization(db, owner),
    await addOrganization(db, owner),
    await addOrganization(db, owner),
  ];
});
afterAll(() => db?.close());

async function connect(organizationId: string, workspaceId: string): Promise<void> {
  await db.query(
    `insert into :schema.org_connection_secret (id, organization_id, workspace_id, provider, name, kind, status, ciphertext, iv, auth_tag, key_version, reference_digest)
     values ($1, $2, $3, 'github', 'default', 'integration-reference', 'valid', '', decode(repeat('00', 12), 'hex'), decode(repeat('00', 16), 'hex'), 1, sha256(convert_to($1::text, 'UTF8')))`,
    [randomUUID(), organizationId, workspaceId],
  );
}

const run = (signal = new AbortController().signal): RunAttempt => ({
  run: {} as Run,
  begunBefore: false,
  signal,
  artifacts: async () => '/nowhere',
  progress: async () => undefined,
});

function sweep(answer: RepairOutcome = {}): {
  engine: ReturnType<typeof sweepConnections>;
  repaired: WorkspaceRef[];
  closed: () => number;
} {
  const repaired: WorkspaceRef[] = [];
  let closed = 0;
  const engine = sweepConnections({
    db,
    openRepair: async () => ({
      async repair(scope) {
        repaired.push(scope);
        return answer;
      },
      async remove() {},
      async close() {
        closed++;
      },
    }),
  });
  return { engine, repaired, closed: () => closed };
}

it('repairs every workspace with connections once, Global along with Default, and no other', async () => {
  const [one, two] = organizations as [TestOrganization, TestOrganization];
  const named = `wsp_${randomUUID()}`;
  await db.query(
    "insert into :schema.workspace (id, organization_id, slug, name, kind) values ($1, $2, 'named', 'Named', 'named')",
    [named, one.id],
  );
  await connect(one.id, one.defaultId);
  await connect(one.id, named);
  await connect(two.id, two.globalId);
  const { engine, repaired, closed } = sweep();
  expect(await engine(run())).toEqual({ configured: true, workspaces: 3, complete: true });
  expect(new Set(repaired.map(({ workspaceId }) => workspaceId))).toEqual(
    new Set([one.defaultId, named, two.defaultId]),
  );
  expect(
    repaired.every(
      ({ organizationId, workspaceId }) => organizationId === (workspaceId === two.defaultId ? two.id : one.id),
    ),
  ).toBe(true);
  expect(closed()).toBe(1);
});

it('stops when the provider asks for a long back-off, and reports it', async () => {
  const { engine, repaired, closed } = sweep({ retryAfterSeconds: 3_600 });
  expect(await engine(run())).toEqual({ configured: true, workspaces: 1, complete: false, retryAfterSeconds: 3_600 });
  expect([repaired.length, closed()]).toEqual([1, 1]);
});

it('ends when its run is taken away, and closes its connection', async () => {
  const taken = new AbortController();
  taken.abort(new Error('taken'));
  const { engine, closed } = sweep();
  await expect(engine(run(taken.signal))).rejects.toThrow('taken');
  expect(closed()).toBe(1);
});

it('has nothing to do without an integration provider', async () => {
  expect(await sweepConnections({ db, openRepair: async () => undefined })(run())).toEqual({
    configured: false,
    workspaces: 0,
  });
});
