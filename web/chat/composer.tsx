// The prompt: text, files, the model, and one button that sends or stops. It is a plain field on purpose: it has to
// stay quick with whatever is pasted into it.
import { ActionIcon, Button, FileButton, Text, Tooltip, VisuallyHidden } from '@mantine/core';
import { type ClipboardEvent, type KeyboardEvent, type ReactElement, type ReactNode, type Ref, useEffect, useEffectEvent, useId, useState, useSyncExternalStore } from 'react';
import { Icon } from '../look/icons.tsx';
import { composerStrings as strings } from '../strings/chat.ts';
import type { Question, Turn } from './create-conversation.ts';
import { changeDraft, draftText, EMPTY_DRAFT, getDraft, isEmpty, subscribeDrafts } from './drafts.ts';
import { DraftFiles } from './draft-files.tsx';
import { useAttach } from './use-attach.ts';

interface ComposerProps {
  chat: string;
  organization: string;
  phase: Turn['phase'] | undefined;
  /** Whether it is known where to and with which model to send; until then a message waits. */
  ready: boolean;
  /** Why nothing can be sent now. */
  blocked?: string | undefined;
  picker: ReactNode;
  field: Ref<HTMLTextAreaElement>;
  onSend: (question: Question) => void;
  onStop: () => void;
}

/** A text longer than this becomes a chip beside the field. */
const LONG_PASTE = 20_000;
const MOST_CHARACTERS = 2_000_000;
const MOST_ROWS = 10;

let pastes = 0;

export function Composer({ chat, organization, phase, ready, blocked, picker, field, onSend, onStop }: ComposerProps): ReactElement {
  const draft = useSyncExternalStore(subscribeDrafts, () => getDraft(chat));
  const attach = useAttach(chat, organization);
  const [problem, setProblem] = useState<string>();
  const [waiting, setWaiting] = useState(false);
  const hint = useId();
  const busy = phase === 'sending' || phase === 'answering' || phase === 'stopping';

  const idle = busy ? phase === 'stopping' : isEmpty(draft);

  const send = (): void => {
    if (busy || isEmpty(draft)) return;
    if (!ready) return setWaiting(true);
    const text = draftText(draft);
    const attachments = draft.files.flatMap(({ uploaded }) => uploaded ?? []);
    const waits = draft.files.some((file) => file.uploaded === undefined && file.problem === undefined);
    const found = blocked ?? (waits ? strings.waitForUpload : text.length > MOST_CHARACTERS ? strings.tooLong : undefined);
    setProblem(found);
    if (found !== undefined || (text === '' && attachments.length === 0)) return;
    changeDraft(chat, () => EMPTY_DRAFT);
    onSend({ text, attachments });
  };

  const sendNow = useEffectEvent(() => {
    setWaiting(false);
    send();
  });
  useEffect(() => {
    if (waiting && ready) queueMicrotask(sendNow);
  }, [waiting, ready]);

  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    // While a word is being composed, Enter belongs to the input method; on a touch keyboard it starts a line.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing || window.matchMedia('(pointer: coarse)').matches) return;
    event.preventDefault();
    send();
  };

  const onPaste = (event: ClipboardEvent): void => {
    const files = [...event.clipboardData.files];
    const text = event.clipboardData.getData('text/plain');
    if (files.length > 0) attach(files);
    else if (text.length > LONG_PASTE) changeDraft(chat, (known) => ({ ...known, pasted: [...known.pasted, { key: ++pastes, text: text.replaceAll('\0', '').toWellFormed() }] }));
    else return;
    event.preventDefault();
  };

  return (
    <form
      className="composer"
      onSubmit={(event) => {
        event.preventDefault();
        if (busy) onStop();
        else send();
      }}
    >
      <DraftFiles chat={chat} draft={draft} />
      <label>
        <VisuallyHidden>{strings.label}</VisuallyHidden>
        <textarea
          ref={field}
          className="composer-field"
          value={draft.text}
          rows={rowsOf(draft.text)}
          placeholder={strings.placeholder}
          aria-describedby={hint}
          onChange={(event) => {
            const { value } = event.currentTarget;
            setProblem(undefined);
            changeDraft(chat, (known) => ({ ...known, text: value }));
          }}
          onKeyDown={onKeyDown}
          onPaste={onPaste}
        />
      </label>
      <VisuallyHidden id={hint}>{strings.hint}</VisuallyHidden>
      <div className="composer-bar">
        <FileButton multiple onChange={(files) => attach(files)}>
          {(props) => (
            <Tooltip label={strings.attach}>
              <ActionIcon {...props} variant="subtle" color="gray" size="lg" aria-label={strings.attach}>
                <Icon name="attach" />
              </ActionIcon>
            </Tooltip>
          )}
        </FileButton>
        {picker}
        <Button
          type="submit"
          className="composer-send"
          variant={busy ? 'default' : 'filled'}
          // Not `disabled`, which would take the focus away from whoever has just pressed it.
          data-disabled={idle}
          aria-disabled={idle}
          leftSection={<Icon name={busy ? 'stop' : 'send'} size={16} />}
        >
          {busy ? (phase === 'stopping' ? strings.stopping : strings.stop) : strings.send}
        </Button>
      </div>
      <div role="alert">
        {problem !== undefined && (
          <Text size="sm" c="var(--mantine-color-error)" px="xs" pb={4}>
            {problem}
          </Text>
        )}
      </div>
    </form>
  );
}

/** For browsers whose fields do not grow by themselves; the rest of a very long text need not be counted. */
function rowsOf(text: string): number {
  return Math.min(MOST_ROWS, text.slice(0, 4_000).split('\n').length);
}
