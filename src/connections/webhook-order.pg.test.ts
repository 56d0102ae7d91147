// Whatever is authorized, renewed, removed, delivered late or delivered twice, and whatever the provider answers: the
// connection an address refers to is never deleted at the provider and never replaced without authority, and a removed or
// replaced one never comes back. Random sequences against a real database and a provider on a real socket.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  addCast,
  type Cast,
  creation,
  openTestConnections,
  type TestConnections,
} from '../../test/support/tools/connections.ts';
import { send } from '../../test/support/tools/fake-nango.ts';
import { findDigestKey } from './digest-key.ts';
import { digestReference } from './stored-reference.ts';

let service: TestConnections;
beforeAll(async () => {
  service = await openTestConnections();
});
afterAll(() => service.close());

type Event = ReturnType<typeof creation>;
const NAMES = ['default', 'work'] as const;
type Name = (typeof NAMES)[number];

interface Held {
  readonly id: string;
  readonly status: string;
  readonly connectionId: string;
}

class World {
  readonly cast: Cast;
  /** Every webhook ever sent, for redelivery. */
  readonly sent: Event[] = [];
  /** Ids that an address used to refer to. */
  readonly gone = new Map<Name, Set<string>>(NAMES.map((name) => [name, new Set<string>()]));

  constructor(cast: Cast) {
    this.cast = cast;
  }

  tags(name: Name, by: 'owner' | 'member'): Record<string, string> {
    return {
      organization_id: this.cast.organization.id,
      workspace_id: this.cast.organization.defaultId,
      end_user_id: this.cast[by].id,
      connection_name: name,
    };
  }

  async held(name: Name): Promise<Held | undefined> {
    const { rows } = await service.db.query<{ id: string; status: string; reference_digest: Buffer }>(
      'select id, status, reference_digest from :schema.org_connection_secret where organization_id = $1 and name = $2',
      [this.cast.organization.id, name],
    );
    const [row] = rows;
    const digestKey = await findDigestKey(service.db, service.deps.wrappingKey ?? Buffer.alloc(0));
    const connectionId =
      row &&
      this.sent.find((event) =>
        digestReference(digestKey, {
          integrationId: 'github',
          connectionId: event.connectionId,
        }).equals(row.reference_digest),
      )?.connectionId;
    return row && { id: row.id, status: row.status, connectionId: connectionId ?? 'of nobody' };
  }

  isAtProvider(connectionId: string): boolean {
    return service.nango.connections.some(({ connection_id: id }) => id === connectionId);
  }

  /** Runs a step and checks its effect against the rules. `mayReplace` says whether the step may replace a connection. */
  async step(
    what: () => Promise<unknown>,
    rules: { readonly mayReplace?: (name: Name, before: Held, after: Held | undefined) => boolean } = {},
  ): Promise<void> {
    const before = new Map(await Promise.all(NAMES.map(async (name) => [name, await this.held(name)] as const)));
    const present = new Set(service.nango.connections.map(({ connection_id: id }) => id));
    await what();
    for (const name of NAMES) {
      const [was, is] = [before.get(name), await this.held(name)];
      assert(!is || !this.gone.get(name)?.has(is.connectionId), 'what was removed or replaced came back');
      if (was && was.connectionId !== is?.connectionId) {
        assert(
          was.status !== 'valid' || rules.mayReplace?.(name, was, is),
          'a valid connection was replaced or removed',
        );
        this.gone.get(name)?.add(was.connectionId);
      }
      assert(
        !is || !present.has(is.connectionId) || this.isAtProvider(is.connectionId),
        'a live connection was deleted at the provider',
      );
    }
  }
}

type Step = (world: World) => Promise<void>;
const name = fc.constantFrom<Name>(...NAMES);
const by = fc.constantFrom<'owner' | 'member'>('owner', 'member');
let clockMs = Date.parse('2026-01-01T00:00:00Z');

/** A user finishes a session that creates a connection; its webhook may be lost or late. */
const authorizeNew = fc
  .record({ name, by, delivered: fc.boolean() })
  .map(({ name: at, by: who, delivered }): Step => async (world) => {
    const event = creation(world.tags(at, who));
    world.sent.push(event);
    service.nango.connections.unshift({
      connection_id: event.connectionId,
      provider_config_key: 'github',
      provider: 'github',
      tags: world.tags(at, who),
      created: new Date((clockMs += 1_000)).toISOString(),
    });
    if (delivered)
      await world.step(() => service.webhook(event), {
        mayReplace: (_, __, after) => who === 'owner' && after !== undefined,
      });
  });

/** A user finishes a session on the existing connection: the credential is replaced before we are notified. */
const authorizeInPlace = fc.record({ name, by }).map(({ name: at, by: who }): Step => async (world) => {
  const held = await world.held(at);
  const remote = service.nango.connections.find(({ connection_id: id }) => id === held?.connectionId);
  if (!held || !remote) return;
  remote.tags = world.tags(at, who);
  const event: Event = { ...creation(world.tags(at, who)), connectionId: held.connectionId, operation: 'override' };
  world.sent.push(event);
  await world.step(() => service.webhook(event));
});

const deliverAgain = fc
  .record({ which: fc.nat(), as: fc.constantFrom('creation', 'override') })
  .map(({ which, as }): Step => async (world) => {
    const event = world.sent[which % Math.max(world.sent.length, 1)];
    if (!event) return;
    const byOwner = (event['tags'] as Record<string, string>)['end_user_id'] === world.cast.owner.id;
    await world.step(() => service.webhook({ ...event, operation: as }), {
      mayReplace: (_, __, after) => byOwner && after !== undefined,
    });
  });

const refreshFails = name.map((at): Step => async (world) => {
  const held = await world.held(at);
  if (held)
    await world.step(() =>
      service.webhook({
        type: 'auth',
        operation: 'refresh',
        success: false,
        connectionId: held.connectionId,
        providerConfigKey: 'github',
      }),
    );
});

const remove = fc.record({ name, reachable: fc.boolean() }).map(({ name: at, reachable }): Step => async (world) => {
  const held = await world.held(at);
  if (!held) return;
  if (!reachable) failing('DELETE', 503);
  await world.step(
    async () =>
      service.request('DELETE', `/connect/connections/${held.id}`, {
        token: await service.token(world.cast.owner, world.cast.organization),
      }),
    { mayReplace: (removed, _, after) => removed === at && after === undefined },
  );
  service.nango.answer = undefined;
});

const repair: fc.Arbitrary<Step> = fc.constant(async (world) =>
  world.step(() =>
    service.repairs.awaitRepair({
      organizationId: world.cast.organization.id,
      workspaceId: world.cast.organization.defaultId,
    }),
  ),
);

/** The operator, or the app, deletes a connection at the provider without notifying us. */
const vanish = fc.nat().map((which): Step => async (world) => {
  const event = world.sent[which % Math.max(world.sent.length, 1)];
  service.nango.connections = service.nango.connections.filter(({ connection_id: id }) => id !== event?.connectionId);
});

const whileAway = (step: fc.Arbitrary<Step>): fc.Arbitrary<Step> =>
  fc.tuple(step, fc.constantFrom<'gone' | number>('gone', 500, 424)).map(([inner, how]): Step => async (world) => {
    failing('GET', how);
    await inner(world);
    service.nango.answer = undefined;
  });

function failing(method: string, how: 'gone' | number): void {
  service.nango.answer = (request, response) => {
    if (request.method !== method || !request.path.startsWith('/connections')) return false;
    if (how === 'gone') response.destroy();
    else send(response, how, { error: { code: how === 424 ? 'invalid_credentials' : 'server_error' } });
    return true;
  };
}

const step = fc.oneof(
  authorizeNew,
  authorizeInPlace,
  { weight: 3, arbitrary: deliverAgain },
  refreshFails,
  remove,
  repair,
  vanish,
  whileAway(deliverAgain),
  whileAway(authorizeNew),
  whileAway(repair),
);

it('holds for every order', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 14 }), async (steps) => {
      service.nango.connections = [];
      service.nango.answer = undefined;
      const world = new World(await addCast(service.db));
      for (const each of steps) await each(world);
      // Redelivering everything, newest first, and reconciling changes nothing but what is delivered for the first time.
      for (const event of world.sent.toReversed()) {
        const byOwner = (event['tags'] as Record<string, string>)['end_user_id'] === world.cast.owner.id;
        await world.step(() => service.webhook(event), {
          mayReplace: (_, __, after) => byOwner && after !== undefined,
        });
      }
      await world.step(() =>
        service.repairs.awaitRepair({
          organizationId: world.cast.organization.id,
          workspaceId: world.cast.organization.defaultId,
        }),
      );
      const settled = await Promise.all(NAMES.map((each) => world.held(each)));
      for (const event of world.sent) await world.step(() => service.webhook(event));
      expect((await Promise.all(NAMES.map((each) => world.held(each)))).map((held) => held?.connectionId)).toEqual(
        settled.map((held) => held?.connectionId),
      );
    }),
    { numRuns: 40, endOnFailure: true },
  );
}, 120_000);
