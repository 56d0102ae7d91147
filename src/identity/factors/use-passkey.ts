// Proves who someone is by a passkey: to sign in, where nobody is known yet, or to prove it again.
import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  type PublicKeyCredentialRequestOptionsJSON,
  verifyAuthenticationResponse,
} from '@simplewebauthn/server';
import { AppError } from '../../base/errors.ts';
import type { UsedPasskey } from '../../contract/account/account.ts';
import { type Challenge, CHALLENGE_MINUTES, type ChallengeKind, makeChallenge, takeChallenge } from './challenges.ts';
import { challengeIn, type PasskeyDeps, siteOf } from './passkeys.ts';

export type PasskeyUse = Extract<ChallengeKind, 'passkey-sign-in' | 'passkey-proof'>;

/** Names no passkey: the browser offers those that it has for this site. */
export async function askForPasskey(
  { db, clock, settings }: PasskeyDeps,
  asked: { readonly kind: PasskeyUse; readonly userId?: string; readonly remember?: boolean },
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const challenge = await makeChallenge(db, clock, asked);
  return generateAuthenticationOptions({
    rpID: siteOf(settings).id,
    challenge: new Uint8Array(Buffer.from(challenge, 'base64url')),
    timeout: CHALLENGE_MINUTES * 60_000,
    userVerification: 'required',
  });
}

interface PasskeyRow extends Record<string, unknown> {
  id: string;
  user_id: string;
  public_key: Buffer;
  counter: string;
  email: string;
  person: string;
}

export interface Proven {
  readonly userId: string;
  readonly name: string;
  readonly email: string;
  readonly remember: boolean;
}

/** Throws `invalid_passkey`, whatever was wrong. The challenge is used up either way. */
export async function verifyPasskey(deps: PasskeyDeps, kind: PasskeyUse, response: UsedPasskey): Promise<Proven> {
  const { db, clock } = deps;
  const secret = challengeIn(response.response.clientDataJSON);
  const challenge = await takeChallenge(db, clock, { kind, secret });
  const { rows } = await db.query<PasskeyRow>(
    `select p.id, p.user_id, p.public_key, p.counter, u.email, u.name as person
       from :schema.identity_passkey p join :schema.identity_user u on u.id = p.user_id where p.credential_id = $1`,
    [response.id],
  );
  const [row] = rows;
  if (!challenge || !row || !belongsTo(row, challenge, response)) throw new AppError('invalid_passkey');
  const { id: rpID, origin } = siteOf(deps.settings);
  const known = { id: response.id, publicKey: new Uint8Array(row.public_key), counter: Number(row.counter) };
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: response as AuthenticationResponseJSON,
    expectedChallenge: secret,
    expectedOrigin: origin,
    expectedRPID: rpID,
    credential: known,
    requireUserVerification: true,
  }).catch(() => ({ verified: false, authenticationInfo: undefined }));
  if (!verified || !authenticationInfo?.userVerified) throw new AppError('invalid_passkey');
  // A copy of an authenticator counts on its own: one of the two is refused.
  const { rowCount } = await db.query(
    `update :schema.identity_passkey set counter = $2, backed_up = $3, used_at = $4
      where id = $1 and (counter < $2 or (counter = 0 and $2 = 0))`,
    [row.id, authenticationInfo.newCounter, authenticationInfo.credentialBackedUp, clock()],
  );
  if (rowCount === 0) throw new AppError('invalid_passkey');
  return { userId: row.user_id, name: row.person, email: row.email, remember: challenge.remember };
}

function belongsTo({ user_id: owner }: PasskeyRow, { userId }: Challenge, { response }: UsedPasskey): boolean {
  const named = response.userHandle === undefined ? owner : Buffer.from(response.userHandle, 'base64url').toString();
  return named === owner && (userId === undefined || userId === owner);
}
