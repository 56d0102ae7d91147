import { expect, it } from 'vitest';
import { nameStream } from './name-stream.ts';

it.each([
  ['connect/ws_1', undefined, 'Tool calls in Lab'],
  ['connect/ws_global', undefined, 'Tool calls in the whole organization'],
  ['jobs/job_1', 'Count the issues', 'Run: Count the issues'],
  ['jobs/job_1', `${'x'.repeat(200)}\nand more`, `Run: ${'x'.repeat(119)}…`],
  ['jobs/job_1', undefined, 'Background run'],
  ['something', undefined, 'something'],
])('names %s of %s: %s', (stream, objective, name) => {
  expect(nameStream(stream, { workspaces: [{ id: 'ws_1', name: 'Lab' }], objective })).toBe(name);
});
