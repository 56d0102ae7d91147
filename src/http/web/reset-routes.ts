// The lost password. Whether an account exists is not told: the answer is the same and is given before a link is made,
// so neither its words nor its time depend on it. How much mail one address gets is limited where mail is queued, and
// reaching that limit is not told either.
import { AppError } from '../../base/errors.ts';
import { acceptsPassword } from '../../identity/openid/openid-settings.ts';
import type { OpenIdProvider } from '../../identity/openid/provider.ts';
import { linkUrl } from '../../identity/links/link-url.ts';
import { AUTH_PATH } from '../../identity/create-auth.ts';
import type { IdentitySettings } from '../../identity/identity-settings.ts';
import { markBrowser } from '../../identity/passwords/guess-limit.ts';
import {
  findResettable,
  makeResetLink,
  resetPassword,
  type ResetPasswordDeps,
} from '../../identity/passwords/reset-password.ts';
import type { Mailer } from '../../mail/mailer.ts';
import type { Log } from '../../telemetry/log.ts';
import { limitConcurrency } from '../../timing/limit-concurrency.ts';
import { requestLanguage } from '../shell/request-language.ts';
import type { AuthHandler } from './password-routes.ts';

export interface ResetRouteDeps extends ResetPasswordDeps {
  readonly log: Log;
  readonly mailer: Mailer;
  readonly settings: IdentitySettings;
  readonly openid: OpenIdProvider | undefined;
}

/** Links that are being made after their answer. */
const AT_ONCE = 2;
export const MOST_PENDING_LINKS = 100;

export function resetRoutes(deps: ResetRouteDeps): Readonly<Record<string, AuthHandler>> {
  const { db, clock, log, mailer, settings, openid } = deps;
  const gate = limitConcurrency(() => AT_ONCE);
  let pending = 0;

  async function sendLink(
    person: { userId: string; email: string },
    language: ReturnType<typeof requestLanguage>,
  ): Promise<void> {
    await db.transaction(async (tx) => {
      const link = linkUrl(settings.publicUrl, 'reset-password', await makeResetLink(tx, clock, person));
      await mailer.queue(tx, { kind: 'reset-password', to: person.email, values: { link }, language });
    });
  }

  const forgot: AuthHandler = async ({ body, request }) => {
    const { email } = body as { email: string };
    if (!acceptsPassword(openid?.settings, email)) throw new AppError('password_sign_in_closed');
    if (!mailer.configured) throw new AppError('mail_not_configured');
    if (pending >= MOST_PENDING_LINKS) throw new AppError('rate_limited', { retryAfterSeconds: 10 });
    const person = await findResettable(db, email);
    if (person) {
      pending++;
      gate(() => sendLink(person, requestLanguage(request.headers)))
        .catch((error: unknown) => log.info({ err: error }, 'no link for a lost password was sent'))
        .finally(() => pending--);
    }
    return answered();
  };

  const reset: AuthHandler = async ({ body }) => {
    const { token, password, keepTokens = false } = body as { token: string; password: string; keepTokens?: boolean };
    const email = await resetPassword(deps, { secret: token, password, keepTokens });
    // The person proved that they are the owner, so strangers' guesses do not lock this browser out.
    return answered(markBrowser(email, AUTH_PATH, settings));
  };

  return { '/forgot-password': forgot, '/reset-password': reset };
}

function answered(setCookie?: string): Response {
  return Response.json(
    { ok: true },
    { headers: { 'cache-control': 'no-store', ...(setCookie === undefined ? {} : { 'set-cookie': setCookie }) } },
  );
}
