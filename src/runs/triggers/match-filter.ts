import type { TriggerCondition } from '../../contract/standing/triggers.ts';
import { type Delivered, findAt } from './payload-path.ts';

/** Whether each condition holds; a trigger starts a run if all do. */
export function matchFilter(
  filter: readonly TriggerCondition[],
  delivered: Delivered,
): { readonly path: string; readonly holds: boolean }[] {
  return filter.map((condition) => ({
    path: condition.path,
    holds: holds(condition, findAt(delivered, condition.path)),
  }));
}

export function passesFilter(filter: readonly TriggerCondition[], delivered: Delivered): boolean {
  return matchFilter(filter, delivered).every((one) => one.holds);
}

function holds({ equals, in: among, exists }: TriggerCondition, found: unknown): boolean {
  if (exists !== undefined) return (found !== undefined) === exists;
  if (among !== undefined) return among.some((one) => one === found);
  return equals === found;
}
