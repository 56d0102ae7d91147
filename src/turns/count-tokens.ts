// Counts the input tokens of a Messages body without answering it. The provider counts if it can and the organization's own key
// would be used; otherwise the result is the estimate that a hold is based on. It is a request like any other, including
// limit and policy, except that nothing is reserved or settled.
import { AppError } from '../base/errors.ts';
import { isObject, type Loose } from '../model-providers/codecs/read-fields.ts';
import { findProvider } from '../model-providers/providers.ts';
import { callProvider, type ClientSignal, type TurnDeps } from './answer-turn.ts';
import type { LargeBody } from './bodies/large-body.ts';
import type { Route } from './decide-turn.ts';
import { estimateTokens } from './estimate-cost.ts';
import { openTurn, type TurnCaller } from './open-turn.ts';
import { buildProviderRequest } from './address-request.ts';
import type { ProviderRequest } from './provider-request.ts';

export interface CountRequest {
  readonly model: string;
  readonly body: Loose;
  /** If it is large: the body, of which `body` is only the smaller fields. */
  readonly large?: LargeBody | undefined;
  readonly bytes: number;
  readonly betas: readonly string[];
  readonly gone: ClientSignal;
}

export async function countTokens(
  deps: TurnDeps,
  caller: TurnCaller,
  { model, body, large, bytes, betas, gone }: CountRequest,
): Promise<{ route: Route; inputTokens: number }> {
  const { route, prepared: request } = await openTurn(deps, caller, {
    model,
    modality: 'chat',
    surface: 'count_tokens',
    inputBytes: bytes,
    reserves: false,
    prepare: (found) =>
      findProvider(found.provider)?.countsTokens && found.credential.kind === 'own-key'
        ? (large?.prepare(found, { betas }, deps.urls) ??
          buildProviderRequest(found, { surface: 'count', body, betas }, deps.urls))
        : undefined,
  });
  return { route, inputTokens: request ? await countAtProvider(deps, route, request, gone) : estimateTokens(bytes) };
}

const MOST_BYTES = 64 * 1024;

async function countAtProvider(
  deps: TurnDeps,
  route: Route,
  request: ProviderRequest,
  gone: ClientSignal,
): Promise<number> {
  const chunks: Buffer[] = [];
  let size = 0;
  const used = { usage: undefined, outputBytes: 0 };
  const outcome = await callProvider(
    deps,
    { route, prepared: request },
    {
      gone,
      kind: 'whole',
      onDrain: () => {},
      begin: () => ({
        take(chunk) {
          size += chunk.length;
          if (size <= MOST_BYTES) chunks.push(chunk);
          return true;
        },
        end: () => used,
        breakOff: () => used,
      }),
    },
  );
  if (outcome.kind === 'failed') throw outcome.error;
  return readCount(Buffer.concat(chunks).toString('utf8'));
}

function readCount(text: string): number {
  try {
    const answer: unknown = JSON.parse(text);
    if (isObject(answer) && Number.isSafeInteger(answer['input_tokens'])) return Number(answer['input_tokens']);
  } catch {
    // A response that is not JSON contains no count either.
  }
  throw new AppError('provider_unavailable');
}
