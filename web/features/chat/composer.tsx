// The prompt: text, files, the model, and the buttons that send and stop. A plain textarea on purpose: it stays fast
// with very large pastes.
import { ActionIcon, Button, FileButton, SegmentedControl, Text, Tooltip, VisuallyHidden } from '@mantine/core';
import {
  type ClipboardEvent,
  type KeyboardEvent,
  type ReactElement,
  type ReactNode,
  type RefObject,
  useId,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { Icon } from '../../kit/look/icons.tsx';
import { RunHint } from '../runs/sandbox-notice.tsx';
import { attachStrings, composerStrings as strings } from './strings.ts';
import type { Question } from './turns.ts';
import { changeDraft, getDraft, isEmpty, subscribeDrafts } from './drafts.ts';
import { DraftFiles } from './draft-files.tsx';
import { isSendKey } from './is-send-key.ts';
import { MentionList } from './mention-list.tsx';
import { putMention } from './mention.ts';
import { ProblemLinks } from './problem-links.tsx';
import { useAttach } from './use-attach.ts';
import { useMentions } from './use-mentions.ts';
import { type ComposerProblem, type SendingProps, useSending } from './use-sending.ts';

type Mentions = ReturnType<typeof useMentions>;

interface ComposerProps extends SendingProps {
  /** The workspace whose capabilities can be mentioned. */
  place: { organization: string; workspace: string | undefined };
  picker: ReactNode;
  field: RefObject<HTMLTextAreaElement | null>;
  onStop: () => void;
}

/** A pasted text longer than this becomes a chip beside the field. */
const LONG_PASTE = 20_000;
const MOST_ROWS = 10;

const CONNECT_IT = ['integrations'] as const;

let pastes = 0;

export function Composer(props: ComposerProps): ReactElement {
  const { chat, place, phase, mode, onMode, picker, field, onStop } = props;
  const readDraft = (): ReturnType<typeof getDraft> => getDraft(chat);
  const draft = useSyncExternalStore(subscribeDrafts, readDraft, readDraft);
  const attach = useAttach(chat, place.organization);
  const { mentions, setCaret } = useDraftMentions({ chat, place, text: draft.text, field });
  const shownMode = mode ?? (mentions.names ? 'background' : 'answer');
  const { send, busy, problem, clearProblem } = useSending(props, { draft, mentions, shownMode });
  return (
    <form
      className="composer"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <MentionList
        id={mentions.listId}
        optionId={mentions.optionId}
        offers={mentions.offers}
        active={mentions.active}
        onPick={mentions.pick}
      />
      <DraftFiles chat={chat} draft={draft} />
      <PromptField
        field={field}
        text={draft.text}
        mentions={mentions}
        onCaret={setCaret}
        onText={(text) => {
          clearProblem();
          changeDraft(chat, (known) => ({ ...known, text }));
        }}
        onEnter={send}
        onPaste={(event) => pasteInto(chat, attach, event)}
      />
      <div className="composer-bar">
        <AttachButton onAttach={attach} />
        {picker}
        <SegmentedControl
          size="xs"
          aria-label={strings.mode}
          value={shownMode}
          data={Object.entries(strings.modes).map(([value, label]) => ({ value, label }))}
          onChange={(value) => {
            clearProblem();
            onMode(value as Question['mode']);
          }}
        />
        <div className="composer-send">
          {busy && <StopButton stopping={phase === 'stopping'} onStop={onStop} />}
          {(!busy || !isEmpty(draft)) && <SendButton queues={busy} idle={isEmpty(draft)} />}
        </div>
      </div>
      {shownMode === 'background' && <RunHint hint={strings.backgroundHint} />}
      <ShowProblem problem={problem} />
    </form>
  );
}

/** The capabilities that the text mentions, and the caret position after one was picked. */
function useDraftMentions({
  chat,
  place,
  text,
  field,
}: Pick<ComposerProps, 'chat' | 'place' | 'field'> & { text: string }): {
  mentions: Mentions;
  setCaret: (caret: number) => void;
} {
  const [caret, setCaret] = useState(0);
  const moveTo = useRef<number>(undefined);
  const mentions = useMentions({
    place,
    text,
    caret,
    onPick(mention, key) {
      const put = putMention(text, mention, key);
      changeDraft(chat, (known) => ({ ...known, text: put.text }));
      moveTo.current = put.caret;
      setCaret(put.caret);
    },
  });
  // After the picked text, once it is in the field.
  useLayoutEffect(() => {
    if (moveTo.current === undefined) return;
    field.current?.focus();
    field.current?.setSelectionRange(moveTo.current, moveTo.current);
    moveTo.current = undefined;
  });
  return { mentions, setCaret };
}

interface PromptFieldProps {
  field: RefObject<HTMLTextAreaElement | null>;
  text: string;
  mentions: Mentions;
  onCaret: (caret: number) => void;
  onText: (text: string) => void;
  onEnter: () => void;
  onPaste: (event: ClipboardEvent) => void;
}

function PromptField({ field, text, mentions, onCaret, onText, onEnter, onPaste }: PromptFieldProps): ReactElement {
  const hint = useId();
  const { listId, optionId, offers, active } = mentions;
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    if (mentions.onKeyDown(event)) return;
    if (!isSendKey(event)) return;
    event.preventDefault();
    onEnter();
  };
  return (
    <>
      <label>
        <VisuallyHidden>{strings.label}</VisuallyHidden>
        <textarea
          ref={field}
          className="composer-field"
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
function pasteInto(chat: string, attach: (files: readonly File[]) => void, event: ClipboardEvent): void {
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

function AttachButton({ onAttach }: { onAttach: (files: readonly File[]) => void }): ReactElement {
  return (
    <FileButton multiple onChange={(files) => onAttach(files)}>
      {(props) => (
        <Tooltip label={`${strings.attach}. ${attachStrings.limits}`} multiline maw={260}>
          <ActionIcon {...props} variant="subtle" color="gray" size="lg" aria-label={strings.attach}>
            <Icon name="attach" />
          </ActionIcon>
        </Tooltip>
      )}
    </FileButton>
  );
}

/** While an answer runs, the message waits for its end. */
function SendButton({ queues, idle }: { queues: boolean; idle: boolean }): ReactElement {
  return (
    <Button
      type="submit"
      // Not `disabled`, which would drop the focus when pressed.
      data-disabled={idle}
      aria-disabled={idle}
      leftSection={<Icon name="send" size={16} />}
    >
      {queues ? strings.queue : strings.send}
    </Button>
  );
}

function StopButton({ stopping, onStop }: { stopping: boolean; onStop: () => void }): ReactElement {
  return (
    <Button
      variant="default"
      data-disabled={stopping}
      aria-disabled={stopping}
      leftSection={<Icon name="stop" size={16} />}
      onClick={onStop}
    >
      {stopping ? strings.stopping : strings.stop}
    </Button>
  );
}

function ShowProblem({ problem }: { problem: ComposerProblem | undefined }): ReactElement {
  return (
    <div role="alert">
      {problem !== undefined && (
        <Text size="sm" c="var(--mantine-color-error)" px="xs" pb={4}>
          {problem.text}
        </Text>
      )}
      {problem?.app !== undefined && (
        <div className="composer-links">
          <ProblemLinks pages={CONNECT_IT} app={problem.app} />
        </div>
      )}
    </div>
  );
}

/** For browsers without `field-sizing`. Counting stops once the field has its maximum height. */
function rowsOf(text: string): number {
  return Math.min(MOST_ROWS, text.slice(0, 4_000).split('\n').length);
}
