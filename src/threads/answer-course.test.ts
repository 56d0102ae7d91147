import { expect, test } from 'vitest';
import { openAnswerCourse } from './answer-course.ts';

test('an answer that the provider finished ends the way the provider reports', () => {
  const course = openAnswerCourse();
  expect(
    course.take(
      [
        { type: 'text', text: 'Hello' },
        { type: 'finish', reason: 'length' },
      ],
      true,
    ),
  ).toEqual([
    { type: 'text-start', id: '1' },
    { type: 'text-delta', id: '1', delta: 'Hello' },
  ]);
  expect(course.outcome()).toEqual({ finish: 'length' });
  expect(course.gone.aborted).toBe(false);
});

test('after a failure nothing more is read and the call is ended', () => {
  const course = openAnswerCourse();
  expect(
    course.take(
      [
        { type: 'error', kind: 'overloaded', message: 'Overloaded' },
        { type: 'text', text: 'more' },
        { type: 'finish', reason: 'stop' },
      ],
      true,
    ),
  ).toEqual([]);
  expect(course.outcome()).toMatchObject({ finish: 'error', error: { message: 'Overloaded' } });
  expect(course.gone.aborted).toBe(true);
});

test('an answer that is longer than any model writes is cut off', () => {
  const course = openAnswerCourse();
  course.take([{ type: 'text', text: 'x'.repeat(6 * 1024 * 1024) }], true);
  expect(course.outcome()).toMatchObject({
    finish: 'error',
    error: { message: 'The provider sent an answer that is too long.' },
  });
  expect(course.gone.aborted).toBe(true);
});

test('the first reason to stop decides how an unfinished answer ended', () => {
  const stopped = openAnswerCourse();
  stopped.leave('stopped');
  stopped.leave('interrupted');
  expect(stopped.outcome()).toEqual({ finish: 'stopped' });

  const interrupted = openAnswerCourse();
  interrupted.leave('interrupted');
  expect(interrupted.outcome()).toMatchObject({ finish: 'error', error: { code: 'unavailable' } });
});
