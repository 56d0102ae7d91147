// One builds, the others wait; who dies is replaced; a failure is shared by those who waited for it, and by nobody later.
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { openTestDatabase } from '../../../test/support/database.ts';
import { addOrganization, addPerson } from '../../../test/support/people.ts';
import { newId } from '../../base/ids.ts';
import type { Database } from '../../store/database.ts';
import { claimSetup, endSetup, findSetup, forgetSetups, listSetups, pruneSetups, renewSetup } from './setups.ts';

let db: Database;
let environmentId: string;
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(() => db.close());
beforeEach(async () => {
  const owner = await addPerson(db, 'Olga');
  const { id, defaultId } = await addOrganization(db, owner);
  environmentId = newId('env');
  await db.query(
    "insert into :schema.environment (id, organization_id, workspace_id, name, created_by) values ($1, $2, $3, 'node', $4)",
    [environmentId, id, defaultId, owner.id],
  );
});

const LONG_AGO = new Date(0);
const LATER = new Date(Date.now() + 3_600_000);
const key = (digest = 'a') => ({ environmentId, digest });
const claim = (build: string, { since = LONG_AGO, lost = undefined as string | undefined, digest = 'a' } = {}) =>
  claimSetup(db, { ...key(digest), build, since, lost });

it('is built by one at a time, and by another when its builder no longer says anything', async () => {
  const claims = await Promise.all(['b1', 'b2', 'b3'].map((build) => claim(`${build}${environmentId}`)));
  expect(claims.filter(Boolean)).toHaveLength(1);
  const { build = '' } = (await findSetup(db, key())) ?? {};
  expect(await renewSetup(db, build, 'working')).toBe(true);
  await db.query("update :schema.environment_setup set lease_until = now() - interval '1 second' where build = $1", [
    build,
  ]);
  expect(await claim(`next${environmentId}`)).toBe(true);
  // The one before notices that it is no longer wanted, and ends nothing.
  expect(await renewSetup(db, build, 'late')).toBe(false);
  await endSetup(db, build, { state: 'failed', log: 'late', bytes: 0 });
  expect(await findSetup(db, key())).toMatchObject({ state: 'building', log: '' });
});

it('is built again when its files are gone, when it is forgotten, and after a failure that nobody waited for', async () => {
  const build = `one${environmentId}`;
  await claim(build);
  await endSetup(db, build, { state: 'ready', log: 'done', bytes: 5 });
  expect(await claim(`two${environmentId}`)).toBe(false);
  expect(await findSetup(db, key())).toMatchObject({ state: 'ready', log: 'done', bytes: 5 });
  expect(await claim(`two${environmentId}`, { lost: build })).toBe(true);
  await endSetup(db, `two${environmentId}`, { state: 'failed', log: 'no', bytes: 0 });
  expect(await claim(`three${environmentId}`)).toBe(false);
  expect(await claim(`three${environmentId}`, { since: LATER })).toBe(true);
  await forgetSetups(db, environmentId);
  expect(await renewSetup(db, `three${environmentId}`, '')).toBe(false);
  expect(await claim(`four${environmentId}`)).toBe(true);
});

it('is kept for the versions that were used last', async () => {
  for (const digest of ['a', 'b', 'c', 'd', 'e']) {
    await claim(`${digest}${environmentId}`, { digest });
    await endSetup(db, `${digest}${environmentId}`, { state: 'ready', log: '', bytes: 1 });
  }
  expect((await listSetups(db, environmentId)).map(({ digest }) => digest)).toEqual(['e', 'd', 'c']);
  await db.query("update :schema.environment_setup set used_at = now() - interval '15 days' where digest = 'c'");
  const builds = ['b', 'c', 'd', 'e'].map((digest) => `${digest}${environmentId}`);
  expect([...(await pruneSetups(db, builds))].toSorted()).toEqual([`d${environmentId}`, `e${environmentId}`]);
});

it('is of an environment that is there', async () => {
  await db.query('delete from :schema.environment where id = $1', [environmentId]);
  expect(await claim(`gone${environmentId}`)).toBe(false);
});
