import { AppError } from '../../base/errors.ts';
import type { CatalogModel, ModelPrice } from '../../catalog/model-catalog.ts';
import type { TurnCaller } from '../../turns/open-turn.ts';
import type { V1Request } from './surfaces.ts';

/** The models that the caller's policy and token allow, in catalogue order; with a name, the one it refers to. */
export type AllowedModels = (caller: TurnCaller, name?: string) => Promise<readonly CatalogModel[]>;

/** `GET /v1/models` and `GET /v1/models/<name>`, in a shape that fits both OpenAI's and Anthropic's clients. */
export async function listModels(
  deps: { readonly allowedModels: AllowedModels },
  { request, response, caller, path }: V1Request,
): Promise<void> {
  if (request.method !== 'GET' && request.method !== 'HEAD') throw new AppError('method_not_allowed');
  const wanted = path === '/v1/models' ? undefined : readId(path.slice('/v1/models/'.length));
  const models = (await deps.allowedModels(caller, wanted)).map(present);
  const found =
    wanted === undefined
      ? {
          object: 'list',
          data: models,
          has_more: false,
          first_id: models[0]?.id ?? null,
          last_id: models.at(-1)?.id ?? null,
        }
      : models[0];
  if (!found) throw new AppError('model_not_found', { model: wanted });
  response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-store' });
  response.end(JSON.stringify(found));
}

function readId(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

interface PresentedModel {
  readonly id: string;
  readonly object: 'model';
  readonly type: 'model';
  readonly display_name: string;
  /** 0, and the corresponding date, if the catalogue has none. */
  readonly created: number;
  readonly created_at: string;
  readonly owned_by: string;
  readonly context_window: number;
  readonly max_output_tokens: number;
  readonly max_input_tokens: number;
  readonly max_tokens: number;
  readonly providers: readonly string[];
  /** US dollars per million tokens at the first provider; null if unknown. */
  readonly price: PresentedPrice | null;
}

interface PresentedPrice {
  readonly input: number;
  readonly output: number;
  readonly long_input?: { readonly above_tokens: number; readonly input: number; readonly output: number };
}

function presentPrice({ input, output, longInput }: ModelPrice): PresentedPrice {
  if (!longInput) return { input, output };
  return {
    input,
    output,
    long_input: { above_tokens: longInput.aboveTokens, input: longInput.input, output: longInput.output },
  };
}

function present({ id, name, released, contextWindow, maxOutputTokens, providers }: CatalogModel): PresentedModel {
  const created = new Date(released ?? 0);
  const [first] = providers;
  return {
    id,
    object: 'model',
    type: 'model',
    display_name: name,
    created: created.getTime() / 1000,
    created_at: created.toISOString(),
    owned_by: first?.provider ?? 'service',
    context_window: contextWindow,
    max_output_tokens: maxOutputTokens,
    max_input_tokens: contextWindow,
    max_tokens: maxOutputTokens,
    providers: providers.map(({ provider }) => provider),
    price: first?.price ? presentPrice(first.price) : null,
  };
}
