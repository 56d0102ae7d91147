// Back-channel logout: the provider says which of its sessions have ended, and ours that came from them end too, with the
// tokens that were made in them. Open streams see it by the session (tenancy/tokens/find-ended.ts).
import { z } from 'zod';
import type { Clock } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import type { Database } from '../../store/database.ts';
import type { EndSessionDeps } from '../sessions/end-session.ts';
import { CLOCK_SKEW_SECONDS, type OpenIdProvider } from './provider.ts';
import { useOnce } from './use-once.ts';

const EVENT = 'http://schemas.openid.net/event/backchannel-logout';
/** Older tokens are refused, so their ids need not be kept for longer. */
const AGE_MAX_SECONDS = 10 * 60;
const PLAIN = z.string().min(1).max(255);

/** `nonce` must be absent: an ID token must never pass for a logout token. */
const claims = z.object({
  iat: z.number(),
  jti: PLAIN,
  sub: PLAIN.optional(),
  sid: PLAIN.optional(),
  nonce: z.never().optional(),
  events: z.object({ [EVENT]: z.looseObject({}) }),
});

interface EndedSession {
  readonly issuer: string;
  readonly subject: string | undefined;
  readonly session: string | undefined;
}

export interface EndProviderSessionsDeps extends EndSessionDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly provider: OpenIdProvider;
}

/** Throws `invalid_request` and `openid_unavailable`. */
export async function endProviderSessions(deps: EndProviderSessionsDeps, logoutToken: string): Promise<void> {
  const { ended, id, until } = await readLogoutToken(deps, logoutToken);
  await deps.db.transaction(async (tx) => {
    if (!(await useOnce(tx, 'logout', { id: `${ended.issuer}\0${id}`, until }))) throw refusal('was already used');
    const { rows } = await tx.query<{ id: string; user_id: string }>(
      `delete from :schema.identity_session
        where issuer = $1 and ($2::text is null or subject = $2) and ($3::text is null or provider_session = $3) returning id, user_id`,
      [ended.issuer, ended.subject ?? null, ended.session ?? null],
    );
    for (const { id: sessionId, user_id: userId } of rows) await deps.revokeTokensOfSession(tx, userId, sessionId);
  });
}

async function readLogoutToken(
  { provider, clock }: EndProviderSessionsDeps,
  token: string,
): Promise<{ ended: EndedSession; id: string; until: Date }> {
  const { payload, type, issuer } = await provider.verify(token).catch((error: unknown) => {
    if (error instanceof AppError) throw error;
    throw refusal('is not a valid token of the provider for this client', error);
  });
  if (type !== undefined && !['logout+jwt', 'jwt'].includes(type.toLowerCase())) throw refusal('has another type');
  const { data } = claims.safeParse(payload);
  if (!data || (data.sub ?? data.sid) === undefined) throw refusal('is not a logout token');
  const now = clock().getTime();
  const age = now / 1000 - data.iat;
  if (age > AGE_MAX_SECONDS || age < -CLOCK_SKEW_SECONDS) throw refusal('is too old or from the future');
  return {
    ended: { issuer, subject: data.sub, session: data.sid },
    id: data.jti,
    until: new Date(now + (AGE_MAX_SECONDS + 2 * CLOCK_SKEW_SECONDS) * 1000),
  };
}

function refusal(what: string, cause?: unknown): AppError {
  return new AppError('invalid_request', { logout_token: what }, { cause });
}
