import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useId, useState } from 'react';
import { connectorsQuery } from '../integrations/queries.ts';
import { type Capability, capabilitiesQuery } from '../integrations/capabilities.ts';
import { findMention, findUnusable, type Mention, namedKeys, offerCapabilities } from './mention.ts';

interface Mentions {
  readonly offers: readonly Capability[];
  /** Undefined while there are no suggestions. */
  readonly active: Capability | undefined;
  readonly listId: string;
  readonly optionId: (key: string) => string;
  /** Whether the text mentions an app, so that sending it starts a run. */
  readonly names: boolean;
  /** The first mentioned app that cannot be used here. */
  readonly unusable: { readonly connector: string; readonly name: string; readonly why?: string } | undefined;
  /** Whether the mentions of the text are not known yet. */
  readonly isLoading: boolean;
  /** Handles the keys of the list; returns whether it did. */
  onKeyDown(event: KeyboardEvent): boolean;
  pick(capability: Capability): void;
}

interface MentionsProps {
  place: { organization: string; workspace: string | undefined };
  text: string;
  caret: number;
  onPick: (mention: Mention, key: string) => void;
}

const NONE: readonly Capability[] = [];

/** Suggests capabilities for what is being typed after an @. */
export function useMentions({ place, text, caret, onPick }: MentionsProps): Mentions {
  const id = useId();
  const enabled = text.includes('@');
  const capabilities = useQuery({ ...capabilitiesQuery(place), enabled });
  const catalogue = useQuery({ ...connectorsQuery(place.organization), enabled });
  const known = capabilities.data ?? NONE;
  const names = namedKeys(text, new Set(catalogue.data?.connectors.map((connector) => connector.id)));
  const unusable = capabilities.data === undefined ? undefined : findUnusable(names, known);
  const mention = findMention(text, caret);
  /** Where the list was dismissed; any other mention brings it back. */
  const [dismissed, setDismissed] = useState<number>();
  if (mention === undefined && dismissed !== undefined) setDismissed(undefined);
  const [chosen, setChosen] = useState(0);
  const offers = mention === undefined || mention.start === dismissed ? NONE : offerCapabilities(known, mention.query);
  const usable = offers.filter((offer) => offer.usable);
  const active = usable[Math.min(chosen, usable.length - 1)];

  const pick = (capability: Capability): void => {
    if (mention === undefined || !capability.usable) return;
    setChosen(0);
    onPick(mention, capability.key);
  };
  return {
    offers,
    active,
    listId: `${id}list`,
    optionId: (key) => `${id}${key}`,
    names: names.length > 0,
    unusable: unusable && {
      ...unusable,
      name:
        catalogue.data?.connectors.find((connector) => connector.id === unusable.connector)?.name ?? unusable.connector,
    },
    isLoading: capabilities.isLoading || catalogue.isLoading,
    pick,
    onKeyDown(event) {
      if (offers.length === 0 || event.nativeEvent.isComposing) return false;
      const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
      if (step !== 0 && usable.length > 0)
        setChosen((Math.min(chosen, usable.length - 1) + step + usable.length) % usable.length);
      else if ((event.key === 'Enter' || event.key === 'Tab') && active !== undefined && !event.shiftKey) pick(active);
      else if (event.key === 'Escape') setDismissed(mention?.start);
      else return false;
      event.preventDefault();
      return true;
    },
  };
}
