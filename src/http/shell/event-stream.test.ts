import { expect, it } from 'vitest';
import { wantsEventStream } from './event-stream.ts';

it.each([
  ['text/event-stream', true],
  ['Text/Event-Stream; charset=utf-8', true],
  ['text/event-stream, application/json', true],
  ['application/json, text/event-stream', false],
  ['application/json', false],
  ['*/*', false],
  ['', false],
])('accept: %s', (accept, wanted) => {
  expect(wantsEventStream(new Request('http://localhost/', { headers: { accept } }))).toBe(wanted);
});
