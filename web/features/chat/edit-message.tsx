import { Button, Group, Text } from '@mantine/core';
import { type ReactElement, useEffect, useId, useRef, useState } from 'react';
import { common } from '../../kit/strings.ts';
import { isSendKey } from './is-send-key.ts';
import { composerStrings as strings } from './strings.ts';

interface EditMessageProps {
  text: string;
  needsText: boolean;
  /** Otherwise it stays here until it can be sent. */
  canAsk: boolean;
  onCancel: () => void;
  onSave: (text: string) => void;
}

/** Stands in for the message while editing: Enter sends, Escape cancels. */
export function EditMessage({ text, needsText, canAsk, onCancel, onSave }: EditMessageProps): ReactElement {
  const [changed, setChanged] = useState(text);
  const field = useRef<HTMLTextAreaElement>(null);
  const hint = useId();
  useEffect(() => field.current?.focus(), []);
  const ready = canAsk && (!needsText || changed.trim() !== '');
  return (
    <form
      className="edit-message"
      onSubmit={(event) => {
        event.preventDefault();
        if (ready) onSave(changed.trim());
      }}
    >
      <textarea
        ref={field}
        className="composer-field"
        aria-label={strings.editLabel}
        aria-describedby={hint}
        value={changed}
        rows={Math.min(10, changed.slice(0, 4_000).split('\n').length + 1)}
        onChange={(event) => setChanged(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing) return;
          if (event.key === 'Escape') onCancel();
          else if (isSendKey(event)) event.currentTarget.form?.requestSubmit();
          else return;
          event.preventDefault();
        }}
      />
      <Group justify="space-between" gap="xs" px={4}>
        <Text id={hint} size="xs" c="dimmed">
          {canAsk ? strings.editText : strings.editWaits}
        </Text>
        <Group gap="xs">
          <Button variant="default" size="xs" onClick={onCancel}>
            {common.cancel}
          </Button>
          <Button type="submit" size="xs" disabled={!ready}>
            {strings.saveEdit}
          </Button>
        </Group>
      </Group>
    </form>
  );
}
