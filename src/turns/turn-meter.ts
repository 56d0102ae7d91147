// Metrics of turns and of calls to model providers, the span of each call, and the cost of answers in progress: a handful
// of additions per call, none per chunk. A model that is not in the catalogue is counted as `other`, because a Models account serves any name.
import type { Meter, Tally } from '../telemetry/metrics/create-meter.ts';
import { openSpan } from '../telemetry/telemetry.ts';
import { findModel, type ModelCatalog } from '../catalog/model-catalog.ts';
import type { Noted } from '../enforcement/holds.ts';
import type { Route } from './decide-turn.ts';
import { costOf, usageFromStreamed, withThought } from './estimate-cost.ts';
import type { ProviderRequest } from './provider-request.ts';

/** The surface and the start time; absent if no turn was opened. */
export interface MeteredTurn {
  readonly surface: string;
  readonly startedAt: number;
  /** When the provider was called. */
  calledAt?: number;
  /** When the first chunk arrived. */
  firstAt?: number;
}

type CallResult = 'answered' | 'failed' | 'broken' | 'left';

interface CallWatch {
  /** The first chunk of the answer has arrived. */
  first(): void;
  ended(
    result: CallResult,
    code?: string,
    usage?: { readonly inputTokens: number; readonly outputTokens: number },
  ): void;
}

export interface TurnMeter {
  /** No provider was called. */
  refused(surface: string): void;
  call(route: Route, turn: MeteredTurn | undefined): CallWatch;
  settled(
    route: Route,
    used: { readonly inputTokens: number; readonly outputTokens: number; readonly costMicros: number },
  ): void;
}

/** The counters of every answered call. */
interface CallTallies {
  readonly operation: readonly [name: string, provider: string, model: string];
  readonly firstChunk: Tally;
  readonly firstToken: Tally;
  readonly callDuration: Tally;
  readonly turnDuration: Tally;
}

interface UseTallies {
  readonly tokens: Readonly<Record<'input' | 'output', readonly Tally[]>>;
  readonly cost: Tally;
}

export function createTurnMeter(meter: Meter, catalog: ModelCatalog): TurnMeter {
  const { callTallies, useTallies } = createTallies(meter, catalog);
  return {
    refused: (surface) => meter.count('service_turns_total', [surface, 'refused']),
    call: (route, turn) => watchCall(meter, callTallies(route), route, turn),
    settled(route, { inputTokens, outputTokens, costMicros }) {
      const { tokens, cost } = useTallies(route);
      for (const tally of tokens.input) tally.add(inputTokens);
      for (const tally of tokens.output) tally.add(outputTokens);
      cost.add(costMicros / 1e6);
    },
  };
}

interface Tallies {
  callTallies(route: Route): CallTallies;
  useTallies(route: Route): UseTallies;
}

/** Cached by catalogue row: the same for every request for that model at that provider. */
function createTallies(meter: Meter, catalog: ModelCatalog): Tallies {
  const calls = new WeakMap<object, CallTallies>();
  const uses = {
    'models-account': new WeakMap<object, UseTallies>(),
    'own-key': new WeakMap<object, UseTallies>(),
    platform: new WeakMap<object, UseTallies>(),
  };
  const modelOf = ({ model }: Route): string => findModel(catalog, model.id)?.id ?? 'other';

  function callTallies(route: Route): CallTallies {
    const kept = route.declared && calls.get(route.declared);
    if (kept) return kept;
    const operation = [
      route.model.modality === 'embedding' ? 'embeddings' : 'chat',
      route.provider,
      modelOf(route),
    ] as const;
    const made: CallTallies = {
      operation,
      firstChunk: meter.tally('gen_ai_client_operation_time_to_first_chunk_seconds', operation),
      firstToken: meter.tally('gen_ai_server_time_to_first_token_seconds', operation),
      callDuration: meter.tally('gen_ai_client_operation_duration_seconds', [...operation, undefined]),
      turnDuration: meter.tally('gen_ai_server_request_duration_seconds', [...operation, undefined]),
    };
    if (route.declared) calls.set(route.declared, made);
    return made;
  }

  function useTallies(route: Route): UseTallies {
    const { declared, provider, credential } = route;
    const kept = declared && uses[credential.kind].get(declared);
    if (kept) return kept;
    const [operation, , model] = callTallies(route).operation;
    const tokens = (direction: string): Tally[] => [
      meter.tally('service_tokens_total', [provider, model, credential.kind, direction]),
      meter.tally('gen_ai_client_token_usage', [operation, provider, model, direction]),
    ];
    const made = {
      tokens: { input: tokens('input'), output: tokens('output') },
      cost: meter.tally('service_cost_usd_total', [provider, model, credential.kind]),
    };
    if (declared) uses[credential.kind].set(declared, made);
    return made;
  }

  return { callTallies, useTallies };
}

function watchCall(
  meter: Meter,
  { operation, firstChunk, firstToken, callDuration, turnDuration }: CallTallies,
  route: Route,
  turn: MeteredTurn | undefined,
): CallWatch {
  const startedAt = performance.now();
  const [name, provider, model] = operation;
  // The trace is not propagated to the provider: its ids are internal.
  const called = openSpan(
    `${name} ${model}`,
    {
      'gen_ai.operation.name': name,
      'gen_ai.provider.name': provider,
      'gen_ai.request.model': model,
      'service.credential': route.credential.kind,
      'service.surface': turn?.surface,
    },
    'client',
  );
  return {
    first() {
      const now = performance.now();
      firstChunk.add((now - startedAt) / 1000);
      if (turn) firstToken.add((now - turn.startedAt) / 1000);
    },
    ended(result, code, usage) {
      called?.set({
        'gen_ai.usage.input_tokens': usage?.inputTokens,
        'gen_ai.usage.output_tokens': usage?.outputTokens,
      });
      called?.end(code);
      const now = performance.now();
      const duration =
        code === undefined
          ? callDuration
          : meter.tally('gen_ai_client_operation_duration_seconds', [...operation, code]);
      duration.add((now - startedAt) / 1000);
      if (code !== undefined && result !== 'left') meter.count('service_provider_errors_total', [route.provider, code]);
      if (!turn) return;
      const whole =
        code === undefined ? turnDuration : meter.tally('gen_ai_server_request_duration_seconds', [...operation, code]);
      whole.add((now - turn.startedAt) / 1000);
      meter.count('service_turns_total', [turn.surface, result]);
    },
  };
}

/** A turn whose provider was called. */
export interface CalledTurn {
  readonly route: Route;
  readonly prepared: ProviderRequest;
  readonly holdId?: string | undefined;
  /** The likely size of the input. */
  readonly inputTokens?: number;
}

/**
 * The cost so far of this process's answers in progress, written to their holds periodically: if the process is killed,
 * they are settled at that. One statement covers them all, and none is sent if nothing has changed.
 */
export interface LiveHolds {
  /** A turn's provider is called; what it has streamed, or thought, counts until it is forgotten. */
  add(turn: CalledTurn, outputBytes: () => number): void;
  forget(holdId: string | undefined): void;
  /** The holds whose cost has grown since the last call. */
  takeChanged(): Noted[];
}

interface Live {
  readonly turn: CalledTurn;
  readonly outputBytes: () => number;
  readonly calledAt: number;
  notedTokens: number;
}

export function createLiveHolds(): LiveHolds {
  const live = new Map<string, Live>();
  return {
    add(turn, outputBytes) {
      if (turn.holdId !== undefined)
        live.set(turn.holdId, { turn, outputBytes, calledAt: performance.now(), notedTokens: 0 });
    },
    forget: (holdId) => void (holdId !== undefined && live.delete(holdId)),
    takeChanged: () =>
      [...live].flatMap(([holdId, one]) => {
        const { route, inputTokens = 0 } = one.turn;
        const price = route.declared?.price;
        const used = withThought(
          usageFromStreamed(inputTokens, one.outputBytes()),
          one.turn,
          (performance.now() - one.calledAt) / 1_000,
        );
        if (used.outputTokens <= one.notedTokens) return [];
        one.notedTokens = used.outputTokens;
        return [{ holdId, costMicros: price ? costOf(price, used) : null, outputTokens: used.outputTokens }];
      }),
  };
}
