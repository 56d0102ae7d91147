import { type KeyboardEvent, useId, useState } from 'react';

/** A suggestion for what is being typed. */
export interface Offer {
  readonly key: string;
  readonly label: string;
  readonly note: string;
  /** Others are shown, with the reason, but cannot be picked. */
  readonly usable: boolean;
}

export interface Offers<T extends Offer> {
  readonly offers: readonly T[];
  /** Undefined while there are no suggestions. */
  readonly active: T | undefined;
  readonly listId: string;
  readonly optionId: (key: string) => string;
  /** Handles the keys of the list; returns whether it did. */
  onKeyDown(event: KeyboardEvent): boolean;
  pick(offer: T): void;
}

/** The keys of a list of suggestions under a field that keeps the focus: arrows, Enter, Tab, Escape. */
export function useOffers<T extends Offer>({
  start,
  offers: given,
  onPick,
}: {
  /** Where in the text the suggestions belong; undefined if there are none. */
  start: number | undefined;
  offers: readonly T[];
  onPick: (offer: T) => void;
}): Offers<T> {
  const id = useId();
  /** Where the list was dismissed; any other place brings it back. */
  const [dismissed, setDismissed] = useState<number>();
  if (start === undefined && dismissed !== undefined) setDismissed(undefined);
  const [chosen, setChosen] = useState(0);
  const offers = start === undefined || start === dismissed ? [] : given;
  const usable = offers.filter((offer) => offer.usable);
  const active = usable[Math.min(chosen, usable.length - 1)];
  const pick = (offer: T): void => {
    if (!offer.usable) return;
    setChosen(0);
    onPick(offer);
  };
  return {
    offers,
    active,
    listId: `${id}list`,
    optionId: (key) => `${id}${key}`,
    pick,
    onKeyDown(event) {
      if (offers.length === 0 || event.nativeEvent.isComposing) return false;
      const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
      if (step !== 0 && usable.length > 0)
        setChosen((Math.min(chosen, usable.length - 1) + step + usable.length) % usable.length);
      else if ((event.key === 'Enter' || event.key === 'Tab') && active !== undefined && !event.shiftKey) pick(active);
      else if (event.key === 'Escape') setDismissed(start);
      else return false;
      event.preventDefault();
      return true;
    },
  };
}
