// The per-user limit, for requests that have work to do before their turn is opened and for those that open none; and
// how each refused admission leaves.
import { AppError } from '../base/errors.ts';
import type { Admission, AdmissionRequest, Admit } from '../enforcement/budget.ts';
import type { KvLimit } from '../enforcement/kv-limit.ts';

export interface LimitDeps {
  readonly admit: Admit;
  /** Requests per minute; 0 if the limit is off. */
  readonly limit: number;
  /** The limit kept outside the database, if SERVICE_KV_URL is set. */
  readonly kvLimit?: Pick<KvLimit, 'take'> | undefined;
}

/**
 * The limit that admission has to enforce: none if the key-value store has enforced it, the full limit if the store
 * failed.
 */
export async function remainingLimit({ kvLimit, limit }: LimitDeps, userId: string): Promise<number> {
  if (!kvLimit || limit === 0) return limit;
  const verdict = await kvLimit.take(userId);
  if (verdict && !verdict.accepted)
    throw new AppError('rate_limited', { retryAfterSeconds: Math.ceil(verdict.retryAfterMs / 1000) });
  return verdict ? 0 : limit;
}

/**
 * Counts a request before its turn is opened, for requests that have work to do first; the turn itself is then not
 * counted. Also refuses a revoked token.
 */
export async function takeFromLimit(deps: LimitDeps, userId: string, tokenId?: string): Promise<void> {
  const limit = await remainingLimit(deps, userId);
  if (limit > 0 || tokenId !== undefined) await requireAdmitted(deps, unreserved(userId, tokenId, limit));
}

/** Counts a request at most once, whichever of its steps is the first that costs something. */
export interface LimitOnce {
  readonly counted: boolean;
  take(): Promise<void>;
}

export function takeOnce(
  deps: LimitDeps,
  caller: { readonly userId: string; readonly tokenId: string | undefined },
): LimitOnce {
  let counted = false;
  return {
    get counted() {
      return counted;
    },
    async take() {
      if (counted) return;
      await takeFromLimit(deps, caller.userId, caller.tokenId);
      counted = true;
    },
  };
}

/** Before anything of a request is read: what this process knows already is not asked again. */
export function refuseKnown(
  { admit }: Pick<LimitDeps, 'admit'>,
  { userId, tokenId }: { readonly userId: string; readonly tokenId?: string | undefined },
): void {
  const retryAfterSeconds = admit.refusedFor(userId, tokenId);
  if (retryAfterSeconds !== undefined) throw new AppError('rate_limited', { retryAfterSeconds });
}

/** For requests that open no turn: a revoked token is refused before anything is revealed about what it may reach. */
export async function refuseRevoked(
  deps: Pick<LimitDeps, 'admit'>,
  { userId, tokenId }: { readonly userId: string; readonly tokenId: string | undefined },
): Promise<void> {
  if (tokenId !== undefined) await requireAdmitted(deps, unreserved(userId, tokenId, 0));
}

/** An admission that checks the token and the limit and reserves nothing. */
function unreserved(userId: string, tokenId: string | undefined, limit: number): AdmissionRequest {
  return {
    userId,
    tokenId,
    organizationId: undefined,
    version: 0,
    limit,
    micros: 0,
    seatBudgetMicros: 0,
    creditMicros: 0,
  };
}

async function requireAdmitted({ admit }: Pick<LimitDeps, 'admit'>, asked: AdmissionRequest): Promise<void> {
  const admission = await admit(asked);
  if (admission.outcome !== 'admitted') throw refusalOf(admission, asked);
}

type RefusedAdmission = Exclude<Admission, { outcome: 'admitted' }>;

export function refusalOf(admission: RefusedAdmission, { micros }: Pick<AdmissionRequest, 'micros'>): AppError {
  switch (admission.outcome) {
    case 'rate_limited':
      return new AppError('rate_limited', { retryAfterSeconds: Math.ceil(admission.retryAfterMs / 1000) });
    case 'cap_reached': {
      const { subject, limitMicros, resetsAt } = admission.cap;
      const retryAfterSeconds = Math.max(1, Math.ceil((Date.parse(resetsAt) - Date.now()) / 1000));
      return new AppError('cap_reached', {
        subject,
        limit: limitMicros / 1e6,
        resetsAt,
        ownKey: micros === 0,
        retryAfterSeconds,
      });
    }
    case 'quota_exceeded':
      return new AppError('quota_exceeded');
    case 'ceiling_reached':
      return new AppError('quota_exceeded', { limit: 'deployment' });
    case 'revoked':
      return new AppError('unauthenticated');
    case 'stale':
      return new AppError('conflict');
  }
}
