// A chat request from the moment its caller is known: checks, reservation, provider, settlement. The provider's
// bytes are never held back: they are passed on, or translated piece by piece, as fast as the client takes them.
import { AppError } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import {
  callUpstream,
  type Dispatchers,
  UPSTREAM_LIMITS,
  type UpstreamFault,
  type UpstreamLimits,
} from '../model-providers/call-upstream.ts';
import type { ProviderUrls } from '../model-providers/providers.ts';
import type { Noted, Settle } from '../enforcement/budget.ts';
import type { AnswerReader, Used } from './answer-reader.ts';
import type { Route } from './decide-turn.ts';
import { costOf, estimateTokens, usageFromStreamed } from './estimate-cost.ts';
import { type OpenTurn, openTurn, type OpenTurnDeps, type TurnRequest, type TurnCaller } from './open-turn.ts';
import type { ProviderRequest } from './provider-request.ts';
import { readFailure } from './read-failure.ts';
import type { TurnContext } from './turn-context.ts';
import type { MeteredTurn, TurnMeter } from './turn-meter.ts';

export interface TurnDeps extends OpenTurnDeps {
  readonly settle: Settle;
  /** Gives a hold back whole: the provider was never used. */
  readonly release: (holdId: string) => Promise<void>;
  /** Knows of every hold whose answer is being written. */
  readonly liveHolds: LiveHolds;
  readonly urls: ProviderUrls;
  readonly dispatchers: Pick<Dispatchers, 'providers' | 'accounts'>;
  readonly log: Log;
  readonly upstreamLimits?: UpstreamLimits;
  /** Counts turns, where somebody looks. */
  readonly meter?: TurnMeter | undefined;
}

export interface TurnHead {
  readonly route: Route;
  readonly request: ProviderRequest;
  /** Absent where no turn was opened, or the caller has no organization. */
  readonly context?: TurnContext | undefined;
}

/** Aborted when the client has left. An abort signal will do; the hottest path has something lighter. */
export interface ClientSignal {
  readonly aborted: boolean;
  addEventListener(type: 'abort', listener: () => void, options: { readonly once: true }): void;
}

/** Where an answer goes. `begin` is called once the provider has accepted the request, before anything is written. */
export interface TurnSink {
  /** Called once the turn is admitted, before the provider is. What it throws gives the hold back. */
  admitted?(): Promise<unknown>;
  begin(head: TurnHead): AnswerReader;
  /** Takes a refusal of the provider that the client looks for inside an answer; true when it did. */
  refused?(error: AppError, head: TurnHead): boolean;
  readonly gone: ClientSignal;
  /** Calls back when the client takes more again, after a reader said that it was full. */
  onDrain(resume: () => void): void;
}

/** Resolves when the answer is complete or the client has left; throws AppError for a refusal before the first byte. */
export async function answerTurn(
  deps: TurnDeps,
  caller: TurnCaller,
  request: TurnRequest<ProviderRequest>,
  sink: TurnSink,
): Promise<void> {
  const metered = { surface: request.surface, startedAt: performance.now() };
  const turn = await openTurn(deps, caller, request).catch((error: unknown) => {
    deps.meter?.refused(request.surface);
    throw error;
  });
  if (sink.admitted) {
    try {
      await sink.admitted();
    } catch (error) {
      await giveBack(deps, turn);
      throw error;
    }
  }
  if (sink.gone.aborted) return giveBack(deps, turn);

  const outcome = await callProvider(deps, turn, sink, metered);
  deps.liveHolds.forget(turn.holdId);
  if (outcome.kind === 'failed') {
    await giveBack(deps, turn);
    if (sink.refused?.(outcome.error, { route: turn.route, request: turn.prepared }) === true) return;
    throw outcome.error;
  }
  settleTurn(deps, turn, request, outcome.used);
}

type Outcome =
  | { readonly kind: 'failed'; readonly error: AppError }
  | { readonly kind: 'answered'; readonly used: Used };

export function callProvider(
  deps: Pick<TurnDeps, 'dispatchers' | 'upstreamLimits' | 'meter' | 'liveHolds'>,
  turn: CalledTurn & { readonly context?: TurnContext | undefined },
  sink: TurnSink,
  metered?: MeteredTurn,
): Promise<Outcome> {
  return new Promise((resolve) => {
    let reader: AnswerReader | undefined;
    let failure: ReturnType<typeof readFailure> | undefined;
    const { route, prepared: request, context } = turn;
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
            reader = sink.begin({ route, request, context });
            // While the answer is written, its hold knows what it has cost so far.
            deps.liveHolds.add(turn, reader);
          } else failure = readFailure(route, request.passThrough, status, headers);
        },
        onData(chunk) {
          if (quiet) {
            quiet = false;
            if (reader) watch?.first();
          }
          return reader ? reader.take(chunk) : (failure?.take(chunk) ?? true);
        },
        onEnd() {
          if (reader) end({ kind: 'answered', used: reader.end() });
          else end({ kind: 'failed', error: failure?.error() ?? new AppError('provider_unavailable') });
        },
        onFault(fault) {
          if (reader) end({ kind: 'answered', used: reader.breakOff(fault) }, fault);
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

/** A client that left before the provider answered has still caused the call: its input is charged. */
function faultBeforeAnswer(fault: UpstreamFault): Outcome {
  switch (fault) {
    case 'aborted':
      return { kind: 'answered', used: { usage: undefined, outputBytes: 0 } };
    case 'timeout':
      return { kind: 'failed', error: new AppError('provider_timeout') };
    case 'unreachable':
    case 'broken':
      return { kind: 'failed', error: new AppError('provider_unreachable') };
  }
}

/** Reported usage; where none came, the input and what had been streamed. Never more than was held. */
function settleTurn(
  deps: TurnDeps,
  { route, context, holdId, heldMicros, prepared }: OpenTurn<ProviderRequest>,
  request: TurnRequest<ProviderRequest>,
  { usage, outputBytes }: Used,
): void {
  if (!context) return;
  const used = usage ?? usageFromStreamed(inputTokensOf(prepared, request.inputBytes), outputBytes);
  const price = route.declared?.price;
  const listedMicros = price ? costOf(price, used) : 0;
  const costMicros = holdId === undefined ? 0 : listedMicros;
  deps.meter?.settled(route, {
    inputTokens: used.inputTokens,
    outputTokens: used.outputTokens,
    costMicros: holdId === undefined ? listedMicros : Math.min(costMicros, heldMicros),
  });
  if (usage && costMicros > heldMicros)
    deps.log.error(
      { model: route.model.id, costMicros, heldMicros, usage },
      'a provider reported more than the request could cost; what is beyond the hold is not charged',
    );
  deps
    .settle({
      organizationId: context.organizationId,
      holdId,
      costMicros,
      model: route.model.id,
      provider: route.provider,
      credential: route.credential.kind,
      inputTokens: used.inputTokens,
      outputTokens: used.outputTokens,
    })
    .catch((error: unknown) =>
      deps.log.error(
        { err: error, holdId },
        'a turn could not be settled; it is settled at the least when its hold expires',
      ),
    );
}

/** What the input most likely came to: counted where it was bounded, otherwise by its bytes. */
export function inputTokensOf({ bound }: Pick<ProviderRequest, 'bound'>, inputBytes: number): number {
  return bound?.likelyInputTokens ?? estimateTokens(inputBytes);
}

async function giveBack(deps: TurnDeps, { holdId }: Pick<OpenTurn<ProviderRequest>, 'holdId'>): Promise<void> {
  if (holdId === undefined) return;
  await deps
    .release(holdId)
    .catch((error: unknown) =>
      deps.log.error(
        { err: error, holdId },
        'a hold could not be given back; it is settled at the least when it expires',
      ),
    );
}

/** A turn whose provider was called; nothing is held where an override pays. */
interface CalledTurn {
  readonly route: Route;
  readonly prepared: ProviderRequest;
  readonly holdId?: string | undefined;
}

/**
 * What the answers under way of this process have cost so far, written to their holds from time to time: if the process
 * is killed, they are settled at that. One statement for all of them, and none when nothing has been added.
 */
export interface LiveHolds {
  /** The answer to a turn has begun: what is read of it counts until it is forgotten. */
  add(turn: CalledTurn, reader: AnswerReader): void;
  forget(holdId: string | undefined): void;
  /** What has cost more than when this was last asked. */
  takeNews(): Noted[];
}

interface Live {
  readonly turn: CalledTurn;
  readonly reader: AnswerReader;
  noted: number;
}

export function createLiveHolds(): LiveHolds {
  const live = new Map<string, Live>();
  return {
    add: (turn, reader) => void (turn.holdId !== undefined && live.set(turn.holdId, { turn, reader, noted: 0 })),
    forget: (holdId) => void (holdId !== undefined && live.delete(holdId)),
    takeNews: () =>
      [...live].flatMap(([holdId, one]) => {
        const outputBytes = one.reader.outputBytes?.() ?? 0;
        const price = one.turn.route.declared?.price;
        if (outputBytes <= one.noted || !price) return [];
        one.noted = outputBytes;
        const used = usageFromStreamed(one.turn.prepared.bound?.likelyInputTokens ?? 0, outputBytes);
        return [{ holdId, costMicros: costOf(price, used), outputTokens: used.outputTokens }];
      }),
  };
}
