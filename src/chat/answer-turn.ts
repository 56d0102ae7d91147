// A chat request once its caller is known: checks, reservation, provider, settlement. The provider's bytes are never
// buffered: they are passed on, or translated piece by piece, as fast as the client reads.
import { AppError } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import { findModel } from '../catalog/model-catalog.ts';
import {
  callUpstream,
  type Dispatchers,
  UPSTREAM_LIMITS,
  type UpstreamFault,
  type UpstreamLimits,
} from '../model-providers/call-upstream.ts';
import type { ProviderUrls } from '../model-providers/providers.ts';
import type { Settle, Settlement } from '../enforcement/budget.ts';
import { type AnswerReader, type Used, whenUsed } from './answer-reader.ts';
import type { Route } from './decide-turn.ts';
import { costOf, estimateTokens, usageFromStreamed } from './estimate-cost.ts';
import { type OpenTurn, openTurn, type OpenTurnDeps, type TurnRequest, type TurnCaller } from './open-turn.ts';
import type { ProviderRequest } from './provider-request.ts';
import { readFailure } from './read-failure.ts';
import type { TurnContext } from './turn-context.ts';
import type { CalledTurn, LiveHolds, MeteredTurn, TurnMeter } from './turn-meter.ts';

export interface TurnDeps extends OpenTurnDeps {
  readonly settle: Settle;
  /** Releases a hold in full: the provider was never used. */
  readonly release: (holdId: string) => Promise<void>;
  /** Tracks the holds of answers in progress. */
  readonly liveHolds: LiveHolds;
  readonly urls: ProviderUrls;
  readonly dispatchers: Pick<Dispatchers, 'providers' | 'accounts'>;
  readonly log: Log;
  readonly upstreamLimits?: UpstreamLimits;
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
}

/** Aborted when the client disconnects. Any abort signal fits; the hottest path uses something lighter. */
export interface ClientSignal {
  readonly aborted: boolean;
  addEventListener(type: 'abort', listener: () => void, options: { readonly once: true }): void;
}

/** Where an answer goes. `begin` is called once the provider has accepted the request, before anything is written. */
export interface TurnSink {
  /** Called once the turn is admitted, before the provider is called. If it throws, the hold is released. */
  admitted?(): Promise<unknown>;
  begin(head: TurnHead): AnswerReader;
  /** Takes a provider's refusal that the client expects inside an answer; returns whether it did. */
  refused?(error: AppError, head: TurnHead): boolean;
  readonly gone: ClientSignal;
  /** Calls back when the client can take more, after a reader reported that it was full. */
  onDrain(resume: () => void): void;
}

/** Resolves when the answer is complete or the client has left. Throws AppError for a refusal before the first byte. */
export async function answerTurn(
  deps: TurnDeps,
  caller: TurnCaller,
  request: TurnRequest<ProviderRequest>,
  sink: TurnSink,
): Promise<void> {
  const metered: MeteredTurn = { surface: request.surface, startedAt: performance.now() };
  const { userId } = caller;
  const turn = await openTurn(deps, caller, request, (organizationId, spend, refusal) => {
    const model = findModel(deps.settings.catalog, request.model)?.id ?? '';
    logUnused(deps, { organizationId, userId, spend, model, provider: '', credential: '' }, metered, refusal);
  }).catch((error: unknown) => {
    deps.meter?.refused(request.surface);
    throw error;
  });
  if (sink.admitted) {
    try {
      await sink.admitted();
    } catch (error) {
      await releaseHold(deps, turn);
      throw error;
    }
  }
  if (sink.gone.aborted) return releaseHold(deps, turn);

  const outcome = await callProvider(deps, turn, sink, metered);
  deps.liveHolds.forget(turn.holdId);
  if (outcome.kind === 'failed') {
    await releaseHold(deps, turn);
    const { route, context, spend } = turn;
    if (context && spend)
      logUnused(
        deps,
        { organizationId: context.organizationId, userId, spend, ...paidBy(route) },
        metered,
        outcome.error,
      );
    if (sink.refused?.(outcome.error, { route: turn.route, request: turn.prepared }) === true) return;
    throw outcome.error;
  }
  settleTurn(deps, turn, { userId, request, metered, outcome });
}

type Outcome =
  | { readonly kind: 'failed'; readonly error: AppError }
  | { readonly kind: 'answered'; readonly used: Used; readonly fault?: UpstreamFault };

export function callProvider(
  deps: Pick<TurnDeps, 'dispatchers' | 'upstreamLimits' | 'meter' | 'liveHolds'>,
  turn: CalledTurn & Pick<TurnHead, 'context' | 'roomMicros'>,
  sink: TurnSink,
  metered?: MeteredTurn,
): Promise<Outcome> {
  return new Promise((resolve) => {
    let reader: AnswerReader | undefined;
    let failure: ReturnType<typeof readFailure> | undefined;
    const { route, prepared: request, context, roomMicros } = turn;
    const watch = deps.meter?.call(route, metered);
    let quiet = true;
    const end = (outcome: Outcome, fault?: UpstreamFault): void => {
      if (outcome.kind === 'failed') watch?.ended('failed', outcome.error.code);
      else if (fault === 'aborted') watch?.ended('left', 'client_left', outcome.used.usage);
      else watch?.ended(fault ? 'broken' : 'answered', fault && `answer_${fault}`, outcome.used.usage);
      resolve(outcome);
    };

    const call = callUpstream(
      deps.dispatchers[route.credential.kind === 'models-account' ? 'accounts' : 'providers'],
      request.upstream,
      deps.upstreamLimits ?? UPSTREAM_LIMITS,
      {
        onHead(status, headers) {
          if (status >= 200 && status < 300) {
            reader = sink.begin({ route, request, context, roomMicros });
            // While the answer is being written, its hold tracks the cost so far.
            deps.liveHolds.add(turn, reader);
          } else failure = readFailure(route, request.passThrough, status, headers);
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
          if (reader) end({ kind: 'answered', used: reader.breakOff(fault), fault }, fault);
          else
            end(
              failure && fault !== 'aborted' ? { kind: 'failed', error: failure.error() } : faultBeforeAnswer(fault),
              fault,
            );
        },
      },
    );
    sink.onDrain(() => call.resume());
    if (sink.gone.aborted) call.abort();
    else sink.gone.addEventListener('abort', () => call.abort(), { once: true });
  });
}

/** A client that leaves before the provider answers has still caused the call, so its input is charged. */
function faultBeforeAnswer(fault: UpstreamFault): Outcome {
  switch (fault) {
    case 'aborted':
      return { kind: 'answered', used: { usage: undefined, outputBytes: 0 }, fault };
    case 'timeout':
      return { kind: 'failed', error: new AppError('provider_timeout') };
    case 'unreachable':
    case 'broken':
      return { kind: 'failed', error: new AppError('provider_unreachable') };
  }
}

interface AnsweredTurn {
  readonly userId: string;
  readonly request: TurnRequest<ProviderRequest>;
  readonly metered: MeteredTurn;
  readonly outcome: Extract<Outcome, { kind: 'answered' }>;
}

/** The reported usage, or else the input plus what was streamed. Never more than the hold. */
function settleTurn(
  deps: TurnDeps,
  { route, context, holdId, heldMicros, prepared, spend }: OpenTurn<ProviderRequest>,
  { userId, request, metered, outcome }: AnsweredTurn,
): void {
  if (!context || !spend) return;
  const { usage, outputBytes } = outcome.used;
  const used = usage ?? usageFromStreamed(inputTokensOf(prepared, request.inputBytes), outputBytes);
  const price = route.declared?.price;
  const costMicros = price ? costOf(price, used) : 0;
  deps.meter?.settled(route, {
    inputTokens: used.inputTokens,
    outputTokens: used.outputTokens,
    costMicros: holdId === undefined ? costMicros : Math.min(costMicros, heldMicros),
  });
  if (usage && holdId !== undefined && costMicros > heldMicros)
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
      costMicros,
      ...paidBy(route),
      inputTokens: used.inputTokens,
      outputTokens: used.outputTokens,
      uses: true,
      status: outcome.fault === undefined ? 200 : outcome.fault === 'aborted' ? CLIENT_LEFT : BROKEN_OFF,
      ...timesOf(metered),
    })
    .catch((error: unknown) =>
      deps.log.error(
        { err: error, holdId },
        'could not settle turn; it will be settled at the minimum when its hold expires',
      ),
    );
}

/** In the log of requests, for answers that have begun. */
const CLIENT_LEFT = 499;
const BROKEN_OFF = 502;

const paidBy = ({ model, provider, credential }: Route): Pick<Settlement, 'model' | 'provider' | 'credential'> => ({
  model: model.id,
  provider,
  credential: credential.kind,
});

function timesOf({ startedAt, firstAt }: MeteredTurn): Pick<Settlement, 'firstTokenMs' | 'durationMs'> {
  return {
    firstTokenMs: firstAt === undefined ? undefined : Math.round(firstAt - startedAt),
    durationMs: Math.round(performance.now() - startedAt),
  };
}

type Unused = Pick<Settlement, 'organizationId' | 'userId' | 'spend' | 'model' | 'provider' | 'credential'>;

/** A request that used nothing is logged with its status. */
function logUnused(deps: Pick<TurnDeps, 'settle' | 'log'>, turn: Unused, metered: MeteredTurn, error: AppError): void {
  const nothing = { holdId: undefined, costMicros: 0, inputTokens: 0, outputTokens: 0, uses: false } as const;
  deps
    .settle({
      ...turn,
      ...nothing,
      status: error.status,
      durationMs: timesOf(metered).durationMs,
      firstTokenMs: undefined,
    })
    .catch((failure: unknown) => deps.log.warn({ err: failure }, 'could not log a request that was refused'));
}

/** The likely size of the input: counted if it was bounded, otherwise estimated from its bytes. */
export function inputTokensOf({ bound }: Pick<ProviderRequest, 'bound'>, inputBytes: number): number {
  return bound?.likelyInputTokens ?? estimateTokens(inputBytes);
}

async function releaseHold(deps: TurnDeps, { holdId }: Pick<OpenTurn<ProviderRequest>, 'holdId'>): Promise<void> {
  if (holdId === undefined) return;
  await deps
    .release(holdId)
    .catch((error: unknown) =>
      deps.log.error(
        { err: error, holdId },
        'could not release hold; it will be settled at the minimum when it expires',
      ),
    );
}
