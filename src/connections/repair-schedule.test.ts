import { expect, it } from 'vitest';
import { createRepairSchedule } from './repair-schedule.ts';

const scope = (workspaceId: string): { organizationId: string; workspaceId: string } => ({
  organizationId: 'org_1',
  workspaceId,
});

function recorder() {
  const started: string[] = [];
  const waiting: (() => void)[] = [];
  const repair = ({ workspaceId }: { workspaceId: string }): Promise<object> => {
    started.push(workspaceId);
    return new Promise((resolve) => waiting.push(() => resolve({})));
  };
  return { started, repair, finish: () => waiting.splice(0).forEach((done) => done()) };
}
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

it('runs one repair a workspace at a time; who comes while one runs waits for the next, together', async () => {
  const { started, repair, finish } = recorder();
  const schedule = createRepairSchedule({ repair });
  const first = schedule.awaitRepair(scope('a'));
  const later = [schedule.awaitRepair(scope('a')), schedule.awaitRepair(scope('a'))];
  await turn();
  expect(started).toEqual(['a']);
  finish();
  await first;
  await turn();
  expect(started).toEqual(['a', 'a']);
  finish();
  await Promise.all(later);
  await schedule.idle();
});

it('defers without starting in the caller’s turn, never twice at once, and not again within the interval', async () => {
  const { started, repair, finish } = recorder();
  let now = 10_000;
  const schedule = createRepairSchedule({ repair, minIntervalMs: 1_000, nowMs: () => now });
  schedule.deferRepair(scope('a'));
  schedule.deferRepair(scope('a'));
  expect(started).toEqual([]);
  await turn();
  expect(started).toEqual(['a']);
  schedule.deferRepair(scope('a'));
  finish();
  await schedule.idle();
  schedule.deferRepair(scope('a'));
  await turn();
  expect(started).toEqual(['a']);
  now += 1_000;
  schedule.deferRepair(scope('a'));
  await turn();
  expect(started).toEqual(['a', 'a']);
  finish();
  await schedule.idle();
});

it('bounds how many deferred repairs run at once', async () => {
  const { started, repair, finish } = recorder();
  const schedule = createRepairSchedule({ repair, deferredAtOnce: 2 });
  for (const id of ['a', 'b', 'c', 'd']) schedule.deferRepair(scope(id));
  await turn();
  expect(started).toEqual(['a', 'b']);
  finish();
  await turn();
  expect(started).toEqual(['a', 'b', 'c', 'd']);
  finish();
  await schedule.idle();
});
