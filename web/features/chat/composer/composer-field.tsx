// The field of a message. A plain textarea on purpose: it stays fast with very large pastes.
import { VisuallyHidden } from '@mantine/core';
import { type ClipboardEvent, type KeyboardEvent, type ReactElement, type RefObject, useId } from 'react';
import { changeDraft } from './drafts.ts';
import { isSendKey } from '../../../kit/keys/is-send-key.ts';
import { composerStrings as strings } from '../strings.ts';
import type { Offer, Offers } from './use-offers.ts';

interface ComposerFieldProps {
  field: RefObject<HTMLTextAreaElement | null>;
  text: string;
  /** What is suggested for what is being typed. */
  offers: Offers<Offer>;
  onCaret: (caret: number) => void;
  onText: (text: string) => void;
  onEnter: () => void;
  onPaste: (event: ClipboardEvent) => void;
}

/** A pasted text longer than this becomes a chip beside the field. */
const LONG_PASTE = 20_000;
const MOST_ROWS = 10;

let pastes = 0;

export function ComposerField(props: ComposerFieldProps): ReactElement {
  const { field, text, offers: suggested, onCaret, onText, onEnter, onPaste } = props;
  const hint = useId();
  const { listId, optionId, offers, active } = suggested;
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    if (suggested.onKeyDown(event)) return;
    if (!isSendKey(event)) return;
    event.preventDefault();
    onEnter();
  };
  return (
    <>
      <label className="composer-text">
        <VisuallyHidden>{strings.label}</VisuallyHidden>
        <textarea
          ref={field}
          id="prompt"
          className="composer-field"
          dir="auto"
          value={text}
          rows={rowsOf(text)}
          placeholder={strings.placeholder}
          aria-describedby={hint}
          aria-autocomplete="list"
          aria-controls={offers.length > 0 ? listId : undefined}
          aria-activedescendant={active === undefined || offers.length === 0 ? undefined : optionId(active.key)}
          onSelect={(event) => onCaret(event.currentTarget.selectionStart)}
          onChange={(event) => {
            onCaret(event.currentTarget.selectionStart);
            onText(event.currentTarget.value);
          }}
          onKeyDown={onKeyDown}
          onPaste={onPaste}
        />
      </label>
      <VisuallyHidden id={hint}>{strings.hint}</VisuallyHidden>
    </>
  );
}

/** Files are attached and a very long text becomes a chip; the field handles everything else. */
export function pasteInto(chat: string, attach: (files: readonly File[]) => void, event: ClipboardEvent): void {
  const files = [...event.clipboardData.files];
  const text = event.clipboardData.getData('text/plain');
  if (files.length > 0) attach(files);
  else if (text.length > LONG_PASTE)
    changeDraft(chat, (known) => ({
      ...known,
      pasted: [...known.pasted, { key: ++pastes, text: text.replaceAll('\0', '').toWellFormed() }],
    }));
  else return;
  event.preventDefault();
}

/** For browsers without `field-sizing`. Counting stops once the field has its maximum height. */
function rowsOf(text: string): number {
  return Math.min(MOST_ROWS, text.slice(0, 4_000).split('\n').length);
}
