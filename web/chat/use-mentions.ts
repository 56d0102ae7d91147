import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useId, useState } from 'react';
import { type Capability, capabilitiesQuery } from '../api/runs-capabilities.ts';
import { findMention, type Mention, namesCapability, offerCapabilities } from './mention.ts';

interface Mentions {
  readonly offers: readonly Capability[];
  /** Undefined while nothing is offered. */
  readonly active: Capability | undefined;
  readonly listId: string;
  readonly optionId: (key: string) => string;
  /** Whether the text names something that can be named here. */
  readonly names: boolean;
  /** Takes the keys that belong to the list; says whether it did. */
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

/** The capabilities that could be meant by what is being typed behind an @. */
export function useMentions({ place, text, caret, onPick }: MentionsProps): Mentions {
  const id = useId();
  const known = useQuery({ ...capabilitiesQuery(place), enabled: text.includes('@') }).data ?? NONE;
  const mention = findMention(text, caret);
  /** Where the list was sent away; another mention, also one that begins there later, brings it back. */
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
    names: namesCapability(text, known),
    pick,
    onKeyDown(event) {
      if (offers.length === 0 || event.nativeEvent.isComposing) return false;
      const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
      if (step !== 0 && usable.length > 0) setChosen((Math.min(chosen, usable.length - 1) + step + usable.length) % usable.length);
      else if ((event.key === 'Enter' || event.key === 'Tab') && active !== undefined && !event.shiftKey) pick(active);
      else if (event.key === 'Escape') setDismissed(mention?.start);
      else return false;
      event.preventDefault();
      return true;
    },
  };
}
