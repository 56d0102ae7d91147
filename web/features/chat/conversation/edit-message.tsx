import { Button, Group, Text } from '@mantine/core';
import { type ReactElement, useEffect, useId, useRef } from 'react';
import { common } from '../../../kit/strings.ts';
import { isSendKey } from '../../../kit/keys/is-send-key.ts';
import { composerStrings as strings } from '../strings.ts';

interface EditMessageProps {
  text: string;
  needsText: boolean;
  /** Whether the person has just opened it. */
  focus: boolean;
  /** Otherwise it stays here until it can be sent. */
  canAsk: boolean;
  onChange: (text: string) => void;
  onCancel: () => void;
  onSave: () => void;
}

/** Stands in for the message while editing: Enter sends, Escape cancels. */
export function EditMessage({
  text,
  needsText,
  focus,
  canAsk,
  onChange,
  onCancel,
  onSave,
}: EditMessageProps): ReactElement {
  const field = useRef<HTMLTextAreaElement>(null);
  const hint = useId();
  useEffect(() => {
    if (focus) field.current?.focus();
  }, [focus]);
  const ready = canAsk && (!needsText || text.trim() !== '');
  return (
    <form
      className="edit-message"
      onSubmit={(event) => {
        event.preventDefault();
        if (ready) onSave();
      }}
    >
      <textarea
        ref={field}
        className="composer-field"
        dir="auto"
        aria-label={strings.editLabel}
        aria-describedby={hint}
        value={text}
        rows={Math.min(10, text.slice(0, 4_000).split('\n').length + 1)}
        onChange={(event) => onChange(event.currentTarget.value)}
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
