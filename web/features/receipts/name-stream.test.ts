import { expect, it } from 'vitest';
import { nameStream } from './name-stream.ts';

it.each([
  ['connect/ws_1', 'Tool calls in Lab'],
  ['connect/ws_global', 'Tool calls in the whole organization'],
  ['jobs/job_1', 'Background run job_1'],
  ['something', 'something'],
])('says what %s holds: %s', (stream, name) => {
  expect(nameStream(stream, [{ id: 'ws_1', name: 'Lab' }])).toBe(name);
});
