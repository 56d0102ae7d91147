import { expect, it } from 'vitest';
import { codeAddress, codeOf, encodeBase32, findStep, newCodeSecret, stepAt } from './one-time-codes.ts';

const secret = Buffer.from('12345678901234567890');
const at = (seconds: number): Date => new Date(seconds * 1000);

// The vectors of RFC 6238, appendix B, for SHA-1: the last six of their eight digits.
it.each([
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
])('is at %i seconds %s', (seconds, code) => expect(codeOf(secret, stepAt(at(seconds)))).toBe(code));

it('is accepted in its own step and in the ones beside it', () => {
  const code = codeOf(secret, stepAt(at(1_000_000_000)));
  const accepted = [-90, -60, -30, 0, 30, 60, 90].map((late) => findStep(secret, code, at(1_000_000_000 + late)));
  const step = stepAt(at(1_000_000_000));
  expect(accepted).toEqual([undefined, undefined, step, step, step, undefined, undefined]);
});

it.each(['', '1', '12345', '1234567', 'abcdef', '２８７０８２'])('is not %j', (code) =>
  expect(findStep(secret, code, at(59))).toBeUndefined(),
);

it('is told to an app as RFC 4648 and the key URI format say', () => {
  expect(encodeBase32(Buffer.from('foobar'))).toBe('MZXW6YTBOI');
  expect(encodeBase32(newCodeSecret())).toMatch(/^[A-Z2-7]{32}$/);
  expect(codeAddress(secret, { issuer: 'a: b', account: 'x@y.example' })).toBe(
    'otpauth://totp/a%3A%20b:x%40y.example?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=a%3A%20b',
  );
});
