import {
  generateRegistrationOptions,
  type PublicKeyCredentialCreationOptionsJSON,
  type RegistrationResponseJSON,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import { AppError } from '../../base/errors.ts';
import type { MadePasskey } from '../../contract/account/account.ts';
import { newId } from '../../base/ids.ts';
import { CHALLENGE_MINUTES, makeChallenge, takeChallenge } from './challenges.ts';
import { challengeIn, MOST_PASSKEYS, type PasskeyDeps, siteOf } from './passkeys.ts';

/** EdDSA, ES256 and RS256: what authenticators make. Named here, because the library's default asks Node for more. */
const ALGORITHMS = [-8, -7, -257];

interface Owner {
  readonly id: string;
  readonly name: string;
  readonly email: string;
}

/** What the browser asks the authenticator for. */
export async function offerPasskey(
  { db, clock, settings }: PasskeyDeps,
  { id, name, email }: Owner,
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const { rows } = await db.query<{ credential_id: string }>(
    'select credential_id from :schema.identity_passkey where user_id = $1',
    [id],
  );
  if (rows.length >= MOST_PASSKEYS) throw new AppError('too_many_passkeys', { limit: MOST_PASSKEYS });
  const challenge = await makeChallenge(db, clock, { kind: 'new-passkey', userId: id });
  const { id: rpID } = siteOf(settings);
  return generateRegistrationOptions({
    rpName: rpID,
    rpID,
    userID: new Uint8Array(Buffer.from(id)),
    userName: email,
    userDisplayName: name,
    challenge: new Uint8Array(Buffer.from(challenge, 'base64url')),
    timeout: CHALLENGE_MINUTES * 60_000,
    attestationType: 'none',
    supportedAlgorithmIDs: ALGORITHMS,
    excludeCredentials: rows.map(({ credential_id }) => ({ id: credential_id })),
    // It is found without an address, and it asks for a finger, a face or a PIN: so it is two factors by itself.
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
}

export interface NewPasskey {
  readonly credentialId: string;
  readonly publicKey: Buffer;
  readonly counter: number;
  readonly transports: readonly string[];
  readonly backedUp: boolean;
}

/** Throws `invalid_passkey`. The challenge is used up either way. */
export async function verifyNewPasskey(
  { db, clock, settings }: PasskeyDeps,
  userId: string,
  response: MadePasskey,
): Promise<NewPasskey> {
  const secret = challengeIn(response.response.clientDataJSON);
  const challenge = await takeChallenge(db, clock, { kind: 'new-passkey', secret });
  if (challenge?.userId !== userId) throw new AppError('invalid_passkey');
  const { id: rpID, origin } = siteOf(settings);
  const { verified, registrationInfo } = await verifyRegistrationResponse({
    response: response as RegistrationResponseJSON,
    expectedChallenge: secret,
    expectedOrigin: origin,
    expectedRPID: rpID,
    requireUserVerification: true,
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch(() => ({ verified: false as const, registrationInfo: undefined }));
  if (!verified) throw new AppError('invalid_passkey');
  const { credential, credentialBackedUp } = registrationInfo;
  return {
    credentialId: credential.id,
    publicKey: Buffer.from(credential.publicKey),
    counter: credential.counter,
    transports: credential.transports ?? [],
    backedUp: credentialBackedUp,
  };
}

/** Throws `invalid_passkey` for one that an account has already, and `too_many_passkeys`. */
export async function insertPasskey(
  { db, clock }: Pick<PasskeyDeps, 'db' | 'clock'>,
  userId: string,
  { name, made }: { readonly name: string; readonly made: NewPasskey },
): Promise<void> {
  await db.query('select 1 from :schema.identity_user where id = $1 for no key update', [userId]);
  const { rows } = await db.query<{ held: number }>(
    'select count(*)::int as held from :schema.identity_passkey where user_id = $1',
    [userId],
  );
  if ((rows[0]?.held ?? 0) >= MOST_PASSKEYS) throw new AppError('too_many_passkeys', { limit: MOST_PASSKEYS });
  const { rowCount } = await db.query(
    `insert into :schema.identity_passkey (id, user_id, name, credential_id, public_key, counter, transports, backed_up, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9) on conflict (credential_id) do nothing`,
    [
      newId('psk'),
      userId,
      name,
      made.credentialId,
      made.publicKey,
      made.counter,
      made.transports,
      made.backedUp,
      clock(),
    ],
  );
  if (rowCount === 0) throw new AppError('invalid_passkey');
}
