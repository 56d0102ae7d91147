// An upgrade in the middle of the day, and the way back: processes of two versions on one database, runs and chats all
// the while. The later version is the same code with one more migration, which touches the tables that everything goes
// through.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findMigrationFaults } from '../../src/store/migration-kind.ts';
import { type BuildCopy, copyBuild } from '../support/stack/copy-build.ts';
import { freePort } from '../support/free-port.ts';
import type { Body } from '../support/http-client.ts';
import type { Program } from '../support/watch-process.ts';
import { leaveOut } from '../support/needs.ts';
import { openRunStand, type RunStand, type Tenant } from '../support/runs/run-stand.ts';
import { sandboxSkipReason } from '../support/sandbox/sandbox.ts';

const EXPANSION = `-- expand
alter table :schema.job add column note text, add column weight int not null default 1;
update :schema.job set note = 'before' where status = 'completed';
alter table :schema.receipt add column note text;
alter table :schema.chat_hold add column note text;
alter table :schema.usage_day add column note text not null default '';
alter table :schema.organization add column note text;
alter table :schema.broker_task add column note text;
create table :schema.job_note (job_id text primary key references :schema.job (id), words text not null);
`;

const UNDER_WAY = 4;

/** A person who goes on working: each answer or refusal is kept. */
interface Load {
  readonly runs: string[];
  readonly chats: number[];
  readonly faults: unknown[];
  stop(): Promise<void>;
}

describe('an upgrade under load', leaveOut(sandboxSkipReason), () => {
  let stand: RunStand;
  let tenant: Tenant;
  let [older, newer]: BuildCopy[] = [];
  const later: { port: number; web: number } = { port: 0, web: 0 };
  const processes: Record<string, Program> = {};
  let load: Load;
  const serving = { api: new Set<string>(), web: new Set<string>() };

  beforeAll(async () => {
    [older, newer] = await Promise.all([copyBuild(), copyBuild()]);
    await newer?.addMigration('example', EXPANSION);
    [later.port, later.web] = [await freePort(), await freePort()];
    stand = await openRunStand({
      environment: { SERVICE_CHAT_REQUESTS_PER_MINUTE: '100000' },
      ...(older ? { dist: older.dist } : {}),
    });
    Object.assign(processes, {
      worker: stand.worker,
      broker: stand.broker,
      driver: stand.driver,
      web: await stand.startShipped('web'),
    });
    stand.models.respondByDefault({ text: 'Done.' });
    tenant = await stand.newTenant();
    serving.api.add(stand.url);
    serving.web.add(stand.webUrl);
    load = work();
  }, 120_000);
  afterAll(async () => {
    await load?.stop();
    await stand?.close();
    await older?.remove();
    await newer?.remove();
  });

  function work(): Load {
    const stopping = new AbortController();
    const [runs, chats, faults]: [string[], number[], unknown[]] = [[], [], []];
    const pick = (urls: ReadonlySet<string>, turn: number): string => [...urls][turn % urls.size] ?? '';
    const post = (url: string, body: unknown): Promise<Response> =>
      fetch(url, {
        method: 'POST',
        headers: { authorization: `Bearer ${tenant.token}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    const each = async (turn: number): Promise<void> => {
      const started = await post(`${pick(serving.api, turn)}/agents/factory/jobs`, { objective: `Run ${turn}` });
      const { job, ...refusal } = (await started.json()) as Body;
      if (started.status === 202) runs.push(job.id);
      else faults.push(refusal);
      const chat = await post(`${pick(serving.web, turn)}/v1/chat/completions`, {
        model: 'openai/gpt-5-mini',
        messages: [{ role: 'user', content: `Chat ${turn}` }],
      });
      if (chat.status !== 200) faults.push(await chat.json());
      else chats.push(((await chat.json()) as Body).choices.length);
      // A few runs are under way at any time, not ever more.
      const before = runs.at(-UNDER_WAY);
      if (before !== undefined) await tenant.until(before, 'completed', 'failed');
    };
    const loop = (async () => {
      for (let turn = 0; !stopping.signal.aborted; turn++)
        await each(turn).catch((error: unknown) => faults.push(error));
    })();
    return { runs, chats, faults, stop: async () => (stopping.abort(), loop) };
  }

  /** Both surfaces have answered so many more since. */
  async function more(count: number): Promise<void> {
    const [runs, chats] = [load.runs.length, load.chats.length];
    await expect
      .poll(() => load.faults.length > 0 || (load.runs.length >= runs + count && load.chats.length >= chats + count), {
        timeout: 60_000,
      })
      .toBe(true);
    expect(load.faults).toEqual([]);
  }

  const LATER = {
    api: () => ({ SERVICE_RUNTIME_PORT: String(later.port) }),
    web: () => ({ SERVICE_WEB_PORT: String(later.web) }),
  };
  async function replace(build: BuildCopy | undefined, name: 'worker' | 'driver' | 'broker'): Promise<void> {
    // The broker is alone on its port; of the others the next is there before the one before goes.
    if (name === 'broker') expect(await processes[name]?.stop()).toBe(0);
    const next = await stand.startShipped(name === 'worker' ? 'worker-chat' : name, {}, build?.dist);
    if (name !== 'broker') expect(await processes[name]?.stop()).toBe(0);
    processes[name] = next;
  }

  it('has old and new roles side by side on the migrated schema', async () => {
    await more(3);
    expect(findMigrationFaults(9999, EXPANSION)).toEqual([]);
    processes['later-api'] = await stand.startShipped('api', LATER.api(), newer?.dist);
    processes['later-web'] = await stand.startShipped('web', LATER.web(), newer?.dist);
    expect(
      await stand.db
        .query('select note from :schema.job_note n right join :schema.job j on j.id = n.job_id limit 1')
        .catch((error: Error) => error.message),
    ).not.toContain('does not exist');
    serving.api.add(`http://127.0.0.1:${later.port}`);
    serving.web.add(`http://127.0.0.1:${later.web}`);
    await more(4);
    await Promise.all((['worker', 'broker', 'driver'] as const).map((name) => replace(newer, name)));
    serving.web.delete(stand.webUrl);
    expect(await processes['web']?.stop()).toBe(0);
    await more(3);
  }, 180_000);

  it('goes back to the old version without a restore', async () => {
    await Promise.all((['worker', 'broker', 'driver'] as const).map((name) => replace(older, name)));
    processes['web'] = await stand.startShipped('web', {}, older?.dist);
    serving.web.add(stand.webUrl);
    serving.web.delete(`http://127.0.0.1:${later.web}`);
    serving.api.delete(`http://127.0.0.1:${later.port}`);
    expect(await Promise.all([processes['later-web']?.stop(), processes['later-api']?.stop()])).toEqual([0, 0]);
    await more(3);
  }, 180_000);

  it('loses nothing that was acknowledged, and counts no attempt', async () => {
    await load.stop();
    expect(load.faults).toEqual([]);
    for (const id of load.runs)
      expect([id, await tenant.until(id, 'completed', 'failed')]).toMatchObject([
        id,
        { status: 'completed', attempt: 1 },
      ]);
    // Nobody waits for a settlement: the last ones may still be collecting.
    const requests = async (): Promise<number | undefined> => {
      const { rows } = await stand.db.query<{ requests: number }>(
        "select sum(requests)::int as requests from :schema.usage_day where organization_id = $1 and model = 'openai/gpt-5-mini'",
        [tenant.organization.id],
      );
      return rows[0]?.requests;
    };
    await expect.poll(requests).toBe(load.chats.length);
  }, 120_000);
});
