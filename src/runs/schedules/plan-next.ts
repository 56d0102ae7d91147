// Writes when a schedule fires next. Schedules that are planned for the same time start one after the other: each has its
// place within the crowd, the same every day. One that has that time for itself starts at once.
import { createHash } from 'node:crypto';
import { nextFiring, spreadRoomMs, type Timing } from './next-firing.ts';

/** For each one that is planned for the same time, up to a minute's worth. */
const EACH_MS = 50;
const MOST_COUNTED = 800;

/** The parameters are the planned time, the place within the crowd, and the room that there is. */
export function lookAt(planned: string, place: string, roomMs: string): string {
  const crowd = `(select count(*) from (select from :schema.schedule o where o.next_at = ${planned}::timestamptz limit ${MOST_COUNTED}) c)`;
  return `${planned}::timestamptz + make_interval(secs => ${place}::float8 * least(${roomMs}::float8, ${EACH_MS} * ${crowd}) / 1000)`;
}

export interface Plan {
  readonly nextAt: Date | null;
  readonly place: number;
  readonly roomMs: number;
}

export function planAfter(id: string, timing: Timing, after: Date): Plan {
  const nextAt = nextFiring(timing, after);
  if (!nextAt) return { nextAt: null, place: 0, roomMs: 0 };
  const place = createHash('sha256').update(id).digest().readUInt32BE() / 2 ** 32;
  return { nextAt, place, roomMs: spreadRoomMs(timing, nextAt) };
}
