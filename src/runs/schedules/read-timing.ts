// Reads when a schedule is to fire, and names what cannot be.
import { AppError } from '../../base/errors.ts';
import { findCronFault } from './cron-line.ts';
import type { Timing } from './next-firing.ts';
import { findZone } from './zone-clock.ts';

export interface WantedTimes {
  readonly cron?: string | undefined;
  readonly timezone?: string | undefined;
  readonly every?: number | undefined;
  readonly at?: string | undefined;
}

export interface TimingRules {
  readonly now: Date;
  /** The shortest interval. */
  readonly minSeconds: number;
}

export function namesTimes({ cron, timezone, every, at }: WantedTimes): boolean {
  return [cron, timezone, every, at].some((value) => value !== undefined);
}

export function readTiming(wanted: WantedTimes, { now, minSeconds }: TimingRules): Timing {
  const { cron, timezone, every, at } = wanted;
  if ([cron, every, at].filter((value) => value !== undefined).length !== 1) throw refused('times', 'one_of');
  if (timezone !== undefined && cron === undefined) throw refused('timezone', 'zone_without_cron');
  if (cron !== undefined) return readCron(cron, timezone);
  if (every !== undefined) {
    if (every < minSeconds) throw refused('every', 'too_short', { minSeconds });
    return { everySeconds: every, anchor: now };
  }
  const moment = new Date(at ?? '');
  if (!(moment > now)) throw refused('at', 'past');
  return { at: moment };
}

function readCron(text: string, timezone: string | undefined): Timing {
  if (timezone === undefined) throw refused('timezone', 'zone_missing');
  if (!findZone(timezone)) throw refused('timezone', 'zone_unknown', { timezone });
  const cron = text.split(/\s+/).join(' ');
  const fault = findCronFault(cron);
  if (fault) throw refused('cron', fault);
  return { cron, timezone };
}

function refused(field: string, reason: string, more: Record<string, unknown> = {}): AppError {
  return new AppError('invalid_schedule', { field, reason, ...more });
}
