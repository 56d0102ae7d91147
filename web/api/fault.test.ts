import { ORPCError } from '@orpc/client';
import { describe, expect, it } from 'vitest';
import { errorTexts, FALLBACK_ERROR } from './error-strings.ts';
import { errorCode, isUnauthenticated, readFault } from './fault.ts';

const answered = (status: number, body: unknown): ORPCError<string, unknown> =>
  new ORPCError(errorCode(body, status), { status, data: body });

describe('the message of a failed call', () => {
  it('uses our message for a known code', () => {
    expect(readFault(answered(409, { ok: false, error: 'last_owner', message: 'server words' })).text).toBe(
      errorTexts.last_owner,
    );
  });

  it('shows an error that is already a sentence', () => {
    const sentence = 'Only organization owners or admins can manage members.';
    expect(readFault(answered(403, { ok: false, error: sentence, message: 'Ask an owner.' })).text).toBe(sentence);
  });

  it("falls back to the server's message, then to a general one", () => {
    expect(readFault(answered(409, { ok: false, error: 'new_code', message: 'Because of this.' })).text).toBe(
      'Because of this.',
    );
    expect(readFault(answered(500, '<html>')).text).toBe(FALLBACK_ERROR);
  });

  it('names the fields of an invalid request, and of nothing else', () => {
    expect(
      readFault(answered(400, { ok: false, error: 'invalid_request', details: { name: 'is too long', nested: {} } }))
        .fields,
    ).toEqual({ name: 'is too long' });
    expect(
      readFault(answered(409, { ok: false, error: 'seat_capacity_reached', details: { plan: 'free' } })).fields,
    ).toEqual({});
  });

  it('says how long to wait', () => {
    expect(
      readFault(
        answered(429, {
          ok: false,
          error: 'rate_limited',
          message: 'server words',
          details: { retryAfterSeconds: 17 },
        }),
      ).text,
    ).toBe('Rate limited: too many requests in a short time. Try again in 17 seconds.');
    expect(readFault(answered(429, { ok: false, error: 'rate_limited' })).text).toContain('Wait a minute');
  });

  it('says that the server did not answer', () => {
    expect(readFault(new TypeError('Failed to fetch'))).toMatchObject({ status: 0, text: errorTexts.unreachable });
  });

  it('distinguishes a missing session from a wrong password', () => {
    expect(isUnauthenticated(answered(401, { ok: false, error: 'unauthenticated' }))).toBe(true);
    expect(isUnauthenticated(answered(401, undefined))).toBe(true);
    expect(isUnauthenticated(answered(401, { ok: false, error: 'invalid_credentials' }))).toBe(false);
  });
});
