import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { findProcess, isSameProcess } from './find-process.ts';

it('finds a living process under one unchanging identity', () => {
  const found = findProcess(process.pid);
  expect(found?.identity).toBeTruthy();
  expect(isSameProcess(process.pid, found?.identity ?? '')).toBe(true);
});

it('tells a process from a later one with the same id', () => {
  expect(isSameProcess(process.pid, 'another boot/1')).toBe(false);
});

it('finds nothing once a process has ended', async () => {
  const child = spawn(process.execPath, ['-e', '']);
  const pid = child.pid ?? 0;
  await once(child, 'exit');
  expect(findProcess(pid)).toBeUndefined();
});

it('finds nothing for an invalid process id', () => {
  expect([0, -1, Number.NaN, 1.5].map(findProcess)).toEqual([undefined, undefined, undefined, undefined]);
});
