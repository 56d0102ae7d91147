import { expect, it } from 'vitest';
import type { Viewer } from '../../tenancy/members/find-viewer.ts';
import { createChangeQueue } from './change-queue.ts';

const viewer: Viewer = {
  userId: 'usr_1',
  organizationId: 'org_1',
  role: 'admin',
  sees: new Set(['ws_in', 'ws_seen']),
  isIn: new Set(['ws_in']),
};

it('sends each change once, without the person and the organization', () => {
  const queue = createChangeQueue();
  const notice = { table: 'chat_thread', organization: 'org_1', workspace: 'ws_in', user: 'usr_1', id: 'thr_1' };
  queue.add(notice);
  queue.add(notice);
  expect(queue.take(viewer)).toEqual([{ table: 'chat_thread', workspace: 'ws_in', id: 'thr_1' }]);
  expect(queue.take(viewer)).toEqual([]);
});

it.each([
  ['of another organization', { table: 'org_policy', organization: 'org_2' }],
  ['of another person', { table: 'chat_thread', organization: 'org_1', user: 'usr_2', id: 'thr_2' }],
  ['of a workspace that is not seen', { table: 'workspace', organization: 'org_1', workspace: 'ws_other' }],
  [
    'of runs in a workspace that is seen but not entered',
    { table: 'job', organization: 'org_1', workspace: 'ws_seen' },
  ],
  ['of a table that nobody views', { table: 'identity_session', organization: 'org_1' }],
])('does not tell %s', (_what, notice) => {
  const queue = createChangeQueue();
  queue.add(notice);
  expect(queue.take(viewer)).toEqual([]);
});

it('sends changes of every workspace to owners and admins of the organization', () => {
  const queue = createChangeQueue();
  queue.add({ table: 'workspace', organization: 'org_1', workspace: 'ws_seen', id: 'ws_seen' });
  expect(queue.take(viewer)).toHaveLength(1);
});

it('becomes `*` when too much piles up or notifications were lost, then starts again', () => {
  const queue = createChangeQueue();
  for (let n = 0; n < 1_000; n++)
    queue.add({ table: 'job', organization: 'org_1', workspace: 'ws_in', id: `job_${n}` });
  expect(queue.take(viewer)).toEqual([{ table: '*' }]);
  expect(queue.take(viewer)).toEqual([]);
  queue.add({ table: 'org_policy', organization: 'org_1' });
  queue.addMissed();
  expect(queue.take(viewer)).toEqual([{ table: '*' }]);
});
