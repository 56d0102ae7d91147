import { expect, it } from 'vitest';
import { BODIES } from '../shell/admission/limits.ts';
import { STORED_LIMITS } from '../../stored-responses/stored-response.ts';
import { refuseTooLong } from '../../stored-responses/refuse-too-long.ts';

it('accepts no more by reference than a body may contain', () => {
  expect(STORED_LIMITS.conversationBytes).toBe(BODIES.model.bytes);
  expect(() => refuseTooLong({ tooLong: false, bytes: BODIES.model.bytes - 100 }, 100)).not.toThrow();
  expect(() => refuseTooLong({ tooLong: false, bytes: BODIES.model.bytes - 100 }, 101)).toThrow(
    expect.objectContaining({ code: 'request_too_large' }),
  );
  expect(() => refuseTooLong({ tooLong: true, bytes: 0 }, 1)).toThrow(
    expect.objectContaining({ code: 'request_too_large' }),
  );
});
