import { VisuallyHidden } from '@mantine/core';
import type { ReactElement } from 'react';
import type { Capability } from '../integrations/capabilities.ts';
import { mentionStrings as strings } from './strings.ts';

interface MentionListProps {
  id: string;
  optionId: (key: string) => string;
  offers: readonly Capability[];
  active: Capability | undefined;
  onPick: (capability: Capability) => void;
}

/** The field keeps the focus and points to the active option. */
export function MentionList({ id, optionId, offers, active, onPick }: MentionListProps): ReactElement {
  return (
    <>
      {offers.length > 0 && (
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- the browser's own list cannot stand beside a text field
        <div id={id} role="listbox" tabIndex={-1} aria-label={strings.list} className="mentions">
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
              onClick={() => onPick(offer)}
            >
              <span className="mention-key">@{offer.key}</span>
              <span className="mention-note">
                {offer.usable ? offer.title : strings.unusable(offer.title, offer.why ?? '')}
              </span>
            </div>
          ))}
        </div>
      )}
      <VisuallyHidden component="output">{offers.length === 0 ? '' : strings.count(offers.length)}</VisuallyHidden>
    </>
  );
}
