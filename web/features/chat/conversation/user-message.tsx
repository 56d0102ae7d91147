import { Button, Group, VisuallyHidden } from '@mantine/core';
import { memo, type ReactElement, useState } from 'react';
import type { Message } from '../../../../src/contract/threads.ts';
import { CopyAction } from '../../../kit/copy-field.tsx';
import { chatStrings as strings, composerStrings } from '../strings.ts';
import type { Question as Asked } from '../answer/turns.ts';
import { changeDraft, editOf, EMPTY_DRAFT, useDraft } from '../composer/drafts.ts';
import { EditMessage } from './edit-message.tsx';
import { MessageProblem } from '../answer/message-problem.tsx';
import { MessageTools } from '../answer/message-tools.tsx';
import { SentFiles } from './sent-files.tsx';
import { ShowWholeMessage } from '../answer/show-whole.tsx';
import { textOf } from '../answer/text-of.ts';

interface UserMessageProps {
  message: Message;
  /** Whether no answer is being written. */
  free: boolean;
  /** Whether it can be sent again now, edited or not. */
  canAsk: boolean;
  thread: string | undefined;
  onAgain: (message: Message, text: string, mode?: Asked['mode']) => void;
}

export const UserMessage = memo(function UserMessage({
  message,
  free,
  canAsk,
  thread,
  onAgain,
}: UserMessageProps): ReactElement {
  const text = textOf(message);
  const { edit, isOpened, setEdit } = useEdit(message.id, text);
  const { error } = message.metadata;
  const isCut = message.wholeBytes !== undefined;
  if (edit !== undefined) {
    return (
      <EditMessage
        text={edit}
        focus={isOpened}
        needsText={!message.parts.some(({ type }) => type === 'data-attachment')}
        canAsk={canAsk}
        onChange={setEdit}
        onCancel={() => setEdit(undefined)}
        onSave={() => {
          setEdit(undefined);
          onAgain(message, edit.trim());
        }}
      />
    );
  }
  return (
    <>
      <Question parts={message.parts} text={text} />
      <Group gap={4} className="message-actions" justify="flex-end">
        <ShowWholeMessage thread={thread} message={message} />
        {text !== '' && !isCut && <CopyAction value={text} size="compact-xs" />}
        {canAsk && !isCut && (
          <Button variant="subtle" color="gray" size="compact-xs" onClick={() => setEdit(text)}>
            {strings.edit}
          </Button>
        )}
        <MessageTools thread={thread} message={message} free={free} />
      </Group>
      {error !== undefined && (
        <MessageProblem
          code={error.code}
          message={error.message}
          at={error.at}
          onAgain={canAsk ? () => onAgain(message, text) : undefined}
          onAnswer={canAsk ? () => onAgain(message, text, 'answer') : undefined}
        />
      )}
    </>
  );
});

interface Edit {
  /** Its text; undefined if none is open. */
  readonly edit: string | undefined;
  /** Otherwise it is open because its text was kept. */
  readonly isOpened: boolean;
  setEdit(edit: string | undefined): void;
}

/** The edit of a message. One that was changed and not sent is open whenever its message is on the page. */
function useEdit(message: string, text: string): Edit {
  const key = editOf(message);
  const { text: kept } = useDraft(key);
  const [isOpened, setOpened] = useState(false);
  const setEdit = (edit: string | undefined): void => {
    setOpened(edit !== undefined);
    changeDraft(key, () => (edit === undefined ? EMPTY_DRAFT : { ...EMPTY_DRAFT, text: edit }));
  };
  return { edit: isOpened || (kept !== '' && kept !== text) ? kept : undefined, isOpened, setEdit };
}

/** Longer messages are folded: they would push the answer out of view and be slow to lay out. */
const LONG = { characters: 1_500, lines: 24 } as const;

export function Question({ parts, text }: { parts: Message['parts']; text: string }): ReactElement {
  const [whole, setWhole] = useState(false);
  const folded = fold(text);
  const files = parts.flatMap((part) => (part.type === 'data-attachment' ? part.data : []));
  return (
    <div className="question">
      <VisuallyHidden component="h2">{strings.you}</VisuallyHidden>
      <SentFiles files={files} />
      {text !== '' && (
        <div className="question-text" dir="auto">
          {whole ? text : folded}
          {folded !== text && (
            <Button
              variant="subtle"
              size="compact-xs"
              mt={4}
              display="block"
              onClick={() => setWhole(!whole)}
              aria-expanded={whole}
            >
              {whole ? strings.showLess : `${strings.showAll} (${composerStrings.characters(text.length)})`}
            </Button>
          )}
        </div>
      )}
    </div>
  );
}

function fold(text: string): string {
  const start = text.slice(0, LONG.characters);
  const lines = start.split('\n');
  if (start.length === text.length && lines.length <= LONG.lines) return text;
  return `${lines.slice(0, LONG.lines).join('\n').trimEnd().toWellFormed()}…`;
}
