// Which models the picker offers, in which order, and which one a new chat starts with. The server checks every request
// again.
import type { ListedModel } from '../../../../src/contract/models.ts';
import { DENIED_OTHERWISE, denialTexts, modelStrings } from '../strings.ts';

export interface ModelList {
  readonly models: readonly ListedModel[];
  readonly requireProviderKey: boolean;
}

export interface OfferedModels {
  readonly available: readonly ListedModel[];
  /** Refused by the policy, or nothing can pay for them. */
  readonly unavailable: readonly ListedModel[];
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
  return { available: offered.filter(isAvailable), unavailable: offered.filter((model) => !isAvailable(model)) };
}

function isAvailable({ allowed, credential }: ListedModel): boolean {
  return allowed && credential !== null;
}

const FIRST_CHOICE = 'service/auto';

/** The preferred model, even when it is not available: the refusal is then explained. */
export function chooseModel(list: ModelList, wished: string | undefined): ListedModel | undefined {
  const { available, unavailable } = offerModels(list);
  const find = (id: string | undefined): ListedModel | undefined =>
    [...available, ...unavailable].find((model) => model.id === id);
  return find(wished) ?? available.find(({ id }) => id === FIRST_CHOICE) ?? available[0] ?? unavailable[0];
}

/** Why a model cannot be picked. */
export function explainUnavailable({ denials, takesOwnKey }: ListedModel): string {
  if (denials.length === 0) return takesOwnKey ? modelStrings.needsKey : modelStrings.needsAccount;
  const texts = denials.map((denial) => (denialTexts as Record<string, string>)[denial] ?? DENIED_OTHERWISE);
  return [...new Set(texts)].join(' ');
}

export interface ModelGroup {
  readonly label: string;
  readonly models: readonly ListedModel[];
}

/** Pinned models first, then recent ones, then the rest by provider. A search shows providers only: the match is what counts. */
export function groupModels(
  available: readonly ListedModel[],
  { pinned, recent }: ModelMemory,
  searching: boolean,
): ModelGroup[] {
  const pick = (ids: readonly string[]): ListedModel[] =>
    ids.flatMap((id) => available.find((model) => model.id === id) ?? []);
  const first = searching
    ? []
    : [
        { label: modelStrings.pinned, models: pick(pinned) },
        { label: modelStrings.recent, models: pick(recent.filter((id) => !pinned.includes(id))) },
      ];
  const shown = new Set(first.flatMap(({ models }) => models));
  const byProvider = Map.groupBy(
    available.filter((model) => !shown.has(model)),
    ({ providers }) => (providers.length === 1 ? (providers[0] ?? '') : ''),
  );
  return [...first, ...[...byProvider].map(([provider, models]) => ({ label: nameProvider(provider), models }))].filter(
    ({ models }) => models.length > 0,
  );
}

function nameProvider(provider: string): string {
  return (modelStrings.providers as Record<string, string>)[provider] ?? provider;
}

export interface ModelMemory {
  /** In the order in which they were pinned. */
  readonly pinned: readonly string[];
  /** Latest first. */
  readonly recent: readonly string[];
}

const MOST_RECENT = 3;
const MOST_PINNED = 20;

export function withPick({ pinned, recent }: ModelMemory, model: string): ModelMemory {
  return { pinned, recent: [model, ...recent.filter((id) => id !== model)].slice(0, MOST_RECENT) };
}

export function withPinToggled({ pinned, recent }: ModelMemory, model: string): ModelMemory {
  const others = pinned.filter((id) => id !== model);
  return { pinned: others.length < pinned.length ? others : [...others, model].slice(-MOST_PINNED), recent };
}
