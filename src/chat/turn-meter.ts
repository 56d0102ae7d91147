// What is counted of turns and of calls of model providers, and the span of each call: a handful of additions for each,
// nothing for each piece of an answer. A model that the catalogue does not know is `other`: a Models account serves any
// name.
import type { Meter } from '../base/metrics/create-meter.ts';
import { openSpan } from '../base/telemetry.ts';
import { findModel, type ModelCatalog } from '../catalog/model-catalog.ts';
import type { Route } from './decide-turn.ts';

/** What asked, and since when; absent where no turn was opened. */
export interface MeteredTurn {
  readonly surface: string;
  readonly startedAt: number;
}

export type CallResult = 'answered' | 'failed' | 'broken' | 'left';

export interface CallWatch {
  /** The first piece of the answer has come. */
  first(): void;
  ended(result: CallResult, code?: string, usage?: { readonly inputTokens: number; readonly outputTokens: number }): void;
}

export interface TurnMeter {
  /** Nothing was asked of a provider. */
  refused(surface: string): void;
  call(route: Route, turn: MeteredTurn | undefined): CallWatch;
  settled(route: Route, used: { readonly inputTokens: number; readonly outputTokens: number; readonly costMicros: number }): void;
}

export function createTurnMeter(meter: Meter, catalog: ModelCatalog): TurnMeter {
  const modelOf = ({ model }: Route): string => findModel(catalog, model.id)?.id ?? 'other';
  const operationOf = (route: Route): readonly [string, string, string] => [route.model.modality === 'embedding' ? 'embeddings' : 'chat', route.provider, modelOf(route)];
  return {
    refused: (surface) => meter.count('service_turns_total', [surface, 'refused']),
    call(route, turn) {
      const startedAt = performance.now();
      const operation = operationOf(route);
      const [name, provider, model] = operation;
      // The provider is not told of the trace: its ids are ours.
      const called = openSpan(`${name} ${model}`, { 'gen_ai.operation.name': name, 'gen_ai.provider.name': provider, 'gen_ai.request.model': model, 'service.credential': route.credential.kind, 'service.surface': turn?.surface }, 'client');
      return {
        first() {
          const now = performance.now();
          meter.observe('gen_ai_client_operation_time_to_first_chunk_seconds', operation, (now - startedAt) / 1000);
          if (turn) meter.observe('gen_ai_server_time_to_first_token_seconds', operation, (now - turn.startedAt) / 1000);
        },
        ended(result, code, usage) {
          called?.set({ 'gen_ai.usage.input_tokens': usage?.inputTokens, 'gen_ai.usage.output_tokens': usage?.outputTokens });
          called?.end(code);
          const now = performance.now();
          meter.observe('gen_ai_client_operation_duration_seconds', [...operation, code], (now - startedAt) / 1000);
          if (code !== undefined && result !== 'left') meter.count('service_provider_errors_total', [route.provider, code]);
          if (!turn) return;
          meter.observe('gen_ai_server_request_duration_seconds', [...operation, code], (now - turn.startedAt) / 1000);
          meter.count('service_turns_total', [turn.surface, result]);
        },
      };
    },
    settled(route, { inputTokens, outputTokens, costMicros }) {
      const { provider, credential } = route;
      const [operation, , model] = operationOf(route);
      for (const [direction, tokens] of [['input', inputTokens], ['output', outputTokens]] as const) {
        meter.count('service_tokens_total', [provider, model, credential.kind, direction], tokens);
        meter.observe('gen_ai_client_token_usage', [operation, provider, model, direction], tokens);
      }
      meter.count('service_cost_usd_total', [provider, model, credential.kind], costMicros / 1e6);
    },
  };
}
