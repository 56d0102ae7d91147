// The signed-in person's own account. What makes it easier to get in, or harder for its owner, needs a fresh proof.
import type { Clock } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import { askForAddress, proveAddress, renamePerson } from '../../identity/account/change-account.ts';
import { chooseMail, readMailChoice } from '../../identity/account/mail-choice.ts';
import {
  addPasskey,
  confirmOneTimeCodes,
  type FactorDeps,
  removeOneTimeCodes,
  removePasskey,
  removePassword,
  renewRecoveryCodes,
  setPassword,
  strengthenSession,
} from '../../identity/account/change-factors.ts';
import { giveSecondFactor } from '../../identity/factors/give-second-factor.ts';
import { offerCodeSecret } from '../../identity/factors/one-time-code-secret.ts';
import { codeAddress, encodeBase32 } from '../../identity/factors/one-time-codes.ts';
import { listPasskeys, renamePasskey, siteOf } from '../../identity/factors/passkeys.ts';
import { offerPasskey } from '../../identity/factors/register-passkey.ts';
import { readSignInWays } from '../../identity/factors/sign-in-ways.ts';
import { askForPasskey, verifyPasskey } from '../../identity/factors/use-passkey.ts';
import type { RequireGoodPassword } from '../../identity/passwords/password-rules.ts';
import { checkPassword } from '../../identity/passwords/check-password.ts';
import { endSession, type EndSessionDeps } from '../../identity/sessions/end-session.ts';
import type { Session } from '../../identity/sessions/find-session.ts';
import { listSessions } from '../../identity/sessions/list-sessions.ts';
import { renewProof, requireProof } from '../../identity/sessions/require-proof.ts';
import { readIdCursor } from '../../tenancy/paging.ts';
import type { Admission } from '../shell/admission/admission.ts';
import { web } from './authorize.ts';

export interface AccountRouteDeps extends FactorDeps, EndSessionDeps {
  readonly requireGoodPassword: RequireGoodPassword;
  readonly admission: Pick<Admission, 'attempt'>;
}

const DONE = { ok: true } as const;

export function accountRoutes(deps: AccountRouteDeps) {
  return {
    account: {
      ...profileRoutes(deps),
      ...proofRoutes(deps),
      ...passwordRoutes(deps),
      passkeys: passkeyRoutes(deps),
      oneTimeCodes: oneTimeCodeRoutes(deps),
      mails: mailRoutes(deps),
      sessions: sessionRoutes(deps),
    },
  };
}

function mailRoutes({ db }: AccountRouteDeps) {
  return {
    read: web.account.mails.read.handler(({ context: { user } }) => readMailChoice(db, user.id)),
    choose: web.account.mails.choose.handler(({ context: { user }, input }) => chooseMail(db, user.id, input)),
  };
}

const callerOf = ({ user, sessionId }: Session) => ({ user, sessionId });

/** Throws `proof_required`. */
function proven(clock: Clock, session: Session): Session {
  requireProof(session, clock());
  return session;
}

function profileRoutes(deps: AccountRouteDeps) {
  const { clock, admission } = deps;
  return {
    update: web.account.update.handler(async ({ context: { user, signedIn }, input: { name, email } }) => {
      const isMoving = email !== undefined && email !== user.email;
      if (isMoving) {
        proven(clock, signedIn);
        admission.attempt('prove-address', user.id);
        await askForAddress(deps, user.id, email);
      }
      if (name !== undefined) await renamePerson(deps, user.id, name);
      const { id } = user;
      return { user: { id, name: name ?? user.name, email: user.email }, ...(isMoving ? { proving: email } : {}) };
    }),
    proveAddress: web.account.proveAddress.handler(async ({ context: { user }, input: { secret } }) => {
      const { id, name, email } = await proveAddress(deps, user, secret);
      return { user: { id, name, email } };
    }),
  };
}

function proofRoutes(deps: AccountRouteDeps) {
  const { db, clock, guesses } = deps;
  return {
    prove: web.account.prove.handler(async ({ context: { user, signedIn, network }, input }) => {
      const { sessionId } = signedIn;
      const isPasskey = 'passkey' in input;
      if ('passkey' in input) {
        const { userId } = await verifyPasskey(deps, 'passkey-proof', input.passkey);
        if (userId !== user.id) throw new AppError('invalid_passkey');
      } else {
        const { password } = input;
        await guesses.guard({ email: user.email, network, known: true }, () =>
          checkPassword(deps, { email: user.email, password }),
        );
      }
      await renewProof(db, clock, { sessionId, withPasskey: isPasskey });
      return DONE;
    }),
    askForPasskey: web.account.askForPasskey.handler(async ({ context: { user } }) => ({
      ...(await askForPasskey(deps, { kind: 'passkey-proof', userId: user.id })),
    })),
    strengthen: web.account.strengthen.handler(async ({ context: { user, signedIn, network }, input: { code } }) => {
      await giveSecondFactor(deps, { user, code, network, known: true });
      await strengthenSession(db, callerOf(signedIn));
      return DONE;
    }),
  };
}

function passwordRoutes(deps: AccountRouteDeps) {
  const { db, clock } = deps;
  return {
    signIn: web.account.signIn.handler(async ({ context: { user, signedIn } }) => ({
      ...(await readSignInWays(db, user.id)),
      session: { method: signedIn.method, secondFactor: signedIn.secondFactor },
    })),
    setPassword: web.account.setPassword.handler(async ({ context: { user, signedIn }, input: { password } }) => {
      proven(clock, signedIn);
      deps.requireGoodPassword(password, user);
      await setPassword(deps, user.id, password);
      return DONE;
    }),
    removePassword: web.account.removePassword.handler(async ({ context: { user, signedIn } }) => {
      proven(clock, signedIn);
      await removePassword(deps, user.id);
      return DONE;
    }),
  };
}

function passkeyRoutes(deps: AccountRouteDeps) {
  const { db, clock } = deps;
  const { passkeys } = web.account;
  return {
    offer: passkeys.offer.handler(async ({ context: { user, signedIn } }) => {
      proven(clock, signedIn);
      return { ...(await offerPasskey(deps, user)) };
    }),
    add: passkeys.add.handler(async ({ context: { user, signedIn }, input: { name, passkey } }) => {
      await addPasskey(deps, callerOf(proven(clock, signedIn)), { name, passkey });
      return { passkeys: await listPasskeys(db, user.id) };
    }),
    rename: passkeys.rename.handler(async ({ context: { user }, input: { passkey: id, name } }) => {
      await renamePasskey(db, { userId: user.id, id, name });
      return DONE;
    }),
    remove: passkeys.remove.handler(async ({ context: { user, signedIn }, input: { passkey } }) => {
      proven(clock, signedIn);
      await removePasskey(deps, user.id, passkey);
      return DONE;
    }),
  };
}

function oneTimeCodeRoutes(deps: AccountRouteDeps) {
  const { clock, settings } = deps;
  const { oneTimeCodes } = web.account;
  return {
    begin: oneTimeCodes.begin.handler(async ({ context: { user, signedIn } }) => {
      proven(clock, signedIn);
      const secret = await offerCodeSecret(deps, user.id);
      if (!secret) throw new AppError('one_time_codes_exist');
      const address = codeAddress(secret, { issuer: siteOf(settings).id, account: user.email });
      return { secret: encodeBase32(secret), address };
    }),
    confirm: oneTimeCodes.confirm.handler(async ({ context: { signedIn, network }, input: { code } }) => {
      const caller = callerOf(proven(clock, signedIn));
      return { recoveryCodes: await confirmOneTimeCodes(deps, caller, { code, network }) };
    }),
    remove: oneTimeCodes.remove.handler(async ({ context: { user, signedIn } }) => {
      proven(clock, signedIn);
      await removeOneTimeCodes(deps, user.id);
      return DONE;
    }),
    renewRecovery: oneTimeCodes.renewRecovery.handler(async ({ context: { user, signedIn } }) => {
      proven(clock, signedIn);
      return { recoveryCodes: await renewRecoveryCodes(deps, user.id) };
    }),
  };
}

function sessionRoutes(deps: AccountRouteDeps) {
  const { db, clock } = deps;
  const { sessions } = web.account;
  return {
    list: sessions.list.handler(({ context: { user, signedIn }, input: { cursor, limit = 50 } }) => {
      const before = readIdCursor(cursor, 'ses');
      return listSessions(db, { userId: user.id, sessionId: signedIn.sessionId, now: clock(), before, limit });
    }),
    end: sessions.end.handler(async ({ context: { user }, input: { session: sessionId } }) => {
      await db.transaction((tx) => endSession(tx, deps, { userId: user.id, sessionId }));
      return DONE;
    }),
  };
}
