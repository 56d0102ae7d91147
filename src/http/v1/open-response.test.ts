import { expect, it } from 'vitest';
import { BODY_LIMIT_BYTES } from '../shell/read-json-body.ts';
import { STORED_LIMITS } from '../../chat/stored/stored-response.ts';
import { refuseTooLong } from './open-response.ts';

it('accepts no more by reference than a body may contain', () => {
  expect(STORED_LIMITS.conversationBytes).toBe(BODY_LIMIT_BYTES);
  expect(() => refuseTooLong({ tooLong: false, bytes: BODY_LIMIT_BYTES - 100 }, 100)).not.toThrow();
  expect(() => refuseTooLong({ tooLong: false, bytes: BODY_LIMIT_BYTES - 100 }, 101)).toThrow(
    expect.objectContaining({ code: 'request_too_large' }),
  );
  expect(() => refuseTooLong({ tooLong: true, bytes: 0 }, 1)).toThrow(
    expect.objectContaining({ code: 'request_too_large' }),
  );
});
