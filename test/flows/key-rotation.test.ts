// The key of connections and stored responses is replaced by the built command, which is killed in the middle: what was
// stored still opens, a removed connection stays removed, and a webhook still finds its row.
import { execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { findDigestKey } from '../../src/connections/digest-key.ts';
import { handleWebhook } from '../../src/connections/handle-webhook.ts';
import { digestReference, unsealReference } from '../../src/connections/stored-reference.ts';
import { openDatabase } from '../../src/store/database.ts';
import { createStoredResponses } from '../../src/stored-responses/create-stored-responses.ts';
import { keepResponse } from '../../src/stored-responses/keep-response.ts';
import { quiet } from '../support/database.ts';
import { SERVICECTL } from '../support/cli/servicectl.ts';
import {
  addCast,
  type Cast,
  creation,
  openTestConnections,
  type TestConnections,
} from '../support/tools/connections.ts';

const RESPONSES = 60;
const next = randomBytes(32);
let service: TestConnections;
let cast: Cast;
let first: ReturnType<typeof creation>;
let removed: ReturnType<typeof creation>;
const was = (): Buffer => service.deps.wrappingKey ?? Buffer.alloc(0);

beforeAll(async () => {
  service = await openTestConnections();
  cast = await addCast(service.db);
  const tags = (name: string): Record<string, string> => ({
    organization_id: cast.organization.id,
    workspace_id: cast.organization.defaultId,
    end_user_id: cast.owner.id,
    connection_name: name,
  });
  first = creation(tags('default'));
  removed = creation(tags('work'));
  for (const event of [first, removed]) await service.authorize(event);
  const atProvider = [...service.nango.connections];
  const token = await service.token(cast.owner, cast.organization);
  await service.request('DELETE', '/connect/connections/github:work', { token });
  // The provider did not delete it, or has it again.
  service.nango.connections = atProvider;
  const owner = {
    organizationId: cast.organization.id,
    workspaceId: cast.organization.defaultId,
    userId: cast.owner.id,
  };
  for (let i = 0; i < RESPONSES; i++)
    await keepResponse({ db: service.db, wrappingKey: was() }, owner, 'response', {
      previousId: null,
      input: [{ role: 'user', content: `question ${i}` }],
      response: { id: idOf(i), object: 'response', status: 'completed', output: [] },
    });
});
afterAll(() => service.close());

const idOf = (i: number): string => `resp_${String(i).padStart(4, '0')}aaaaaaaaaaaaaaaaaaaa`;

function environment(from: Buffer, to: Buffer): Record<string, string> {
  return {
    PATH: process.env['PATH'] ?? '',
    SERVICE_UPSTREAM_DB: inject('postgresUrl'),
    SERVICE_DB_SCHEMA: service.db.schema,
    SERVICE_CONNECTION_ENCRYPTION_KEY_B64_OLD: from.toString('base64'),
    SERVICE_CONNECTION_ENCRYPTION_KEY_B64: to.toString('base64'),
  };
}

async function rewrap(from: Buffer, to: Buffer): Promise<Record<string, unknown>> {
  const args = [SERVICECTL, 'keys', 'rewrap', '--connections', '--from-env', '--json'];
  const { stdout } = await promisify(execFile)(process.execPath, args, { env: environment(from, to) });
  return JSON.parse(stdout) as Record<string, unknown>;
}

const seals = async (): Promise<string[]> =>
  (
    await service.db.query<{ iv: string }>(
      "select encode(iv, 'hex') as iv from :schema.stored_response order by organization_id, id, workspace_id, user_id",
    )
  ).rows.map(({ iv }) => iv);

it('goes on where it was killed, and nothing is lost', async () => {
  const before = await seals();
  const blocker = await openDatabase({
    url: inject('postgresUrl'),
    schema: service.db.schema,
    poolMax: 1,
    applicationName: 'blocker',
    log: quiet,
  });
  const held = Promise.withResolvers<void>();
  const locked = Promise.withResolvers<void>();
  const blocking = blocker.transaction(async (tx) => {
    await tx.query('select 1 from :schema.stored_response where id = $1 for update', [idOf(45)]);
    locked.resolve();
    await held.promise;
  });
  await locked.promise;
  const child = spawn(process.execPath, [SERVICECTL, 'keys', 'rewrap', '--connections', '--from-env'], {
    env: environment(was(), next),
    stdio: 'ignore',
    detached: true,
  });
  await expect.poll(async () => (await seals())[39] !== before[39], { timeout: 30_000 }).toBe(true);
  // Its group: servicectl and the program that it started.
  process.kill(-(child.pid ?? 0), 'SIGKILL');
  await once(child, 'exit');
  held.resolve();
  await blocking;
  await blocker.close();
  const between = await seals();
  expect(between.map((iv, i) => iv !== before[i])).toEqual(before.map((_, i) => i < 40));

  expect(await rewrap(was(), next)).toEqual({
    connections: { moved: 0, kept: 1, lost: 0 },
    storedResponses: { moved: 20, kept: 40, lost: 0 },
    mail: { moved: 0, kept: 0, lost: 0 },
    subscriptions: { moved: 0, kept: 0, lost: 0 },
    triggerSecrets: { moved: 0, kept: 0, lost: 0 },
    triggerPayloads: { moved: 0, kept: 0, lost: 0 },
    environmentSecrets: { moved: 0, kept: 0, lost: 0 },
  });
  expect(await rewrap(was(), next)).toMatchObject({ storedResponses: { moved: 0, kept: RESPONSES, lost: 0 } });
});

it('what was stored opens with the new key, and only with it', async () => {
  const { rows } = await service.db.query<{ ciphertext: Buffer; iv: Buffer; auth_tag: Buffer }>(
    'select ciphertext, iv, auth_tag from :schema.org_connection_secret where organization_id = $1',
    [cast.organization.id],
  );
  const [row] = rows;
  const address = {
    organizationId: cast.organization.id,
    workspaceId: cast.organization.defaultId,
    provider: 'github',
    name: 'default',
    kind: 'integration-reference',
  } as const;
  const open = (key: Buffer): unknown =>
    row && unsealReference(key, address, { ciphertext: row.ciphertext, iv: row.iv, authTag: row.auth_tag });
  expect(open(next)).toMatchObject({ connectionId: first.connectionId });
  expect(open(was())).toBeUndefined();

  const owner = {
    organizationId: cast.organization.id,
    workspaceId: cast.organization.defaultId,
    userId: cast.owner.id,
  };
  const responses = createStoredResponses({ db: service.db, log: quiet, wrappingKey: next, days: 30 });
  expect(await responses.store?.find(owner, idOf(50), () => {})).toMatchObject({ id: idOf(50) });
  await responses.close();
});

it('with the new key a webhook finds its connection, and one that was removed stays so', async () => {
  // As a process that was started with the new key: it has not read the key of digests yet.
  const db = await openDatabase({
    url: inject('postgresUrl'),
    schema: service.db.schema,
    poolMax: 2,
    applicationName: 'restarted',
    log: quiet,
  });
  const deps = { ...service.deps, db, wrappingKey: next };
  const refreshed = { ...first, operation: 'refresh', success: false };
  expect(await handleWebhook(deps, refreshed)).toMatchObject({ ok: true });
  expect(await handleWebhook(deps, removed)).toMatchObject({ ignored: true, reason: 'connection_removed' });
  const ids = { integrationId: 'github', connectionId: first.connectionId };
  expect(digestReference(await findDigestKey(db, next), ids)).toEqual(
    digestReference(await findDigestKey(service.db, was()), ids),
  );
  await expect(findDigestKey(db, randomBytes(32))).rejects.toMatchObject({ code: 'connection_undecryptable' });
  await db.close();
});

it('with neither key nothing is changed', async () => {
  const before = await seals();
  await expect(rewrap(randomBytes(32), randomBytes(32))).rejects.toMatchObject({
    stderr: expect.stringContaining('neither key'),
  });
  expect(await seals()).toEqual(before);
});
