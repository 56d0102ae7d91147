import { expect, it } from 'vitest';
import { isCodeChallenge, verifiesChallenge } from './pkce.ts';

// The example of RFC 7636, appendix B.
const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';

it('accepts the verifier that made the challenge and no other', () => {
  expect(isCodeChallenge(CHALLENGE)).toBe(true);
  expect(verifiesChallenge(VERIFIER, CHALLENGE)).toBe(true);
  expect(verifiesChallenge(`${VERIFIER}x`, CHALLENGE)).toBe(false);
  expect(verifiesChallenge(CHALLENGE, CHALLENGE)).toBe(false);
});

it('refuses verifiers and challenges that are too short, too long or of other characters', () => {
  expect(verifiesChallenge('short', CHALLENGE)).toBe(false);
  expect(verifiesChallenge('x'.repeat(129), CHALLENGE)).toBe(false);
  expect(isCodeChallenge(undefined)).toBe(false);
  expect(isCodeChallenge('plain-text')).toBe(false);
  expect(isCodeChallenge(`${CHALLENGE}=`)).toBe(false);
});
