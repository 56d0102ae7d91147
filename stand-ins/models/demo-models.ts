// The models of a demo provider: those the built-in catalogue assigns to it, without prices. Other names are accepted
// too, because the gateway may use another catalogue, unless they are known to belong to another provider.
import type { Modality } from '../../src/catalog/model-catalog.ts';
import builtIn from '../../src/catalog/models.json' with { type: 'json' };
import type { Provider } from './demo-request.ts';
import { Refusal } from './refusal.ts';

export interface DemoModel {
  readonly id: string;
  readonly name: string;
  readonly modality: Modality;
}

/** A model that does not exist, for testing how clients handle that. */
const UNKNOWN = /^unknown\b/i;

const MADE_AT = new Date('2026-01-01T00:00:00Z');

export function demoModels(provider: string): DemoModel[] {
  const found = new Map<string, DemoModel>();
  for (const { name, providers, ...model } of builtIn.models) {
    const modality = 'modality' in model && model.modality === 'embedding' ? 'embedding' : 'chat';
    for (const declared of providers)
      if (declared.provider === provider)
        found.set(declared.model, { id: declared.model, name: providers.length > 1 ? declared.model : name, modality });
  }
  return [...found.values()];
}

function isElsewhere(provider: string, model: string): boolean {
  return builtIn.models.some(({ providers }) =>
    providers.some((declared) => declared.provider !== provider && declared.model === model),
  );
}

export function checkModel(provider: Provider, model: string, modality: Modality): void {
  const here = demoModels(provider).find(({ id }) => id === model);
  if ((!here && isElsewhere(provider, model)) || UNKNOWN.test(model)) throw unknownModel(provider, model);
  if (here && here.modality !== modality)
    throw new Refusal('bad_request', `The model \`${model}\` is no ${modality} model.`, 'model');
}

export function listOpenAiModels(models: readonly DemoModel[]): object {
  return { object: 'list', data: models.map(openAiModel) };
}

/** Paged, as Anthropic's clients expect. */
export function listAnthropicModels(models: readonly DemoModel[], query: URLSearchParams): object {
  const limit = Math.min(Math.max(Math.trunc(Number(query.get('limit') ?? 20)) || 20, 1), 1000);
  const from = models.findIndex(({ id }) => id === query.get('after_id')) + 1;
  const page = models.slice(from, from + limit);
  return {
    data: page.map(anthropicModel),
    has_more: from + limit < models.length,
    first_id: page[0]?.id ?? null,
    last_id: page.at(-1)?.id ?? null,
  };
}

/** By its name in a path. */
export function getModel(provider: Provider, name: string): object {
  const model = demoModels(provider).find(({ id }) => id === name || encodeURIComponent(id) === name);
  if (!model) throw unknownModel(provider, name);
  return provider === 'openai' ? openAiModel(model) : anthropicModel(model);
}

function unknownModel(provider: Provider, model: string): Refusal {
  return provider === 'openai'
    ? new Refusal('unknown_model', `The model \`${model}\` does not exist or you do not have access to it.`, 'model')
    : new Refusal('unknown_model', `model: ${model}`);
}

function openAiModel({ id }: DemoModel): object {
  return { id, object: 'model', created: MADE_AT.getTime() / 1000, owned_by: 'demo' };
}

function anthropicModel({ id, name }: DemoModel): object {
  return { type: 'model', id, display_name: `${name} (demo)`, created_at: MADE_AT.toISOString() };
}
