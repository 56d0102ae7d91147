// The checks of a turn, in the order of the specification: the caller is known; then the per-user limit, the
// catalogue, the policy, the credential, the reservation. Everything but the limit and the reservation is decided
// from memory first, so that one statement can do both; the limit is still what refuses first.
import { AppError } from '../base/errors.ts';
import type { Modality } from '../catalog/model-catalog.ts';
import type { Admission, AdmissionRequest, Admit, Settle } from '../enforcement/budget.ts';
import type { KvLimit } from '../enforcement/kv-limit.ts';
import { decideTurn, type Decision, type Route, type TurnSettings } from './decide-turn.ts';
import { holdFor, leastFor } from './estimate-cost.ts';
import type { Bound } from '../model-providers/bounds/bound-request.ts';
import type { Database, Transaction } from '../store/database.ts';
import { findTurnContext, holdSettings, type TurnContext, type TurnContextCache } from './turn-context.ts';

export interface TurnCaller {
  readonly userId: string;
  readonly tokenId: string | undefined;
  readonly organizationId: string | undefined;
  /** The workspace that the request or its token names; undefined when it picked none. */
  readonly workspace: string | undefined;
  /** The one workspace that the token is for, when it is for one. The request may have named it otherwise. */
  readonly boundTo?: string | undefined;
}

/** What a turn is prepared as: on platform credit it says what it may use at most. */
export type Prepares = { readonly bound?: Bound } | undefined;

export interface TurnRequest<Prepared extends Prepares> {
  readonly model: string;
  readonly modality: Modality;
  /** What asks, as the metrics name it. */
  readonly surface: string;
  readonly inputBytes: number;
  /** Whose key is read: the request's scope unless a caller of the specification's table reads the organization's. */
  readonly scope?: 'organization';
  /** The one provider that may be called, where not every one may. */
  readonly only?: string;
  /** False for what costs nothing. */
  readonly reserves?: false;
  /** Builds the provider's request; an AppError from it is a refusal like any other. */
  readonly prepare: (route: Route) => Prepared;
}

export interface OpenTurn<Prepared> {
  readonly route: Route;
  readonly prepared: Prepared;
  readonly context: TurnContext | undefined;
  readonly holdId: string | undefined;
  /** Reserved for it. */
  readonly heldMicros: number;
}

export interface OpenTurnDeps {
  readonly contexts: TurnContextCache;
  readonly admit: Admit;
  readonly settle: Pick<Settle, 'flush'>;
  readonly settings: TurnSettings;
  readonly db: Pick<Database, 'transaction'>;
  /** `SERVICE_PLATFORM_MONTHLY_LIMIT_USD`. */
  readonly ceilingMicros?: number | undefined;
  /** Requests a minute; 0 when the limit is off. */
  readonly limit: number;
  /** The limit kept outside the database, when SERVICE_KV_URL says so. */
  readonly kvLimit?: Pick<KvLimit, 'take'> | undefined;
}

/** After so many, what was decided on is held in place for as long as it takes to admit. */
const STALE_TRIES = 3;
const QUOTA_TRIES = 5;

export async function openTurn<Prepared extends Prepares>(
  deps: OpenTurnDeps,
  caller: TurnCaller,
  request: TurnRequest<Prepared>,
): Promise<OpenTurn<Prepared>> {
  let limit = await limitLeftToTheDatabase(deps, caller.userId);
  for (let stale = 0, short = 0; ;) {
    const { admission, made, context, heldMicros } =
      stale < STALE_TRIES
        ? await decideAndAdmit(deps, caller, request, limit)
        : await admitInPlace(deps, caller, request, limit);
    if (admission.outcome === 'stale') {
      stale += 1;
      forgetContext(deps, caller);
      continue;
    }
    // What earlier requests have left over may not be back yet. The limit has counted this one.
    if (
      (admission.outcome === 'quota_exceeded' || admission.outcome === 'ceiling_reached') &&
      ++short < QUOTA_TRIES &&
      (await deps.settle.flush())
    ) {
      limit = 0;
      continue;
    }
    const holdId = requireAdmitted(admission);
    if (made.refusal) throw made.refusal;
    return { route: made.route, prepared: made.prepared, context, holdId, heldMicros };
  }
}

interface Decided<Prepared> {
  readonly context: TurnContext | undefined;
  readonly made: Made<Prepared>;
  readonly heldMicros: number;
  readonly admission: Admission;
}

async function decideAndAdmit<Prepared extends Prepares>(
  deps: OpenTurnDeps,
  caller: TurnCaller,
  request: TurnRequest<Prepared>,
  limit: number,
): Promise<Decided<Prepared>> {
  const context = await findContext(deps, caller);
  const { made, admission } = decide(deps, caller, request, context);
  return { context, made, heldMicros: admission.micros, admission: await deps.admit({ ...admission, limit }) };
}

/** Settings that never rest: nobody writes them between reading and admitting, so that what was read still holds. */
async function admitInPlace<Prepared extends Prepares>(
  deps: OpenTurnDeps,
  caller: TurnCaller,
  request: TurnRequest<Prepared>,
  limit: number,
): Promise<Decided<Prepared>> {
  return deps.db.transaction(async (tx: Transaction) => {
    const { userId, organizationId, workspace } = caller;
    if (organizationId !== undefined) await holdSettings(tx, organizationId);
    const context = await findContext(
      { contexts: { find: (place) => findTurnContext(tx, place), forget: () => {} }, admit: deps.admit },
      { ...caller, userId, organizationId, workspace },
    );
    const { made, admission } = decide(deps, caller, request, context);
    return {
      context,
      made,
      heldMicros: admission.micros,
      admission: await deps.admit.within(tx, { ...admission, limit }),
    };
  });
}

function decide<Prepared extends Prepares>(
  deps: OpenTurnDeps,
  caller: TurnCaller,
  request: TurnRequest<Prepared>,
  context: TurnContext | undefined,
): { made: Made<Prepared>; admission: Omit<AdmissionRequest, 'limit'> } {
  const made = prepare(
    decideTurn(deps.settings, context, {
      model: request.model,
      modality: request.modality,
      scope: scopeOf(deps, caller, request),
      only: request.only,
    }),
    request,
  );
  return {
    made,
    admission: {
      userId: caller.userId,
      tokenId: caller.tokenId,
      organizationId: context?.organizationId,
      version: context?.version ?? 0,
      ...(made.refusal ? { micros: 0 } : reservationFor(made, request)),
      seatBudgetMicros: context?.seatBudgetMicros ?? 0,
      creditMicros: context?.creditMicros ?? 0,
      ceilingMicros: deps.ceilingMicros,
    },
  };
}

/** The limit that admission has to enforce: none when the key-value store has, all of it when that cannot say. */
async function limitLeftToTheDatabase({ kvLimit, limit }: OpenTurnDeps, userId: string): Promise<number> {
  if (!kvLimit || limit === 0) return limit;
  const verdict = await kvLimit.take(userId);
  if (verdict && !verdict.accepted)
    throw new AppError('rate_limited', { retryAfterSeconds: Math.ceil(verdict.retryAfterMs / 1000) });
  return verdict ? 0 : limit;
}

/** Counts a request before its turn is opened, for one that has work to do first; the turn itself is then not counted. A revoked token is refused too. */
export async function takeFromLimit(deps: OpenTurnDeps, userId: string, tokenId?: string): Promise<void> {
  const limit = await limitLeftToTheDatabase(deps, userId);
  if (limit > 0 || tokenId !== undefined) requireAdmitted(await deps.admit(unreserved(userId, tokenId, limit)));
}

/** For what opens no turn, or cannot: a revoked token is refused before anything is said of what it may reach. */
export async function refuseRevoked(
  { admit }: Pick<OpenTurnDeps, 'admit'>,
  { userId, tokenId }: TurnCaller,
): Promise<void> {
  if (tokenId !== undefined) requireAdmitted(await admit(unreserved(userId, tokenId, 0)));
}

/** An admission that checks the token and the limit and holds no money. */
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

function requireAdmitted(admission: Admission): string | undefined {
  switch (admission.outcome) {
    case 'admitted':
      return admission.holdId;
    case 'rate_limited':
      throw new AppError('rate_limited', { retryAfterSeconds: Math.ceil(admission.retryAfterMs / 1000) });
    case 'quota_exceeded':
      throw new AppError('quota_exceeded');
    case 'ceiling_reached':
      throw new AppError('quota_exceeded', { limit: 'deployment' });
    case 'revoked':
      throw new AppError('unauthenticated');
    case 'stale':
      throw new AppError('conflict');
  }
}

/** A caller without an organization has no context; one who is no member of theirs has no business here. */
export async function findContext(
  deps: Pick<OpenTurnDeps, 'contexts' | 'admit'>,
  caller: TurnCaller,
): Promise<TurnContext | undefined> {
  const { userId, organizationId, workspace, boundTo } = caller;
  if (organizationId === undefined) return undefined;
  const context = await deps.contexts.find({ userId, organizationId, workspace });
  if (context && isFor(boundTo, context)) return context;
  await refuseRevoked(deps, caller);
  throw new AppError('workspace_membership_required');
}

function isFor(boundTo: string | undefined, { workspaceId, workspaceSlug }: TurnContext): boolean {
  return boundTo === undefined || boundTo === workspaceId || boundTo === workspaceSlug;
}

export function forgetContext(
  deps: Pick<OpenTurnDeps, 'contexts'>,
  { userId, organizationId, workspace }: TurnCaller,
): void {
  if (organizationId !== undefined) deps.contexts.forget({ userId, organizationId, workspace });
}

/** In strict mode a turn that carries no workspace reads the organization's keys instead of Default's. */
export function scopeOf(
  deps: { readonly settings: Pick<TurnSettings, 'strict'> },
  caller: { readonly workspace?: string | undefined },
  request: Pick<TurnRequest<Prepares>, 'scope'>,
): 'workspace' | 'organization' {
  if (request.scope) return request.scope;
  return deps.settings.strict && caller.workspace === undefined ? 'organization' : 'workspace';
}

type Made<Prepared> =
  | { readonly refusal: AppError }
  | { readonly refusal?: undefined; readonly route: Route; readonly prepared: Prepared };

function prepare<Prepared extends Prepares>(decision: Decision, request: TurnRequest<Prepared>): Made<Prepared> {
  if (decision.refusal) return decision;
  try {
    return { route: decision.route, prepared: request.prepare(decision.route) };
  } catch (error) {
    if (error instanceof AppError) return { refusal: error };
    throw error;
  }
}

/** Nothing is held where an override pays. A request on platform credit that nobody has bounded is a fault, not a gift. */
function reservationFor<Prepared extends Prepares>(
  { route, prepared }: { readonly route: Route; readonly prepared: Prepared },
  request: TurnRequest<Prepared>,
): Pick<AdmissionRequest, 'micros' | 'note'> {
  const { credential, declared, model, provider } = route;
  if (request.reserves === false || credential.kind !== 'platform') return { micros: 0 };
  const bound = prepared?.bound;
  if (!bound || !declared?.price) throw new Error('a request on platform credit has no bound');
  return {
    micros: holdFor(declared.price, bound),
    note: {
      leastMicros: leastFor(declared.price, bound),
      model: model.id,
      provider,
      inputTokens: bound.likelyInputTokens,
    },
  };
}
