// The prompt: text, files, the model, and one button that sends or stops. It is a plain field on purpose: it has to
// stay quick with whatever is pasted into it.
import { ActionIcon, Button, FileButton, SegmentedControl, Text, Tooltip, VisuallyHidden } from '@mantine/core';
import {
  type ClipboardEvent,
  type KeyboardEvent,
  type ReactElement,
  type ReactNode,
  type RefObject,
  useEffect,
  useEffectEvent,
  useId,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { Icon } from '../../kit/look/icons.tsx';
import { RunHint } from '../runs/sandbox-notice.tsx';
import { composerStrings as strings } from './strings.ts';
import type { Question, Turn } from './create-conversation.ts';
import { changeDraft, draftText, EMPTY_DRAFT, getDraft, isEmpty, subscribeDrafts } from './drafts.ts';
import { DraftFiles } from './draft-files.tsx';
import { MentionList } from './mention-list.tsx';
import { putMention } from './mention.ts';
import { ProblemLinks } from './problem-links.tsx';
import { useAttach } from './use-attach.ts';
import { useMentions } from './use-mentions.ts';

interface ComposerProps {
  chat: string;
  /** Whose capabilities can be named. */
  place: { organization: string; workspace: string | undefined };
  phase: Turn['phase'] | undefined;
  /** Whether it is known where to and with which model to send; until then a message waits. */
  ready: boolean;
  /** Why nothing can be sent now. */
  blocked?: string | undefined;
  /** Why no run can be started now. */
  runBlocked?: string | undefined;
  /** What the person chose; undefined leaves it to the message. */
  mode: Question['mode'];
  onMode: (mode: Question['mode']) => void;
  picker: ReactNode;
  field: RefObject<HTMLTextAreaElement | null>;
  onSend: (question: Question) => void;
  onStop: () => void;
}

/** A text longer than this becomes a chip beside the field. */
const LONG_PASTE = 20_000;
const MOST_CHARACTERS = 2_000_000;
const MOST_ROWS = 10;

const CONNECT_IT = ['integrations'] as const;

interface ComposerProblem {
  readonly text: string;
  /** The connector to connect. */
  readonly app?: string;
}

let pastes = 0;

export function Composer({
  chat,
  place,
  phase,
  ready,
  blocked,
  runBlocked,
  mode,
  onMode,
  picker,
  field,
  onSend,
  onStop,
}: ComposerProps): ReactElement {
  const draft = useSyncExternalStore(subscribeDrafts, () => getDraft(chat));
  const attach = useAttach(chat, place.organization);
  const [problem, setProblem] = useState<ComposerProblem>();
  const [waiting, setWaiting] = useState(false);
  const [caret, setCaret] = useState(0);
  const moveTo = useRef<number>(undefined);
  const hint = useId();
  const mentions = useMentions({
    place,
    text: draft.text,
    caret,
    onPick(mention, key) {
      const put = putMention(draft.text, mention, key);
      changeDraft(chat, (known) => ({ ...known, text: put.text }));
      moveTo.current = put.caret;
      setCaret(put.caret);
    },
  });
  const shownMode = mode ?? (mentions.names ? 'background' : 'answer');
  const busy = phase === 'sending' || phase === 'answering' || phase === 'stopping';

  // With files it depends on what is named whether it can be sent at all.
  const settled = ready && !(draft.files.length > 0 && mentions.isLoading);
  const idle = busy ? phase === 'stopping' : isEmpty(draft);

  const send = (): void => {
    if (busy || isEmpty(draft)) return;
    if (!settled) return setWaiting(true);
    const text = draftText(draft);
    const attachments = draft.files.flatMap(({ uploaded }) => uploaded ?? []);
    const waits = draft.files.some((file) => file.uploaded === undefined && file.problem === undefined);
    const found =
      blocked ??
      (shownMode === 'background' ? (runBlocked ?? refuseFiles(attachments.length, mentions.unusable)) : undefined) ??
      (waits ? strings.waitForUpload : text.length > MOST_CHARACTERS ? strings.tooLong : undefined);
    setProblem(typeof found === 'string' ? { text: found } : found);
    if (found !== undefined || (text === '' && attachments.length === 0)) return;
    changeDraft(chat, () => EMPTY_DRAFT);
    onSend({ text, attachments, ...(mode === undefined ? {} : { mode }) });
    onMode(undefined);
  };

  const sendNow = useEffectEvent(() => {
    setWaiting(false);
    send();
  });
  useEffect(() => {
    if (waiting && settled) queueMicrotask(sendNow);
  }, [waiting, settled]);

  // Behind what was picked, once it stands in the field.
  useLayoutEffect(() => {
    if (moveTo.current === undefined) return;
    field.current?.focus();
    field.current?.setSelectionRange(moveTo.current, moveTo.current);
    moveTo.current = undefined;
  });

  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    if (mentions.onKeyDown(event)) return;
    // While a word is being composed, Enter belongs to the input method; on a touch keyboard it starts a line.
    if (
      event.key !== 'Enter' ||
      event.shiftKey ||
      event.nativeEvent.isComposing ||
      window.matchMedia('(pointer: coarse)').matches
    )
      return;
    event.preventDefault();
    send();
  };

  const onPaste = (event: ClipboardEvent): void => {
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
      <MentionList
        id={mentions.listId}
        optionId={mentions.optionId}
        offers={mentions.offers}
        active={mentions.active}
        onPick={mentions.pick}
      />
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
          aria-autocomplete="list"
          aria-controls={mentions.offers.length > 0 ? mentions.listId : undefined}
          aria-activedescendant={
            mentions.active === undefined || mentions.offers.length === 0
              ? undefined
              : mentions.optionId(mentions.active.key)
          }
          onSelect={(event) => setCaret(event.currentTarget.selectionStart)}
          onChange={(event) => {
            const { value, selectionStart } = event.currentTarget;
            setCaret(selectionStart);
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
        <SegmentedControl
          size="xs"
          aria-label={strings.mode}
          value={shownMode}
          data={Object.entries(strings.modes).map(([value, label]) => ({ value, label }))}
          onChange={(value) => {
            setProblem(undefined);
            onMode(value as Question['mode']);
          }}
        />
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
      {shownMode === 'background' && <RunHint hint={strings.backgroundHint} />}
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
    </form>
  );
}

/** A run takes no files; that an app it names cannot be used is said first, because both are to be mended. */
function refuseFiles(
  files: number,
  unusable: { readonly connector: string; readonly name: string; readonly why?: string } | undefined,
): string | ComposerProblem | undefined {
  if (files === 0) return undefined;
  if (unusable === undefined) return strings.noFiles;
  const { connector, name, why } = unusable;
  return { text: why === undefined ? strings.appMissing(name) : strings.appUnusable(name, why), app: connector };
}

/** For browsers whose fields do not grow by themselves; the rest of a very long text need not be counted. */
function rowsOf(text: string): number {
  return Math.min(MOST_ROWS, text.slice(0, 4_000).split('\n').length);
}
