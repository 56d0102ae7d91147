import { expect, test } from 'vitest';
import type { Changes } from '../core/draft.ts';
import { createKnownOrigins } from './known-origins.ts';
import type { PromiseRecord, Task } from '../protocol/records.ts';

const NONE: Changes = {
  created: [],
  settled: [],
  tasks: [],
  clearAwaiters: [],
  forgetAwaiters: [],
  addAwaiters: [],
  clearListeners: [],
  addListeners: [],
  executes: [],
  unblocks: [],
};
const promise = (id: string, more: Partial<PromiseRecord> = {}): PromiseRecord => ({
  id,
  state: 'pending',
  param: {},
  value: {},
  tags: {},
  timeoutAt: 9,
  createdAt: 0,
  ...more,
});
const task = (id: string, more: Partial<Task> = {}): Task => ({
  id,
  state: 'pending',
  version: 0,
  resumes: [],
  releases: 0,
  ...more,
});
const born = (id: string): Changes => ({ ...NONE, created: [promise(id)], tasks: [task(id)] });

test('an origin is cached from its creation on; one that existed before is not', () => {
  const known = createKnownOrigins();
  known.written('old', 4, born('old'));
  known.written('new', 0, born('new'));
  expect(known.find('old')).toBeUndefined();
  expect(known.find('new')).toMatchObject({ revision: 1 });
  known.written('new', 1, {
    ...NONE,
    created: [promise('new:1')],
    addAwaiters: [{ awaited: 'new:1', awaiter: 'new' }],
  });
  expect(known.find('new')?.state.awaiters.get('new:1')).toEqual(['new']);
  known.written('new', 2, { ...NONE, forgetAwaiters: ['new'] });
  expect(known.find('new')).toMatchObject({ revision: 3 });
  expect(known.find('new')?.state.awaiters.get('new:1')).toEqual([]);
});

test('a write that does not follow the cached revision evicts the origin', () => {
  const known = createKnownOrigins();
  known.written('a', 0, born('a'));
  known.written('a', 2, { ...NONE, tasks: [task('a', { version: 5 })] });
  expect(known.find('a')).toBeUndefined();
  known.written('b', 0, born('b'));
  known.given('b', 2, task('b', { state: 'acquired', version: 1 }));
  expect(known.find('b')?.state.tasks.get('b')).toMatchObject({ state: 'acquired', version: 1 });
  known.given('b', 9, task('b'));
  expect(known.find('b')).toBeUndefined();
});

test('origins that are over, too large, or too many are evicted', () => {
  const known = createKnownOrigins({ originsMax: 2, bytesMax: 3_000 });
  known.written('done', 0, { ...NONE, created: [promise('done', { state: 'resolved' })] });
  expect(known.find('done')).toBeUndefined();
  for (const id of ['a', 'b', 'c']) known.written(id, 0, born(id));
  expect(['a', 'b', 'c'].map((id) => known.find(id) !== undefined)).toEqual([false, true, true]);
  known.written('b', 1, { ...NONE, created: [promise('b:1', { param: { data: 'x'.repeat(5_000) } })] });
  expect(known.find('b')).toBeUndefined();
  known.written('d', 0, {
    ...NONE,
    created: [promise('d'), ...Array.from({ length: 150 }, (_, n) => promise(`d:${n}`))],
  });
  expect(known.find('d')).toBeUndefined();
});
