// The live channel of the runtime, with a real WebSocket client.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import WebSocket from 'ws';
import { appendRunReceipt } from '../../src/runs/record/move-run.ts';
import { insertRun } from '../../src/runs/record/insert-run.ts';
import type { Run } from '../../src/runs/record/run.ts';
import { createWorkspace } from '../../src/tenancy/workspaces/create-workspace.ts';
import type { Body } from '../support/http-client.ts';
import { type RuntimeStand, openRuntimeStand } from '../support/runs/runtime-stand.ts';
import { addOrganization, addPerson, join } from '../support/people.ts';

let stand: RuntimeStand;
beforeAll(async () => {
  stand = await openRuntimeStand();
  await stand.start('api');
  await Promise.all([stand.start('broker'), stand.start('driver'), stand.start('worker-chat')]);
});
afterAll(() => stand?.close());

interface Live {
  readonly messages: Body[];
  readonly closed: Promise<number>;
  /** Resolves with the first message, past or to come, that this holds for. */
  seen(test: (message: Body) => boolean): Promise<Body>;
  close(): void;
}

async function connect(query: string): Promise<Live> {
  const socket = new WebSocket(`${stand.url.replace('http', 'ws')}/factory/live?${query}`);
  const messages: Body[] = [];
  const looks = new Set<() => void>();
  socket.on('message', (data) => {
    messages.push(JSON.parse(String(data)));
    for (const look of looks) look();
  });
  const closed = new Promise<number>((resolve) => socket.once('close', resolve));
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('unexpected-response', (_request, response) => reject(new Error(`answered ${response.statusCode}`)));
    socket.once('error', reject);
  });
  return {
    messages,
    closed,
    seen: (test) =>
      new Promise((resolve) => {
        const look = (): void => {
          const found = messages.find(test);
          if (found === undefined) return;
          looks.delete(look);
          resolve(found);
        };
        looks.add(look);
        look();
      }),
    close: () => socket.close(),
  };
}

const ends =
  (id: string) =>
  (message: Body): boolean =>
    message.type === 'job' && message.job.id === id && message.job.status === 'completed';
const lastEvent =
  (id: string) =>
  (message: Body): boolean =>
    message.type === 'event' && message.job === id && message.event.type === 'job.completed';

describe('the live channel', () => {
  it('tells of every change of a run: its state, its receipts and its events', async () => {
    const live = await connect(`token=${stand.token}`);
    const id = await stand.run('sleep 100');
    await live.seen(lastEvent(id));
    expect(new Set(live.messages.map(({ type }) => type))).toEqual(new Set(['job', 'receipt', 'event']));
    const indexes = live.messages
      .filter(({ type, job }) => type === 'receipt' && job === id)
      .map(({ receipt }) => receipt.index);
    expect(indexes).toEqual([0, 1, 2, 3, 4, 5]);
    expect(live.messages.every(({ cursor }) => /^\d+$/.test(cursor))).toBe(true);
    live.close();
  });

  it('misses nothing of a run that has more receipts than a page', async () => {
    const live = await connect(`token=${stand.token}`);
    const { run: job } = await insertRun(stand.db, {
      organizationId: stand.organization.id,
      workspaceId: stand.organization.defaultId,
      createdBy: stand.owner.id,
      actor: `user:${stand.owner.id}`,
      kind: 'codex',
      objective: 'long',
      waitingReason: 'sandbox_engine_unavailable',
    });
    const step = async (from: Run, kind: 'job.started' | 'job.progress' | 'job.aborted'): Promise<Run> =>
      (await appendRunReceipt(stand.db, from, { kind, actor: 'system:worker-codex', body: {} })) ?? from;
    let at = await step(job, 'job.started');
    for (let n = 0; n < 1_200; n++) at = await step(at, 'job.progress');
    at = await step(at, 'job.aborted');
    // Nothing of this was announced: the channel looks by itself.
    await stand.db.query('select pg_notify($1, $2)', [stand.db.schema, `receipt jobs/${job.id}`]);
    await live.seen(
      (message) => message.type === 'event' && message.job === job.id && message.event.type === 'job.aborted',
    );
    for (const type of ['receipt', 'event'] as const) {
      const told = live.messages
        .filter((message) => message.type === type && message.job === job.id)
        .map((message) => (type === 'receipt' ? message.receipt.index : message.event.id));
      expect(told).toEqual(Array.from({ length: 1_203 }, (_, index) => index));
    }
    live.close();
  });

  it('resumes after a cursor with what happened meanwhile', async () => {
    const live = await connect(`token=${stand.token}`);
    const first = await stand.run('quick');
    const { cursor } = await live.seen(ends(first));
    live.close();
    await live.closed;
    const second = await stand.run('quick');
    await stand.until(second, 'completed');
    const again = await connect(`token=${stand.token}&after=${cursor}`);
    await again.seen(lastEvent(second));
    again.close();
  });

  it('refuses a request without a token, without the scope, or without a membership', async () => {
    const stranger = await addPerson(stand.db, 'stranger');
    await expect(connect('')).rejects.toThrow('answered 401');
    await expect(connect('token=nonsense')).rejects.toThrow('answered 401');
    await expect(connect(`token=${await stand.mint(stand.owner, stand.organization.id, ['chat'])}`)).rejects.toThrow(
      'answered 403',
    );
    await expect(connect(`token=${await stand.mint(stranger, stand.organization.id)}`)).rejects.toThrow('answered 403');
    const socket = new WebSocket(`${stand.url.replace('http', 'ws')}/elsewhere?token=${stand.token}`);
    expect(
      await new Promise((resolve) =>
        socket
          .once('unexpected-response', (_request, response) => resolve(response.statusCode))
          .once('error', () => {}),
      ),
    ).toBe(404);
  });

  it('shows each their own workspaces only', async () => {
    const other = await addPerson(stand.db, 'other');
    const elsewhere = await addOrganization(stand.db, other);
    const hidden = await createWorkspace(
      stand.db,
      { userId: stand.owner.id, organizationId: stand.organization.id },
      { name: 'Hidden' },
    );
    const colleague = await join(stand.db, stand.organization.id, await addPerson(stand.db, 'colleague'), 'member');
    const lives = await Promise.all([
      connect(`token=${await stand.mint(other, elsewhere.id)}`),
      connect(`token=${await stand.mint(colleague, stand.organization.id)}`),
    ]);
    const secret = await stand.run('quick', { workspace: hidden.id });
    await stand.until(secret, 'completed');
    const open = await stand.run('quick');
    await lives[1]?.seen(lastEvent(open));
    for (const live of lives) {
      expect(JSON.stringify(live.messages)).not.toContain(secret);
      live.close();
    }
    expect(lives[0]?.messages).toEqual([]);
  });

  it('ends when the membership does', async () => {
    const leaver = await join(stand.db, stand.organization.id, await addPerson(stand.db, 'leaver'), 'member');
    const live = await connect(`token=${await stand.mint(leaver, stand.organization.id)}`);
    await stand.db.query('delete from :schema.organization_member where organization_id = $1 and user_id = $2', [
      stand.organization.id,
      leaver.id,
    ]);
    await stand.db.query('select pg_notify($1, $2)', [stand.db.schema, `tenancy ${stand.organization.id}`]);
    expect(await live.closed).toBe(1008);
  });
});
