import { expect, test } from 'vitest';
import { apply } from './apply.ts';
import type { State } from './draft.ts';
import { handOver } from './hand-over.ts';
import type { PromiseRecord, Task } from '../protocol/records.ts';
import type { LocalStream } from '../streams/local-streams.ts';

const NOW = 1_000;
const NOTHING: State = { promises: new Map(), tasks: new Map(), awaiters: new Map(), listeners: new Map() };
const stream: LocalStream = {
  id: 's',
  group: 'g',
  pid: 'p',
  credit: 1,
  keepsLeases: true,
  leaseMs: 500,
  held: new Set(),
  send: () => {},
  end: () => {},
};
const promise = (id: string, more: Partial<PromiseRecord> = {}): PromiseRecord => ({
  id,
  state: 'pending',
  param: { data: `param of ${id}` },
  value: {},
  tags: { 'resonate:target': 'poll://any@g/p' },
  timeoutAt: 9_000,
  createdAt: 1,
  ...more,
});
const creating = (id: string, tags: Record<string, string>) =>
  apply(NOW, NOTHING, { kind: 'promise.create', data: { id, param: { data: 'x' }, tags, timeoutAt: 9_000 } }).changes;

test('a new task is written as acquired, with its lease, and nothing is left to send', () => {
  const asked: unknown[] = [];
  const { changes, handed } = handOver(
    creating('a', { 'resonate:target': 'poll://any@g/p' }),
    NOTHING,
    NOW,
    (...question) => (asked.push(question), stream),
  );
  expect(asked).toEqual([['a', 'any@g', 'p']]);
  expect(changes).toMatchObject({
    executes: [],
    tasks: [{ id: 'a', state: 'acquired', version: 1, pid: 'p', ttl: 500, expiresAt: NOW + 500, resumes: [] }],
  });
  expect(handed).toMatchObject([
    { id: 'a', version: 0, acquired: { task: { version: 1 }, promise: { param: { data: 'x' } }, preload: [] } },
  ]);
});

test.each([
  ['nobody can take it', 'poll://any@g', undefined],
  ['it is for nobody here', 'https://elsewhere', stream],
])('where %s everything stays as it is', (_why, target, chosen) => {
  const before = creating('a', { 'resonate:target': target });
  expect(handOver(before, NOTHING, NOW, () => chosen)).toEqual({ changes: before, handed: [] });
});

test('a resumed task gets what it awaited, without the parameters of its own calls', () => {
  const child = promise('a:1', { tags: { 'resonate:target': 'poll://any@w', 'resonate:parent': 'a' } });
  const waiting: Task = { id: 'a', state: 'suspended', version: 1, resumes: [], releases: 0 };
  const state: State = {
    promises: new Map([
      ['a', promise('a')],
      ['a:1', child],
    ]),
    tasks: new Map([['a', waiting]]),
    awaiters: new Map([['a:1', ['a']]]),
    listeners: new Map(),
  };
  const { changes } = apply(NOW, state, {
    kind: 'promise.settle',
    data: { id: 'a:1', state: 'resolved', value: { data: 'done' } },
  });
  const { handed } = handOver(changes, state, NOW, () => stream);
  expect(handed).toMatchObject([
    {
      id: 'a',
      version: 1,
      acquired: {
        task: { state: 'acquired', version: 2 },
        promise: { param: { data: 'param of a' } },
        preload: [{ id: 'a:1', state: 'resolved', param: {}, value: { data: 'done' } }],
      },
    },
  ]);
});
