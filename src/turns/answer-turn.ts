// A chat request once its caller is known: checks, reservation, provider, settlement. The provider's bytes are never
// buffered: they are passed on, or translated piece by piece, as fast as the client reads.
import { AppError } from '../base/errors.ts';
import type { Log } from '../telemetry/log.ts';
import { findModel } from '../catalog/model-catalog.ts';
import {
  type AnswerKind,
  callUpstream,
  type Dispatchers,
  type OpenCalls,
  type UpstreamCall,
  type UpstreamFault,
  type UpstreamLimits,
} from '../model-providers/call-upstream.ts';
import type { ProviderUrls } from '../model-providers/providers.ts';
import type { Settle, Settlement } from '../enforcement/budget.ts';
import { type AnswerReader, refusalAfter, type Used, whenUsed } from './answer-reader.ts';
import { nameOf, type Route } from './decide-turn.ts';
import { afterHop, chooseNextHop, hasNext, type HopCourse } from './routes/choose-next-hop.ts';
import { costOf, estimateTokens, type TokensUsed, usageFromStreamed, withThought } from './estimate-cost.ts';
import { type OpenTurn, openTurn, type OpenTurnDeps, type TurnRequest, type TurnCaller } from './open-turn.ts';
import type { ProviderRequest } from './provider-request.ts';
import { rateLimitHeaders } from './rate-limit-headers.ts';
import { readFailure } from './read-failure.ts';
import type { TurnContext } from './turn-context.ts';
import type { CalledTurn, LiveHolds, MeteredTurn, TurnMeter } from './turn-meter.ts';

export interface TurnDeps extends OpenTurnDeps {
  readonly settle: Settle;
  /** Tracks the holds of answers in progress. */
  readonly liveHolds: LiveHolds;
  readonly urls: ProviderUrls;
  readonly dispatchers: Pick<Dispatchers, 'providers' | 'accounts'>;
  readonly log: Log;
  readonly upstreamLimits: Readonly<Record<AnswerKind, UpstreamLimits>>;
  readonly calls: OpenCalls;
  /** Metrics of turns, if they are collected. */
  readonly meter?: TurnMeter | undefined;
}

export interface TurnHead {
  readonly route: Route;
  readonly request: ProviderRequest;
  /** Absent if no turn was opened or the caller has no organization. */
  readonly context?: TurnContext | undefined;
  /** What is left under the tightest cap, if there is one. */
  readonly roomMicros?: number | undefined;
  /** The provider's own, for its caller. */
  readonly limits?: Readonly<Record<string, string>>;
  readonly contentType?: string;
  /** Another model of a route may still answer. */
  readonly isOpen?: boolean;
}

/** Aborted when the client disconnects. Any abort signal fits; the hottest path uses something lighter. */
export interface ClientSignal {
  readonly aborted: boolean;
  addEventListener(type: 'abort', listener: () => void, options: { readonly once: true }): void;
}

/** Where an answer goes. `begin` is called once the provider has accepted the request, before anything is written. */
export interface TurnSink {
  /** Whether the client gets the answer as it is written, or hears nothing until it is complete. */
  readonly kind: AnswerKind;
  /** Called once the turn is admitted, before the provider is called. If it throws, the hold is released. */
  admitted?(): Promise<unknown>;
  /** Called when the provider is asked: it may be silent for long. */
  waiting?(head: TurnHead): void;
  begin(head: TurnHead): AnswerReader;
  /** Told of the models of a route that did not answer, and why. */
  tried?(course: HopCourse): void;
  /** Takes a refusal that the client has to get inside an answer; returns whether it did. */
  refused?(error: AppError, head: TurnHead): boolean;
  readonly gone: ClientSignal;
  /** Calls back when the client can take more, after a reader reported that it was full. */
  onDrain(resume: () => void): void;
}

/**
 * Resolves when the answer is complete or the client has left, to what is charged for it. Throws AppError for a refusal
 * before the first byte. Of a route, the models are called one after the other until one answers.
 */
export async function answerTurn(
  deps: TurnDeps,
  caller: TurnCaller,
  request: TurnRequest<ProviderRequest>,
  sink: TurnSink,
): Promise<TurnCharge | undefined> {
  let hop = await openHop(deps, caller, request, { sink });
  if (sink.admitted) {
    try {
      await sink.admitted();
    } catch (error) {
      releaseHold(deps, hop.turn);
      throw error;
    }
  }
  for (;;) {
    const { turn } = hop;
    if (sink.gone.aborted) {
      releaseHold(deps, turn);
      return undefined;
    }
    const { charge, error } = await callHop(deps, { userId: caller.userId, request, sink }, hop);
    if (!error) return charge;
    const course = turn.course && afterHop(turn.course, { kind: 'failed', error });
    const next = course ? chooseNextHop(course) : { error };
    const head: TurnHead = { route: turn.route, request: turn.prepared };
    const refuse = (refusal: unknown): TurnCharge | undefined => {
      if (refusal instanceof AppError && sink.refused?.(refusal, head) === true) return charge;
      throw refusal;
    };
    if (course) sink.tried?.(course);
    if (next.error) return refuse(next.error);
    try {
      hop = await openHop(deps, caller, request, { sink, course });
    } catch (refusal) {
      return refuse(refusal);
    }
  }
}

/** A model that a request was admitted for; the only one, unless the request named a route. */
interface Hop {
  readonly turn: OpenTurn<ProviderRequest>;
  readonly metered: MeteredTurn;
}

async function openHop(
  deps: TurnDeps,
  caller: TurnCaller,
  request: TurnRequest<ProviderRequest>,
  { sink, course }: { readonly sink: TurnSink; readonly course?: HopCourse | undefined },
): Promise<Hop> {
  const { userId } = caller;
  const metered: MeteredTurn = { surface: request.surface, startedAt: performance.now() };
  const turn = await openTurn(deps, caller, request, {
    course,
    onTried: (tried) => sink.tried?.(tried),
    onRefusal(organizationId, spend, { error, route }) {
      const model = route ?? findModel(deps.settings.catalog, request.model)?.id ?? '';
      const refused = {
        organizationId,
        userId,
        spend,
        holdId: undefined,
        model,
        provider: '',
        credential: '',
      } as const;
      logUnused(deps, refused, metered, error);
    },
  }).catch((error: unknown) => {
    deps.meter?.refused(request.surface);
    throw error;
  });
  return { turn, metered };
}

/** One call of one model: its hold is settled, or returned in full. */
async function callHop(
  deps: TurnDeps,
  { userId, request, sink }: { readonly sink: TurnSink } & Pick<UsedTurn, 'userId' | 'request'>,
  { turn, metered }: Hop,
): Promise<{ readonly charge: TurnCharge | undefined; readonly error?: AppError }> {
  const outcome = await callProvider(deps, turn, sink, metered);
  deps.liveHolds.forget(turn.holdId);
  const { used, fault } = outcome;
  const charge = used && settleTurn(deps, turn, { userId, request, metered, used, fault });
  if (outcome.kind === 'answered') return { charge };
  const { route, context, holdId, spend } = turn;
  if (!used && context && spend)
    logUnused(
      deps,
      { organizationId: context.organizationId, userId, spend, holdId, ...paidBy(route) },
      metered,
      outcome.error,
    );
  return { charge, error: outcome.error };
}

/** As settled. */
export interface TurnCharge {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  /** The list price, null if it is unknown; what platform credit pays is at most the hold. */
  readonly costMicros: number | null;
}

/** What was used is settled; without it the hold is released. */
type Outcome = { readonly fault?: UpstreamFault | undefined } & (
  | { readonly kind: 'failed'; readonly error: AppError; readonly used?: Used }
  | { readonly kind: 'answered'; readonly used: Used }
);

export function callProvider(
  deps: Pick<TurnDeps, 'dispatchers' | 'upstreamLimits' | 'meter' | 'liveHolds' | 'calls'>,
  turn: CalledTurn & Pick<TurnHead, 'context' | 'roomMicros'> & { readonly course?: HopCourse | undefined },
  sink: TurnSink,
  metered?: MeteredTurn,
): Promise<Outcome> {
  return new Promise((resolve) => {
    let reader: AnswerReader | undefined;
    let failure: ReturnType<typeof readFailure> | undefined;
    const { route, prepared: request, context, roomMicros } = turn;
    const head: TurnHead = { route, request, context, roomMicros };
    const watch = deps.meter?.call(route, metered);
    let call: UpstreamCall | undefined;
    let quiet = true;
    let over = false;
    const end = (outcome: Outcome): void => {
      const { fault } = outcome;
      over = true;
      if (call) deps.calls.delete(call);
      if (fault === 'aborted') watch?.ended('left', 'client_left', outcome.used?.usage);
      else if (fault === 'stopped') watch?.ended('left', 'stopped', outcome.used?.usage);
      else if (outcome.kind === 'failed') watch?.ended('failed', outcome.error.code);
      else watch?.ended(fault ? 'broken' : 'answered', fault && `answer_${fault}`, outcome.used.usage);
      resolve(outcome);
    };
    if (metered) metered.calledAt = performance.now();
    // Until the answer is complete, its hold tracks the cost so far.
    deps.liveHolds.add(turn, () => reader?.outputBytes?.() ?? 0);
    sink.waiting?.(turn.course && hasNext(turn.course) ? { ...head, isOpen: true } : head);

    const called = callUpstream(
      deps.dispatchers[route.credential.kind === 'models-account' ? 'accounts' : 'providers'],
      request.upstream,
      deps.upstreamLimits[sink.kind],
      {
        onHead(status, headers) {
          if (status >= 200 && status < 300)
            reader = sink.begin({
              ...head,
              limits: rateLimitHeaders(route, headers),
              contentType: String(headers['content-type'] ?? ''),
            });
          else failure = readFailure(route, request.passThrough, status, headers);
        },
        onData(chunk) {
          if (quiet) {
            quiet = false;
            if (metered) metered.firstAt = performance.now();
            if (reader) watch?.first();
          }
          return reader ? reader.take(chunk) : (failure?.take(chunk) ?? true);
        },
        onEnd() {
          if (reader) whenUsed(reader.end(), (used) => end({ kind: 'answered', used }));
          else end({ kind: 'failed', error: failure?.error() ?? new AppError('provider_unavailable') });
        },
        onFault(fault) {
          if (reader) end({ kind: 'answered', used: reader.breakOff(fault), fault });
          else if (failure && fault !== 'aborted') end({ kind: 'failed', error: failure.error() });
          else end(faultBeforeAnswer(fault));
        },
      },
    );
    call = called;
    if (!over) deps.calls.add(called);
    sink.onDrain(() => called.resume());
    if (sink.gone.aborted) called.abort('aborted');
    else sink.gone.addEventListener('abort', () => called.abort('aborted'), { once: true });
  });
}

/** A call that the client, or this process, gave up before the provider answered was made all the same, and is charged. */
function faultBeforeAnswer(fault: UpstreamFault): Outcome {
  const used: Used = { usage: undefined, outputBytes: 0 };
  switch (fault) {
    case 'aborted':
      return { kind: 'answered', used, fault };
    case 'timeout':
    case 'stopped':
      return { kind: 'failed', error: refusalAfter(fault), used, fault };
    case 'unreachable':
    case 'broken':
      return { kind: 'failed', error: new AppError('provider_unreachable') };
  }
}

interface UsedTurn {
  readonly userId: string;
  readonly request: TurnRequest<ProviderRequest>;
  readonly metered: MeteredTurn;
  readonly used: Used;
  readonly fault: UpstreamFault | undefined;
}

/** The reported usage, or else the input plus what was streamed or thought. Never more than the hold. */
function settleTurn(
  deps: TurnDeps,
  turn: OpenTurn<ProviderRequest>,
  { userId, request, metered, used: { usage, isEstimate, outputBytes }, fault }: UsedTurn,
): TurnCharge {
  const { route, context, holdId, heldMicros, prepared, spend } = turn;
  const known: TokensUsed = usage ?? usageFromStreamed(inputTokensOf(prepared, request.inputBytes), outputBytes);
  const isReported = usage !== undefined && isEstimate === undefined;
  // What a provider that failed has thought is its own affair.
  const wasLeft = fault === 'aborted' || fault === 'stopped' || fault === 'timeout';
  const used = !isReported && wasLeft ? withThought(known, turn, secondsSince(metered.calledAt)) : known;
  const price = route.declared?.price;
  const costMicros = price ? costOf(price, used) : null;
  const charge = { inputTokens: used.inputTokens, outputTokens: used.outputTokens, costMicros };
  const told: TurnCharge = { ...charge, cacheReadTokens: used.cacheReadTokens };
  if (!context || !spend) return told;
  const onPlatform = route.credential.kind === 'platform';
  const listMicros = costMicros ?? 0;
  deps.meter?.settled(route, { ...charge, costMicros: onPlatform ? Math.min(listMicros, heldMicros) : listMicros });
  if (isReported && onPlatform && listMicros > heldMicros)
    deps.log.error(
      { model: route.model.id, costMicros, heldMicros, usage },
      'provider reported more usage than the request could cost; the excess over the hold is not charged',
    );
  deps
    .settle({
      organizationId: context.organizationId,
      userId,
      spend,
      holdId,
      ...charge,
      ...paidBy(route),
      uses: true,
      status: fault === undefined ? 200 : STATUS_OF[fault],
      ...timesOf(metered),
    })
    .catch((error: unknown) =>
      deps.log.error(
        { err: error, holdId },
        'could not settle turn; it will be settled at the minimum when its hold expires',
      ),
    );
  return told;
}

/** In the log of requests, by what ended the call early. 499: the client left. */
const STATUS_OF = {
  aborted: 499,
  stopped: 503,
  timeout: 504,
  broken: 502,
  unreachable: 502,
} as const satisfies Record<UpstreamFault, number>;

const secondsSince = (at: number | undefined): number => (at === undefined ? 0 : (performance.now() - at) / 1_000);

type Payment = Pick<Settlement, 'model' | 'served' | 'provider' | 'credential'>;

const paidBy = (route: Route): Payment => ({
  model: nameOf(route),
  served: route.served,
  provider: route.provider,
  credential: route.credential.kind,
});

function timesOf({ startedAt, firstAt }: MeteredTurn): Pick<Settlement, 'firstTokenMs' | 'durationMs'> {
  return {
    firstTokenMs: firstAt === undefined ? undefined : Math.round(firstAt - startedAt),
    durationMs: Math.round(performance.now() - startedAt),
  };
}

type Unused = Pick<Settlement, 'organizationId' | 'userId' | 'spend' | 'holdId'> & Payment;

/** A request that used nothing is logged with its status, and its hold returned in full. */
function logUnused(deps: Pick<TurnDeps, 'settle' | 'log'>, turn: Unused, metered: MeteredTurn, error: AppError): void {
  const nothing = { costMicros: 0, inputTokens: 0, outputTokens: 0, uses: false } as const;
  deps
    .settle({
      ...turn,
      ...nothing,
      status: error.status,
      durationMs: timesOf(metered).durationMs,
      firstTokenMs: undefined,
    })
    .catch((failure: unknown) => deps.log.warn({ err: failure }, 'could not close a request that used nothing'));
}

/** The likely size of the input: counted if it was bounded, otherwise estimated from its bytes. */
function inputTokensOf({ bound }: Pick<ProviderRequest, 'bound'>, inputBytes: number): number {
  return bound?.likelyInputTokens ?? estimateTokens(inputBytes);
}

function releaseHold({ admit }: TurnDeps, { holdId }: Pick<OpenTurn<ProviderRequest>, 'holdId'>): void {
  if (holdId !== undefined) admit.release(holdId);
}
