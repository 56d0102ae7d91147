import type { IncomingMessage, ServerResponse } from 'node:http';
import { AppError } from '../../base/errors.ts';
import type { CatalogModel } from '../../catalog/model-catalog.ts';
import type { TurnCaller } from '../../chat/open-turn.ts';

/** The models that the caller's policy allows, in the order of the catalogue. */
export type AllowedModels = (caller: TurnCaller) => Promise<readonly CatalogModel[]>;

/** `GET /v1/models` and `GET /v1/models/<id>`, in OpenAI's shape. */
export async function listModels(deps: { readonly allowedModels: AllowedModels }, request: IncomingMessage, response: ServerResponse, caller: TurnCaller, path: string): Promise<void> {
  if (request.method !== 'GET' && request.method !== 'HEAD') throw new AppError('method_not_allowed');
  const models = (await deps.allowedModels(caller)).map(present);
  const wanted = path === '/v1/models' ? undefined : readId(path.slice('/v1/models/'.length));
  const found = wanted === undefined ? { object: 'list', data: models, has_more: false, first_id: models[0]?.id ?? null, last_id: models.at(-1)?.id ?? null } : models.find(({ id }) => id === wanted);
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

function present({ id, name, providers }: CatalogModel): { id: string; object: 'model'; type: 'model'; display_name: string; created: number; created_at: string; owned_by: string } {
  return { id, object: 'model', type: 'model', display_name: name, created: 0, created_at: new Date(0).toISOString(), owned_by: providers[0]?.provider ?? 'service' };
}
