// An internal turn whose answer is read whole: titles and embeddings. It takes every check of a turn except the
// per-user limit, which counts requests by people.
import { AppError } from '../base/errors.ts';
import { observeResponse } from '../model-providers/codecs/observe-response.ts';
import { answerTurn, type TurnDeps } from './answer-turn.ts';
import type { TurnRequest, TurnCaller } from './open-turn.ts';
import type { ProviderRequest } from './provider-request.ts';

const MOST_BYTES = 16 * 1024 * 1024;

export interface Collected {
  readonly request: ProviderRequest;
  readonly body: unknown;
}

export async function collectTurn(
  deps: TurnDeps,
  caller: TurnCaller,
  request: TurnRequest<ProviderRequest>,
  signal: AbortSignal,
): Promise<Collected> {
  const tooLarge = new AbortController();
  let collected: Collected | undefined;
  const part = { ...request, counted: true };
  await answerTurn(deps, caller, part, {
    gone: AbortSignal.any([signal, tooLarge.signal]),
    kind: 'whole',
    onDrain: () => {},
    begin({ request }) {
      const chunks: Buffer[] = [];
      let size = 0;
      return {
        take(chunk) {
          size += chunk.length;
          if (size <= MOST_BYTES) chunks.push(chunk);
          else tooLarge.abort();
          return true;
        },
        end() {
          const body = parseJson(Buffer.concat(chunks).toString('utf8'));
          collected = { request, body };
          return { usage: observeResponse(request.protocol, body).usage, outputBytes: size };
        },
        breakOff: () => ({ usage: undefined, outputBytes: size }),
      };
    },
  });
  if (collected?.body === undefined) throw new AppError('provider_unavailable');
  return collected;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
