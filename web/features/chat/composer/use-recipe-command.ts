import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { fillRecipe } from '../../../../src/contract/recipes/fill-recipe.ts';
import type { Recipe } from '../../../../src/contract/recipes/recipes.ts';
import { offeredRecipesQuery } from '../../runs/recipes/queries.ts';
import type { Question } from '../answer/turns.ts';
import { commandStrings as strings } from '../strings.ts';
import { isSendKey } from '../../../kit/keys/is-send-key.ts';
import { findRecipeCommand, offerRecipes } from './recipe-command.ts';
import { type Offer, type Offers, useOffers } from './use-offers.ts';

interface RecipeCommand {
  readonly offers: Offers<Offer>;
  /** Whether the name of a recipe is being typed. */
  readonly isTyping: boolean;
  /** The recipe whose fields are being filled in. */
  readonly filling: Recipe | undefined;
  fill(values: Readonly<Record<string, string>>): void;
  cancel(): void;
}

interface RecipeCommandProps {
  chat: string;
  place: { organization: string; workspace: string | undefined };
  text: string;
  caret: number;
  /** Starts it; returns whether it did. */
  onStart: (question: Question) => boolean;
  /** Enter, if the recipes could not be read. */
  onSend: () => void;
}

type RecipeOffer = Offer & { readonly recipe?: Recipe };

/** Where chats run that did not pick a workspace. */
const DEFAULT_WORKSPACE = 'default';
const LONGEST_NOTE = 120;

/** Suggests recipes for what is typed after `/run`. One is filled in, and then started at once. */
export function useRecipeCommand({ chat, place, text, caret, onStart, onSend }: RecipeCommandProps): RecipeCommand {
  const navigate = useNavigate();
  const client = useQueryClient();
  const [filling, setFilling] = useState<{ chat: string; text: string; recipe: Recipe }>();
  const query = findRecipeCommand(text, caret);
  const from = { organization: place.organization, workspace: place.workspace ?? DEFAULT_WORKSPACE };
  const { data, isFetching } = useQuery({
    ...offeredRecipesQuery(from, query ?? ''),
    enabled: query !== undefined,
    placeholderData: keepPreviousData,
  });
  const found = query === undefined ? [] : offerRecipes(data?.recipes ?? [], query).map(toOffer);
  const use = (recipe: Recipe): void => setFilling({ chat, text, recipe });
  const offers = useOffers<RecipeOffer>({
    start: query === undefined ? undefined : 0,
    offers: data === undefined || (found.length > 0 && query !== '') ? found : [...found, managing(query ?? '')],
    onPick({ recipe }) {
      if (recipe === undefined) void navigate({ to: '/recipes' });
      else use(recipe);
    },
  });
  const latest = useRef({ chat, text });
  useEffect(() => {
    latest.current = { chat, text };
  });
  /** Decides what Enter meant, once the recipes are known or cannot be read. A message changed since then stays. */
  const decide = async (typed: string): Promise<void> => {
    const read = await client.fetchQuery(offeredRecipesQuery(from, typed)).catch(() => undefined);
    if (latest.current.chat !== chat || latest.current.text !== text) return;
    const [recipe] = offerRecipes(read?.recipes ?? [], typed);
    if (recipe) use(recipe);
    else if (read === undefined) onSend();
  };
  /** It is not sent as a message before the recipes have been read. */
  const waitForRecipes = (event: KeyboardEvent): boolean => {
    if (query === undefined || !isFetching || !isSendKey(event)) return false;
    event.preventDefault();
    if (query !== '') void decide(query);
    return true;
  };
  // While names are read, Enter must not pick from the list of what was typed before.
  const onKeyDown = (event: KeyboardEvent): boolean => waitForRecipes(event) || offers.onKeyDown(event);
  // Another chat, or a changed message, ends it.
  const current = filling?.chat === chat && filling.text === text ? filling.recipe : undefined;
  return {
    offers: current === undefined ? { ...offers, onKeyDown } : { ...offers, offers: [], active: undefined },
    isTyping: query !== undefined,
    filling: current,
    fill(values) {
      if (current === undefined) return;
      const recipe = { id: current.id, fields: { ...values } };
      const objective = fillRecipe(current.run.objective, values);
      if (onStart({ text: objective, attachments: [], mode: 'background', recipe })) setFilling(undefined);
    },
    cancel: () => setFilling(undefined),
  };
}

const managing = (query: string): RecipeOffer => ({
  key: 'manage',
  label: strings.manageRecipes,
  note: query === '' ? strings.manageRecipesText : strings.noRecipe,
  usable: true,
});

function toOffer(recipe: Recipe): RecipeOffer {
  const { id, name, description, run } = recipe;
  const note = (description ?? run.objective).trim().replaceAll(/\s+/g, ' ');
  return {
    key: id,
    label: name,
    note: note.length > LONGEST_NOTE ? `${note.slice(0, LONGEST_NOTE).trimEnd().toWellFormed()}…` : note,
    usable: true,
    recipe,
  };
}
