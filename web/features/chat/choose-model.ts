// Which models the picker offers, and which one a new chat starts with. The server checks every request again.
import type { ListedModel } from '../../../src/contract/models.ts';
import { DENIED_OTHERWISE, denialTexts } from './strings.ts';

export interface ModelList {
  readonly models: readonly ListedModel[];
  readonly requireProviderKey: boolean;
}

export interface OfferedModels {
  readonly allowed: readonly ListedModel[];
  readonly denied: readonly ListedModel[];
}

/** "Require organization provider key" applies only here: models of providers without a key are hidden. */
export function offerModels({ models, requireProviderKey }: ModelList, search = ''): OfferedModels {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const offered = models.filter(
    (model) =>
      model.modality === 'chat' &&
      (!requireProviderKey || model.hasProviderKey) &&
      words.every((word) => `${model.name} ${model.id} ${model.providers.join(' ')}`.toLowerCase().includes(word)),
  );
  return { allowed: offered.filter(({ allowed }) => allowed), denied: offered.filter(({ allowed }) => !allowed) };
}

const FIRST_CHOICE = 'service/auto';

/** The preferred model, even when it is not allowed: the refusal is then explained. */
export function chooseModel(list: ModelList, wished: string | undefined): ListedModel | undefined {
  const { allowed, denied } = offerModels(list);
  const find = (id: string | undefined): ListedModel | undefined =>
    [...allowed, ...denied].find((model) => model.id === id);
  return find(wished) ?? allowed.find(({ id }) => id === FIRST_CHOICE) ?? allowed[0] ?? denied[0];
}

export function explainDenials(denials: readonly string[]): string {
  const texts = denials.map((denial) => (denialTexts as Record<string, string>)[denial] ?? DENIED_OTHERWISE);
  return [...new Set(texts)].join(' ');
}

const KEY = 'chat-model';

/** The last pick of this browser, by organization. */
export function rememberedModel(organization: string): string | undefined {
  try {
    return localStorage.getItem(`${KEY}:${organization}`) ?? undefined;
  } catch {
    return undefined;
  }
}

export function rememberModel(organization: string, model: string): void {
  try {
    localStorage.setItem(`${KEY}:${organization}`, model);
  } catch {
    // Storage may be off; the choice then lasts as long as the page.
  }
}
