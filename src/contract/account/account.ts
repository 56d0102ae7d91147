// The signed-in person's own account: name, address, ways to sign in, sessions.
import { z } from 'zod';
import { route } from '../authority.ts';
import { done, email, id, name, nextCursor, page, timestamp } from '../common.ts';

export const PASSWORD_LENGTH = { min: 8, max: 128 } as const;
export const newPassword = z
  .string()
  .min(PASSWORD_LENGTH.min, `has fewer than ${PASSWORD_LENGTH.min} characters`)
  .max(PASSWORD_LENGTH.max, `has more than ${PASSWORD_LENGTH.max} characters`);
export const givenPassword = z.string().min(1).max(PASSWORD_LENGTH.max);
/** Six digits, or a recovery code; people also type spaces. */
export const givenCode = z.string().trim().min(6).max(40);

const user = z.object({ id, name: z.string(), email: z.string() });

const bytes = z
  .string()
  .regex(/^[\w-]*$/)
  .max(8_000);
const extensions = z.looseObject({});
const credential = {
  id: bytes.min(1).max(2_000),
  rawId: bytes,
  type: z.literal('public-key'),
  authenticatorAttachment: z.enum(['platform', 'cross-platform']).optional(),
  clientExtensionResults: extensions,
};
/** What a browser returns for a new passkey, as JSON (WebAuthn level 3, RegistrationResponseJSON). */
const madePasskey = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: bytes,
    attestationObject: bytes,
    transports: z.array(z.string().max(50)).max(10).optional(),
  }),
});
export type MadePasskey = z.infer<typeof madePasskey>;
/** What it returns for one that was used (AuthenticationResponseJSON). */
export const usedPasskey = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: bytes,
    authenticatorData: bytes,
    signature: bytes,
    userHandle: bytes.optional(),
  }),
});
export type UsedPasskey = z.infer<typeof usedPasskey>;
/** For the browser's WebAuthn functions, as JSON. */
export const passkeyOptions = z.looseObject({ challenge: z.string() });

const passkey = z.object({
  id,
  name: z.string(),
  /** Whether it is kept in several places, so that a lost device does not lose it. */
  backedUp: z.boolean(),
  createdAt: timestamp,
  usedAt: timestamp.optional(),
});
export type Passkey = z.infer<typeof passkey>;

const signInWays = z.object({
  password: z.boolean(),
  /** Whether the OpenID provider of the deployment signs this person in. */
  provider: z.boolean(),
  passkeys: z.array(passkey),
  oneTimeCodes: z.object({ since: timestamp, recoveryCodes: z.number() }).nullable(),
  /** How the calling session began, and whether it has a second factor. */
  session: z.object({ method: z.enum(['password', 'passkey', 'openid']), secondFactor: z.boolean() }),
});
export type SignInWays = z.infer<typeof signInWays>;

const session = z.object({
  id,
  /** As far as the client said: `Firefox`, `Linux`. */
  program: z.string().optional(),
  system: z.string().optional(),
  address: z.string().optional(),
  method: z.enum(['password', 'passkey', 'openid']),
  secondFactor: z.boolean(),
  startedAt: timestamp,
  /** Within a few minutes. */
  seenAt: timestamp,
  current: z.boolean(),
});
export type AccountSession = z.infer<typeof session>;

const recoveryCodes = z.object({ recoveryCodes: z.array(z.string()) });
const PROOF = 'Needs a fresh proof (`proof_required`): sign in, or call `POST /api/me/proof`.';
const TAGS = ['Account'];

const mailChoice = z.strictObject({ runs: z.boolean() });

export const account = {
  update: route('database', 'signed-in')
    .route({
      method: 'PATCH',
      path: '/api/me',
      tags: TAGS,
      summary: 'Change your name or your email address',
      description: `A name changes at once. A link that proves the address is sent to the new one, and the address changes when you open it; \`proving\` says that it was sent. ${PROOF.replace('Needs', 'An address needs')}`,
    })
    .input(z.strictObject({ name: name.optional(), email: email.optional() }))
    .output(z.object({ user, proving: z.string().optional() })),
  proveAddress: route('database', 'signed-in')
    .route({
      method: 'POST',
      path: '/api/me/address',
      tags: TAGS,
      summary: 'Prove your new address with the secret of the link that was sent to it',
    })
    .input(z.strictObject({ secret: z.string().min(1).max(200) }))
    .output(z.object({ user })),

  mails: {
    read: route('database', 'signed-in')
      .route({ method: 'GET', path: '/api/me/mails', tags: TAGS, summary: 'What you want mail about' })
      .output(mailChoice),
    choose: route('database', 'signed-in')
      .route({
        method: 'PUT',
        path: '/api/me/mails',
        tags: TAGS,
        summary: 'Choose what you want mail about',
        description: '`runs`: a mail when a run that you started ends. Nothing is sent if the deployment has no mail.',
      })
      .input(mailChoice)
      .output(mailChoice),
  },
  prove: route('hashing', 'signed-in')
    .route({
      method: 'POST',
      path: '/api/me/proof',
      tags: TAGS,
      summary: 'Prove again who you are, by your password or a passkey; it counts for ten minutes',
    })
    .input(z.union([z.strictObject({ password: givenPassword }), z.strictObject({ passkey: usedPasskey })]))
    .output(done),
  askForPasskey: route('database', 'signed-in')
    .route({
      method: 'POST',
      path: '/api/me/proof/options',
      tags: TAGS,
      summary: 'What to ask the browser for, to prove who you are by a passkey',
    })
    .output(passkeyOptions),
  strengthen: route('database', 'signed-in')
    .route({
      method: 'POST',
      path: '/api/me/second-factor',
      tags: TAGS,
      summary: 'Give this session a second factor, by a one-time code or a recovery code',
    })
    .input(z.strictObject({ code: givenCode }))
    .output(done),

  signIn: route('database', 'signed-in')
    .route({ method: 'GET', path: '/api/me/sign-in', tags: TAGS, summary: 'How you can sign in' })
    .output(signInWays),
  setPassword: route('hashing', 'signed-in')
    .route({
      method: 'PUT',
      path: '/api/me/password',
      tags: TAGS,
      summary: 'Set a password for an account that has none',
      description: PROOF,
    })
    .input(z.strictObject({ password: newPassword }))
    .output(done),
  removePassword: route('database', 'signed-in')
    .route({
      method: 'DELETE',
      path: '/api/me/password',
      tags: TAGS,
      summary: 'Remove your password; you then sign in by passkey',
      description: PROOF,
    })
    .output(done),

  passkeys: {
    offer: route('database', 'signed-in')
      .route({
        method: 'POST',
        path: '/api/me/passkeys/options',
        tags: TAGS,
        summary: 'What to ask the browser for, to make a passkey',
        description: PROOF,
      })
      .output(passkeyOptions),
    add: route('database', 'signed-in')
      .route({ method: 'POST', path: '/api/me/passkeys', successStatus: 201, tags: TAGS, summary: 'Add a passkey' })
      .input(z.strictObject({ name, passkey: madePasskey }))
      .output(z.object({ passkeys: z.array(passkey) })),
    rename: route('database', 'own')
      .route({ method: 'PATCH', path: '/api/me/passkeys/{passkey}', tags: TAGS, summary: 'Rename a passkey' })
      .input(z.strictObject({ passkey: id, name }))
      .output(done),
    remove: route('database', 'own')
      .route({
        method: 'DELETE',
        path: '/api/me/passkeys/{passkey}',
        tags: TAGS,
        summary: 'Remove a passkey',
        description: PROOF,
      })
      .input(z.strictObject({ passkey: id }))
      .output(done),
  },

  oneTimeCodes: {
    begin: route('database', 'signed-in')
      .route({
        method: 'POST',
        path: '/api/me/one-time-codes',
        tags: TAGS,
        summary: 'Begin to set up one-time codes; they count once a code has confirmed them',
        description: PROOF,
      })
      .output(z.object({ secret: z.string(), address: z.string() })),
    confirm: route('database', 'signed-in')
      .route({
        method: 'POST',
        path: '/api/me/one-time-codes/confirm',
        tags: TAGS,
        summary: 'Confirm one-time codes with a first code; returns the recovery codes, which are shown once',
        description: PROOF,
      })
      .input(z.strictObject({ code: givenCode }))
      .output(recoveryCodes),
    remove: route('database', 'signed-in')
      .route({
        method: 'DELETE',
        path: '/api/me/one-time-codes',
        tags: TAGS,
        summary: 'Remove one-time codes and recovery codes',
        description: PROOF,
      })
      .output(done),
    renewRecovery: route('database', 'signed-in')
      .route({
        method: 'POST',
        path: '/api/me/recovery-codes',
        tags: TAGS,
        summary: 'Replace your recovery codes; the old ones stop working',
        description: PROOF,
      })
      .output(recoveryCodes),
  },

  sessions: {
    list: route('database', 'signed-in')
      .route({ method: 'GET', path: '/api/me/sessions', tags: TAGS, summary: 'Where you are signed in, newest first' })
      .input(z.strictObject({ ...page }))
      .output(z.object({ sessions: z.array(session), ...nextCursor })),
    end: route('database', 'own')
      .route({
        method: 'DELETE',
        path: '/api/me/sessions/{session}',
        tags: TAGS,
        summary: 'End a session, with its short-lived tokens and streams',
      })
      .input(z.strictObject({ session: id }))
      .output(done),
  },
};
