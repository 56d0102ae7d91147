// The checks of a turn, in the order of the specification: the caller is known, then the per-user limit, the catalogue,
// the policy, the credential, the reservation. Everything but the limit and the reservation is decided in memory first,
// so that one statement can do both; the limit still refuses first.
import { AppError } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import { currentRequest } from '../telemetry/request-scope.ts';
import type { Modality } from '../catalog/model-catalog.ts';
import type { SpendSurface } from '../contract/spend.ts';
import type { Admission, AdmissionRequest, Settle, SpendTag } from '../enforcement/budget.ts';
import { decideTurn, type Decision, nameOf, type Route, type TurnSettings } from './decide-turn.ts';
import { costOf, estimateTokens, holdFor, leastFor, usageFromStreamed } from './estimate-cost.ts';
import { afterHop, chooseNextHop, type HopCourse } from './routes/choose-next-hop.ts';
import { type LimitDeps, refuseRevoked, refusalOf, remainingLimit } from './take-from-limit.ts';
import type { Bound } from '../model-providers/bounds/bound-request.ts';
import { findTurnContext, lockSettings, type TurnContext, type TurnContextCache } from './turn-context.ts';

export interface TurnCaller {
  readonly userId: string;
  readonly tokenId: string | undefined;
  readonly organizationId: string | undefined;
  /** The workspace named by the request or its token; undefined if none was picked. */
  readonly workspace: string | undefined;
  /** The only workspace the token is valid for, if restricted. The request may refer to it by another name. */
  readonly boundTo?: string | undefined;
  /** The named token that the request is counted for. */
  readonly spendTokenId?: string | undefined;
  /** The workspace that it is counted for, if it is not the one that pays. */
  readonly spendWorkspaceId?: string | undefined;
  /** The project that it is counted for. */
  readonly projectId?: string | undefined;
  /** The patterns of the models that the token may be used for. */
  readonly models?: readonly string[] | undefined;
}

/** The prepared provider request; on platform credit it states its upper bound. */
export type PreparedRequest = { readonly bound?: Bound } | undefined;

export interface TurnRequest<Prepared extends PreparedRequest> {
  readonly model: string;
  readonly modality: Modality;
  /** The surface, as the metrics name it. */
  readonly surface: string;
  readonly inputBytes: number;
  /** The scope whose key is read: the request's, unless the specification's table says the organization's. */
  readonly scope?: 'organization';
  /** Restricts the turn to providers that background runs can use. */
  readonly forRun?: boolean;
  /** Whether the surface is passed on as it is. */
  readonly passes?: boolean;
  /** Whether the limit has counted it already, or what it is part of. */
  readonly counted?: boolean;
  /** False for requests that cost nothing. */
  readonly reserves?: false;
  /** Builds the provider request, later if it is large. An AppError it throws is a refusal like any other. */
  readonly prepare: (route: Route) => Prepared | Promise<Prepared>;
}

export interface OpenTurn<Prepared> {
  readonly route: Route;
  /** The way through the route that was named, up to this model. */
  readonly course: HopCourse | undefined;
  readonly prepared: Prepared;
  readonly context: TurnContext | undefined;
  readonly holdId: string | undefined;
  /** The amount reserved; 0 if an override pays. */
  readonly heldMicros: number;
  /** The likely size of the input. */
  readonly inputTokens: number;
  /** What is left under the tightest cap, if there is one. */
  readonly roomMicros: number | undefined;
  readonly spend: SpendTag | undefined;
}

export interface OpenOptions {
  /** Told of a refusal of a member's request, except by the per-user limit. */
  readonly onRefusal?: (
    organizationId: string,
    spend: SpendTag,
    refused: { error: AppError; route?: string | undefined },
  ) => void;
  /** Told of the models of a route that were passed over. */
  readonly onTried?: (course: HopCourse) => void;
  /** The rest of a route: the limit has counted the request already. */
  readonly course?: HopCourse | undefined;
}

/** The per-user limit that is left to enforce, and the rest of a route. */
interface HopStart {
  readonly limit: number;
  readonly course: HopCourse | undefined;
}

export interface OpenTurnDeps extends LimitDeps {
  readonly contexts: TurnContextCache;
  readonly settle: Pick<Settle, 'flush'>;
  readonly settings: TurnSettings;
  /** `SERVICE_PLATFORM_MONTHLY_LIMIT_USD`. */
  readonly ceilingMicros?: number | undefined;
}

/** Beyond it, the settings are locked until the request is admitted. */
const MOST_STALE = 3;
const MOST_FLUSHES = 4;

export async function openTurn<Prepared extends PreparedRequest>(
  deps: OpenTurnDeps,
  caller: TurnCaller,
  request: TurnRequest<Prepared>,
  { onRefusal, onTried, course: rest }: OpenOptions = {},
): Promise<OpenTurn<Prepared>> {
  const limit = request.counted || rest ? 0 : await remainingLimit(deps, caller.userId);
  for (let start: HopStart = { limit, course: rest }; ;) {
    const { admission, made, context, asked } = await admitFlushed(deps, caller, request, start);
    const { micros: heldMicros, note, spend } = asked;
    const refused = (refusal: AppError): AppError => {
      if (context && spend && !UNLOGGED.has(admission.outcome))
        onRefusal?.(context.organizationId, spend, { error: refusal, route: made.course?.asked });
      return refusal;
    };
    if (made.course && made.course.tried.length > 0) onTried?.(made.course);
    if (made.refusal) throw refused(admission.outcome === 'admitted' ? made.refusal : refusalOf(admission, asked));
    const { route, prepared } = made;
    if (admission.outcome === 'admitted') {
      const { holdId, roomMicros } = admission;
      const inputTokens = note?.inputTokens ?? 0;
      return { route, course: made.course, prepared, context, holdId, heldMicros, inputTokens, roomMicros, spend };
    }
    const refusal = refusalOf(admission, asked);
    if (!made.course) throw refused(refusal);
    const course = afterHop(made.course, { kind: 'refused', error: refusal });
    onTried?.(course);
    const { error } = chooseNextHop(course);
    if (error) throw refused(error);
    start = { limit: 0, course };
  }
}

async function admitFlushed<Prepared extends PreparedRequest>(
  deps: OpenTurnDeps,
  caller: TurnCaller,
  request: TurnRequest<Prepared>,
  start: HopStart,
): Promise<Decided<Prepared>> {
  let decided = await admitCurrent(deps, caller, request, start);
  // Unused reservations of earlier requests may not be returned yet. The limit has already counted this one.
  for (let flushes = 0; isShort(decided.admission) && flushes < MOST_FLUSHES && (await deps.settle.flush()); flushes++)
    decided = await admitCurrent(deps, caller, request, { ...start, limit: 0 });
  return decided;
}

interface Decided<Prepared> {
  readonly context: TurnContext | undefined;
  readonly made: PreparationResult<Prepared>;
  readonly asked: Omit<AdmissionRequest, 'limit'>;
  readonly admission: Admission;
}

const UNLOGGED: ReadonlySet<Admission['outcome']> = new Set(['rate_limited', 'revoked', 'stale']);

function isShort({ outcome }: Admission): boolean {
  return outcome === 'quota_exceeded' || outcome === 'ceiling_reached' || outcome === 'cap_reached';
}

/** Decides by the settings as they were read last; if they have changed since, they are read again. */
async function admitCurrent<Prepared extends PreparedRequest>(
  deps: OpenTurnDeps,
  caller: TurnCaller,
  request: TurnRequest<Prepared>,
  start: HopStart,
): Promise<Decided<Prepared>> {
  for (let stale = 0; stale < MOST_STALE; stale++) {
    const decided = await decideAndAdmit(deps, caller, request, start);
    if (decided.admission.outcome !== 'stale') return decided;
    forgetContext(deps, caller);
  }
  return admitLocked(deps, caller, request, start);
}

async function decideAndAdmit<Prepared extends PreparedRequest>(
  deps: OpenTurnDeps,
  caller: TurnCaller,
  request: TurnRequest<Prepared>,
  start: HopStart,
): Promise<Decided<Prepared>> {
  const { limit, course } = start;
  const context = await findContext(deps, caller);
  const preparing = prepare(decideRoute(deps, caller, request, { context, course }), request);
  const made = preparing instanceof Promise ? await preparing : preparing;
  const asked = admissionFor(deps, caller, request, { context, made });
  return { context, made, asked, admission: await deps.admit({ ...asked, limit }) };
}

/** For settings that keep changing: locks them between reading and admission, so that what was read still holds. */
async function admitLocked<Prepared extends PreparedRequest>(
  deps: OpenTurnDeps,
  caller: TurnCaller,
  request: TurnRequest<Prepared>,
  start: HopStart,
): Promise<Decided<Prepared>> {
  const { limit, course } = start;
  return deps.admit.within(async (tx, admit) => {
    if (caller.organizationId !== undefined) await lockSettings(tx, caller.organizationId);
    const contexts: TurnContextCache = { find: (place) => findTurnContext(tx, place), forget: () => {} };
    const context = await findContext({ contexts, admit: deps.admit }, caller);
    const made = await prepare(decideRoute(deps, caller, request, { context, course }), request);
    const asked = admissionFor(deps, caller, request, { context, made });
    return { context, made, asked, admission: await admit({ ...asked, limit }) };
  });
}

function decideRoute(
  deps: OpenTurnDeps,
  caller: TurnCaller,
  request: TurnRequest<PreparedRequest>,
  { context, course }: { readonly context: TurnContext | undefined; readonly course: HopCourse | undefined },
): Decision {
  return decideTurn(deps.settings, context, {
    model: request.model,
    modality: request.modality,
    scope: scopeOf(deps, caller, request),
    forRun: request.forRun,
    passes: request.passes,
    models: caller.models,
    course,
  });
}

function admissionFor<Prepared extends PreparedRequest>(
  deps: OpenTurnDeps,
  caller: TurnCaller,
  request: TurnRequest<Prepared>,
  { context, made }: Pick<Decided<Prepared>, 'context' | 'made'>,
): Omit<AdmissionRequest, 'limit'> {
  return {
    userId: caller.userId,
    tokenId: caller.tokenId,
    organizationId: context?.organizationId,
    version: context?.version ?? 0,
    ...(made.refusal ? { micros: 0 } : reservationFor(made, request)),
    seatBudgetMicros: context?.seatBudgetMicros ?? 0,
    creditMicros: context?.creditMicros ?? 0,
    ceilingMicros: deps.ceilingMicros,
    spend: context && {
      workspaceId: caller.spendWorkspaceId ?? context.workspaceId,
      tokenId: caller.spendTokenId ?? '',
      surface: SURFACES[request.surface] ?? '/v1',
      projectId: caller.projectId,
      requestId: currentRequest()?.requestId ?? newId('req'),
    },
    checksCaps: context?.capped === true && !made.refusal && made.route.credential.kind !== 'platform',
  };
}

/** Surfaces of our own; everything else came in over `/v1`. */
const SURFACES: Readonly<Record<string, SpendSurface>> = {
  chat: 'chat',
  title: 'title',
  attachments: 'embedding',
  run: 'run',
};

/** A caller without an organization has no context; a caller who is not a member of theirs is refused. */
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

/** In strict mode a turn without a workspace reads the organization's keys instead of Default's. */
export function scopeOf(
  deps: { readonly settings: Pick<TurnSettings, 'strict'> },
  caller: { readonly workspace?: string | undefined },
  request: Pick<TurnRequest<PreparedRequest>, 'scope'>,
): 'workspace' | 'organization' {
  if (request.scope) return request.scope;
  return deps.settings.strict && caller.workspace === undefined ? 'organization' : 'workspace';
}

type PreparationResult<Prepared> = { readonly course?: HopCourse | undefined } & (
  | { readonly refusal: AppError }
  | { readonly refusal?: undefined; readonly route: Route; readonly prepared: Prepared }
);

function prepare<Prepared extends PreparedRequest>(
  decision: Decision,
  request: TurnRequest<Prepared>,
): PreparationResult<Prepared> | Promise<PreparationResult<Prepared>> {
  if (decision.refusal) return decision;
  const { route, course } = decision;
  const refuse = (error: unknown): PreparationResult<Prepared> => {
    if (error instanceof AppError) return { refusal: error, course };
    throw error;
  };
  try {
    const prepared = request.prepare(route);
    // Only a large body is prepared later; the others cost no promise.
    return prepared instanceof Promise
      ? prepared.then((made): PreparationResult<Prepared> => ({ route, course, prepared: made }), refuse)
      : { route, course, prepared };
  } catch (error) {
    return refuse(error);
  }
}

/** An override holds nothing, and is noted all the same. An unbounded request on platform credit is a bug. */
function reservationFor<Prepared extends PreparedRequest>(
  { route, prepared }: { readonly route: Route; readonly prepared: Prepared },
  request: TurnRequest<Prepared>,
): Pick<AdmissionRequest, 'micros' | 'note'> {
  if (request.reserves === false) return { micros: 0 };
  const { credential, declared, served, provider } = route;
  const price = declared?.price;
  const noted = { credential: credential.kind, model: nameOf(route), served, provider };
  if (credential.kind !== 'platform') {
    const inputTokens = estimateTokens(request.inputBytes);
    const leastMicros = price ? costOf(price, usageFromStreamed(inputTokens, 0)) : null;
    return { micros: 0, note: { ...noted, leastMicros, inputTokens } };
  }
  const bound = prepared?.bound;
  if (!bound || !price) throw new Error('request on platform credit has no bound');
  return {
    micros: holdFor(price, bound),
    note: { ...noted, leastMicros: leastFor(price, bound), inputTokens: bound.likelyInputTokens },
  };
}
