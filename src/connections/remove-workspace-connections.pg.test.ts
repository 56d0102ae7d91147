import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import {
  addCast,
  type Cast,
  creation,
  openTestConnections,
  type TestConnections,
} from '../../test/support/tools/connections.ts';
import { deleteWorkspace } from '../tenancy/workspaces/change-workspace.ts';
import { deleteNotedConnections, noteWorkspaceConnections } from './remove-workspace-connections.ts';

let service: TestConnections;
let cast: Cast;
beforeAll(async () => {
  service = await openTestConnections();
});
afterAll(() => service.close());
beforeEach(async () => {
  cast = await addCast(service.db);
  service.nango.connections = [];
  service.nango.answer = undefined;
});

/** A connection of the named workspace and one of Default, stored here and at the provider. */
async function connectBoth(): Promise<void> {
  for (const workspace of [cast.namedId, cast.organization.defaultId]) {
    const tags = { organization_id: cast.organization.id, workspace_id: workspace, end_user_id: cast.owner.id };
    const event = creation(tags);
    service.nango.connections.push({
      connection_id: event.connectionId,
      provider_config_key: 'github',
      tags,
      created: new Date().toISOString(),
    });
    expect((await service.webhook(event)).body).toEqual({ ok: true });
  }
}

async function removeNamed(): Promise<void> {
  let references: Awaited<ReturnType<typeof noteWorkspaceConnections>> = [];
  await deleteWorkspace(service.db, { userId: cast.owner.id, workspaceId: cast.namedId }, async (tx, membership) => {
    references = await noteWorkspaceConnections(service.deps, tx, membership);
  });
  await deleteNotedConnections(service.deps, cast.organization.id, references);
}

const left = (): (string | undefined)[] =>
  service.nango.connections.map(({ tags }) => tags?.['workspace_id'] as string | undefined);
const noted = async (): Promise<number> =>
  (
    await service.db.query('select 1 from :schema.connection_removed where organization_id = $1', [
      cast.organization.id,
    ])
  ).rowCount;

it('deletes the connections of the workspace at the provider, and no others', async () => {
  await connectBoth();
  await removeNamed();
  expect(left()).toEqual([cast.organization.defaultId]);
  expect(await noted()).toBe(1);
});

it('if the provider is unreachable they are noted, and read repair of another workspace deletes them', async () => {
  await connectBoth();
  service.nango.answer = (_, response) => {
    response.destroy();
    return true;
  };
  await removeNamed();
  expect(left()).toHaveLength(2);
  expect(await noted()).toBe(1);
  service.nango.answer = undefined;
  await service.repairs.awaitRepair({ organizationId: cast.organization.id, workspaceId: cast.organization.defaultId });
  expect(left()).toEqual([cast.organization.defaultId]);
  expect(await noted()).toBe(1);
});

it('a workspace that is not deleted keeps them', async () => {
  await connectBoth();
  await expect(
    deleteWorkspace(
      service.db,
      { userId: cast.member.id, workspaceId: cast.namedId },
      async (tx, membership) => void (await noteWorkspaceConnections(service.deps, tx, membership)),
    ),
  ).rejects.toMatchObject({ code: 'not_found' });
  expect(await noted()).toBe(0);
  expect(left()).toHaveLength(2);
});
