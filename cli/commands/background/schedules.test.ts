import { describe, expect, it } from 'vitest';
import { json, refuse } from '../../../test/support/cli/canned-service.ts';
import { TOKEN, useCliStand } from '../../../test/support/cli/cli-stand.ts';

const stand = useCliStand();
const AT = '2026-01-02T09:00:00.000Z';
const SCHEDULE = {
  id: 'sch_1',
  name: 'Daily',
  run: { objective: 'List the issues', kind: 'chat', workspace: 'ws_1', capabilities: ['github'] },
  cron: '0 9 * * 1-5',
  timezone: 'Europe/Berlin',
  overlap: 'skip',
  catchUp: 'one',
  enabled: true,
  nextAt: AT,
  createdBy: 'usr_1',
  createdAt: AT,
};
const OFF = { ...SCHEDULE, id: 'sch_2', enabled: false, nextAt: undefined };
const PAUSED = { ...SCHEDULE, id: 'sch_3', paused: { reason: 'authority_lost', at: AT }, nextAt: undefined };
const RECIPE = {
  id: 'rcp_1',
  name: 'weekly',
  run: { objective: 'Sum up {{topic}}', kind: 'codex', workspace: 'ws_2', capabilities: ['github'] },
  fields: [{ name: 'topic' }],
  createdBy: { id: 'usr_1', name: 'Ann' },
  createdAt: AT,
  updatedAt: AT,
  editable: true,
};

describe('schedules', () => {
  it('are listed with their state, on all pages', async () => {
    stand.serve({
      'GET /runtime/schedules': ({ query }) =>
        json(query['cursor'] === undefined ? { schedules: [SCHEDULE, OFF], cursor: 'sch_2' } : { schedules: [PAUSED] }),
    });
    expect((await stand.servicectl(['schedules'])).stdout).toBe(
      [
        `sch_1\tDaily\ton\t0 9 * * 1-5 (Europe/Berlin)\t${AT}`,
        'sch_2\tDaily\toff\t0 9 * * 1-5 (Europe/Berlin)\t',
        'sch_3\tDaily\tpaused (authority_lost)\t0 9 * * 1-5 (Europe/Berlin)\t',
        '',
      ].join('\n'),
    );
  });

  it('are created with a cron line, an interval or a moment', async () => {
    stand.serve({ 'POST /runtime/schedules': () => json({ schedule: SCHEDULE }, 201) });
    const create = (...times: string[]) =>
      stand.servicectl(['schedules', 'create', 'List the issues', '--capability', 'github', ...times]);
    expect(await create('--cron', '0 9 * * 1-5', '--timezone', 'Europe/Berlin', '--overlap', 'queue')).toEqual({
      code: 0,
      stdout: 'sch_1\n',
      stderr: `It starts its first run at ${AT}.\n`,
    });
    await create('--every', '3600', '--name', 'Hourly');
    await create('--at', AT, '--catch-up', 'none');
    const run = { objective: 'List the issues', capabilities: ['github'] };
    expect(stand.requests()).toMatchObject([
      {
        bearer: TOKEN,
        body: { name: 'List the issues', run, cron: '0 9 * * 1-5', timezone: 'Europe/Berlin', overlap: 'queue' },
      },
      { body: { name: 'Hourly', run, every: 3_600 } },
      { body: { at: AT, catchUp: 'none' } },
    ]);
    expect(await create('--every', 'soon')).toMatchObject({ code: 2 });
  });

  it('are created from a recipe with its fields, whose options count where none are given', async () => {
    stand.serve({
      'GET /runtime/recipes': { recipes: [RECIPE] },
      'POST /runtime/schedules': () => json({ schedule: SCHEDULE }, 201),
    });
    const create = (...more: string[]) =>
      stand.servicectl(['schedules', 'create', '--recipe', 'weekly', '--every', '3600', ...more]);
    expect(await create('--field', 'topic=the news', '--kind', 'chat')).toMatchObject({ code: 0 });
    expect(stand.requests().at(-1)?.body).toEqual({
      name: 'weekly',
      run: { objective: 'Sum up the news', kind: 'chat', workspace: 'ws_2', capabilities: ['github'] },
      every: 3_600,
    });
    expect(await create()).toMatchObject({ code: 2, stderr: expect.stringContaining('topic') });
    expect(await create('--field', 'subject=x')).toMatchObject({ code: 2, stderr: expect.stringContaining('subject') });
    expect(await stand.servicectl(['schedules', 'create', 'x', '--recipe', 'weekly'])).toMatchObject({ code: 2 });
    expect(await stand.servicectl(['schedules', 'create', 'x', '--field', 'topic=y'])).toMatchObject({ code: 2 });
    expect(await stand.servicectl(['schedules', 'create', '--every', '3600'])).toMatchObject({ code: 2 });
  });

  it('are turned off and on, started, and deleted once that is confirmed', async () => {
    stand.serve({
      'PATCH /runtime/schedules/sch_1': ({ body }) =>
        json({ schedule: (body as { enabled: boolean }).enabled ? SCHEDULE : OFF }),
      'POST /runtime/schedules/sch_1/run': refuse(403, 'maker_required'),
      'DELETE /runtime/schedules/sch_1': { ok: true },
    });
    expect((await stand.servicectl(['schedules', 'pause', 'sch_1'])).stderr).toBe('sch_1 is off.\n');
    expect((await stand.servicectl(['schedules', 'resume', 'sch_1'])).stderr).toContain(`Its next run is at ${AT}`);
    expect(await stand.servicectl(['schedules', 'run', 'sch_1'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('maker_required'),
    });
    expect(await stand.servicectl(['schedules', 'delete', 'sch_1'])).toMatchObject({ code: 2 });
    expect((await stand.servicectl(['schedules', 'delete', 'sch_1', '--yes'])).stderr).toBe('sch_1 is deleted.\n');
  });

  it('show what they start, and what became of their times', async () => {
    stand.serve({
      'GET /runtime/schedules/sch_3': { schedule: PAUSED },
      'GET /runtime/schedules/sch_3/firings': {
        firings: [
          { plannedAt: AT, at: AT, outcome: 'refused', code: 'authority_lost' },
          { plannedAt: AT, at: AT, outcome: 'started', job: 'job_1' },
        ],
      },
    });
    expect((await stand.servicectl(['schedules', 'show', 'sch_3'])).stdout).toMatch(
      /state\tpaused \(authority_lost\)\n[\s\S]*\n\nList the issues\n$/,
    );
    expect((await stand.servicectl(['schedules', 'firings', 'sch_3'])).stdout).toBe(
      `${AT}\trefused\t\tauthority_lost\n${AT}\tstarted\tjob_1\t\n`,
    );
  });
});
