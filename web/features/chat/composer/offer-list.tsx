import { VisuallyHidden } from '@mantine/core';
import type { ReactElement } from 'react';
import type { Offer, Offers } from './use-offers.ts';

interface OfferListProps {
  offers: Offers<Offer>;
  label: string;
  /** Read out when the list opens or changes. */
  count: (count: number) => string;
}

/** What is suggested while typing. The field keeps the focus and points to the active option. */
export function OfferList({
  offers: { listId, optionId, offers, active, pick },
  label,
  count,
}: OfferListProps): ReactElement {
  return (
    <>
      {offers.length > 0 && (
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- the browser's own list cannot stand beside a text field
        <div id={listId} role="listbox" tabIndex={-1} aria-label={label} className="mentions">
          {offers.map((offer) => (
            // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the field handles the keys
            <div
              key={offer.key}
              id={optionId(offer.key)}
              // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- as above
              role="option"
              aria-selected={offer.key === active?.key}
              aria-disabled={!offer.usable}
              tabIndex={-1}
              className="mention"
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => pick(offer)}
            >
              <span className="mention-key" dir="auto">
                {offer.label}
              </span>
              <span className="mention-note" dir="auto">
                {offer.note}
              </span>
            </div>
          ))}
        </div>
      )}
      <VisuallyHidden component="output">{offers.length === 0 ? '' : count(offers.length)}</VisuallyHidden>
    </>
  );
}
