// Who may make and change a schedule, and what is refused when it is saved.
import { describe, expect, it } from 'vitest';
import { addPerson, join, outcome } from '../../../test/support/people.ts';
import { useScheduleStand } from '../../../test/support/runs/schedule-stand.ts';
import { SCOPES } from '../../contract/tokens.ts';
import { listStanding } from '../standing/find-standing.ts';
import { changeSchedule, createSchedule, removeSchedule, type ScheduleWish } from './save-schedule.ts';
import { SCHEDULES } from './schedule.ts';

const stand = useScheduleStand();
const { callerOf, saving, make, read } = stand;

describe('a schedule', () => {
  it('belongs to who made it; owners and admins see, pause and delete it', async () => {
    const { standing } = await make();
    const [manager, stranger] = [
      await callerOf(stand.owner),
      await callerOf(await join(stand.db, stand.organization.id, await addPerson(stand.db), 'member')),
    ];
    expect(await outcome(read(standing.id, stranger))).toBe('not_found');
    expect((await listStanding(stand.db, SCHEDULES, stranger, {})).found).toEqual([]);
    expect((await listStanding(stand.db, SCHEDULES, manager, {})).found.map((one) => one.standing.id)).toEqual([
      standing.id,
    ]);
    expect(await outcome(changeSchedule(saving(), manager, { id: standing.id, name: 'Mine' }))).toBe('maker_required');
    expect(await outcome(changeSchedule(saving(), manager, { id: standing.id, enabled: true }))).toBe('maker_required');
    const off = await changeSchedule(saving(), manager, { id: standing.id, enabled: false });
    expect(off).toMatchObject({ standing: { enabled: false }, nextAt: undefined });
    expect(await outcome(removeSchedule(stand.db, stranger, standing.id))).toBe('not_found');
    await removeSchedule(stand.db, manager, standing.id);
    expect(await outcome(read(standing.id))).toBe('not_found');
  });

  it('acts with the authority of the last change, and not of one that only turned it off', async () => {
    const { standing } = await make();
    const narrow = await callerOf(stand.maker, ['jobs:write']);
    const off = await changeSchedule(saving(), narrow, { id: standing.id, enabled: false });
    expect(off.standing.authority.scopes).toEqual(SCOPES);
    const changed = await changeSchedule(saving(), narrow, { id: standing.id, run: { objective: 'do more' } });
    expect(changed.standing).toMatchObject({
      enabled: false,
      run: { objective: 'do more' },
      authority: { scopes: ['jobs:write'] },
    });
  });

  it('is one of so many that a person may have, however many are made at once', async () => {
    const wish: ScheduleWish = {
      name: 'One',
      run: { objective: 'x' },
      every: 60,
      overlap: 'skip',
      catchUp: 'one',
      enabled: true,
    };
    const made = await Promise.all(
      Array.from({ length: 8 }, () => outcome(createSchedule(saving({ perPerson: 3 }), stand.me, wish))),
    );
    expect(made.filter((one) => one === 'too_many_schedules')).toHaveLength(5);
    expect((await listStanding(stand.db, SCHEDULES, stand.me, {})).found).toHaveLength(3);
  });

  it('is refused when it is saved for what it could never start', async () => {
    const wishes: readonly [Partial<ScheduleWish>, string][] = [
      [{ run: { objective: 'x', model: 'openai/none' } }, 'model_not_found'],
      [{ run: { objective: 'x', capabilities: ['none/none'] } }, 'capability_unusable'],
      [{ run: { objective: 'x', workspace: 'elsewhere' } }, 'workspace_membership_required'],
      [{ cron: '0 0 31 2 *', timezone: 'UTC' }, 'invalid_schedule'],
      [{ cron: '0 0 9 * * *', timezone: 'UTC' }, 'invalid_schedule'],
      [{ cron: '0 9 * * *', timezone: 'Mars/Phobos' }, 'invalid_schedule'],
      [{ cron: '0 9 * * *' }, 'invalid_schedule'],
      [{ cron: '0 9 * * *', timezone: 'UTC', every: 60 }, 'invalid_schedule'],
      [{ every: 59 }, 'invalid_schedule'],
      [{ every: 60, timezone: 'UTC' }, 'invalid_schedule'],
      [{ at: '2020-01-01T00:00:00Z' }, 'invalid_schedule'],
    ];
    for (const [wish, code] of wishes) expect(await outcome(make(wish)), JSON.stringify(wish)).toBe(code);
    expect((await listStanding(stand.db, SCHEDULES, stand.me, {})).found).toEqual([]);
  });

  it('keeps its next time when other things change, and its zone when the line does', async () => {
    const { standing, nextAt } = await make({ cron: '30 9 * * *', timezone: 'Asia/Kathmandu' });
    const renamed = await changeSchedule(saving(), stand.me, { id: standing.id, name: 'Early', overlap: 'queue' });
    expect(renamed).toMatchObject({ nextAt, overlap: 'queue', standing: { name: 'Early' } });
    const moved = await changeSchedule(saving(), stand.me, { id: standing.id, cron: '0 10 * * *' });
    expect(moved.timing).toEqual({ cron: '0 10 * * *', timezone: 'Asia/Kathmandu' });
    expect(moved.nextAt?.toISOString()).toMatch(/T04:15:00/);
  });
});
