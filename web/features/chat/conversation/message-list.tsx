// The conversation, from the earliest loaded message to the streaming one. The list is not a live region: the page
// announces the start and end of an answer, not its words.
import { Alert, Button, Center, Group, Text } from '@mantine/core';
import { type ComponentProps, type ReactElement, useCallback, useMemo, useSyncExternalStore } from 'react';
import type { ListedModel } from '../../../../src/contract/models.ts';
import type { Message } from '../../../../src/contract/threads.ts';
import { Icon } from '../../../kit/look/icons.tsx';
import { answerStrings, chatStrings as strings } from '../strings.ts';
import { AnswerMessage } from '../answer/answer-message.tsx';
import { nameModels } from '../answer/name-models.ts';
import { NO_ANSWER } from '../answer/apply-chunk.ts';
import type { Conversation } from './create-conversation.ts';
import type { Question, Turn } from '../answer/turns.ts';
import { MessageProblem } from '../answer/message-problem.tsx';
import { MessageTools } from '../answer/message-tools.tsx';
import { ShowWholeMessage } from '../answer/show-whole.tsx';
import { textOf } from '../answer/text-of.ts';
import { QueuedMessages } from './queued-messages.tsx';
import { Question as ShowQuestion, UserMessage } from './user-message.tsx';

interface More {
  readonly has: boolean;
  readonly loading: boolean;
  load(): void;
}

interface MessageListProps {
  thread: string | undefined;
  messages: readonly Message[];
  turn: Turn | undefined;
  /** Where the words of the answer come from. */
  conversation: Pick<Conversation, 'get' | 'subscribe'>;
  models: readonly ListedModel[];
  /** Whether a model is there that can answer. */
  hasModel: boolean;
  earlier: More;
  /** What follows the messages, if they do not reach the latest; a turn is after that. */
  later: More;
  /** Sends a message again, changed or not: a version of it, or of its answer. */
  onAgain: (message: Message, text: string, mode?: Question['mode']) => void;
  onRepeat: (question: Question, replace: string | undefined) => void;
  /** Puts a refused message back into the prompt. */
  onTakeBack: () => void;
  onReconnect: () => void;
  /** The messages that wait, at the end. */
  queued: ComponentProps<typeof QueuedMessages>;
}

export function MessageList(props: MessageListProps): ReactElement {
  const { thread, messages, models, earlier, later, onAgain } = props;
  const isHere = !later.has || props.turn?.replace !== undefined;
  const turn = isHere ? props.turn : undefined;
  const free = props.turn === undefined || props.turn.phase === 'refused';
  const canAsk = free && props.hasModel;
  const nameOf = useCallback((metadata: Message['metadata']) => nameModels(models, metadata), [models]);
  const answering = turn !== undefined && turn.phase !== 'refused' && !messages.some(({ id }) => id === turn.answer.id);
  const answers = { thread, free, canAsk, onAgain, conversation: props.conversation, onReconnect: props.onReconnect };
  return (
    <>
      <LoadMore more={earlier} label={strings.earlier} />
      <ol className="messages" aria-label={strings.conversation}>
        {[
          ...messages.map((message, index) =>
            message.role === 'user' ? (
              <li key={message.id} className="message" data-role="user" data-message={message.id}>
                <UserMessage message={message} free={free} canAsk={canAsk} thread={thread} onAgain={onAgain} />
              </li>
            ) : (
              <AnswerRow
                key={message.id}
                {...answers}
                message={message}
                notes={attachmentNotes(message, messages)}
                modelName={nameOf(message.metadata)}
                asked={messages[index - 1]}
              />
            ),
          ),
          turn?.question !== undefined && (
            <PendingQuestion
              key="question"
              question={turn.question}
              turn={turn}
              onRepeat={props.onRepeat}
              onTakeBack={props.onTakeBack}
            />
          ),
          // Under the key that it is stored with: what was drawn word by word stays on the page.
          answering && (
            <AnswerRow
              key={turn.answer.id ?? 'answer'}
              {...answers}
              turn={turn}
              modelName={nameOf(turn.answer.metadata)}
            />
          ),
        ]}
        {isHere && <QueuedMessages {...props.queued} />}
      </ol>
      {!isHere && <LoadMore more={later} label={strings.later} />}
    </>
  );
}

function LoadMore({ more: { has, loading, load }, label }: { more: More; label: string }): ReactElement | null {
  return has ? (
    <Center py="md">
      <Button variant="default" size="xs" loading={loading} onClick={load}>
        {label}
      </Button>
    </Center>
  ) : null;
}

interface PendingQuestionProps extends Pick<MessageListProps, 'onRepeat' | 'onTakeBack'> {
  question: Question;
  turn: Turn;
}

/** A message that is not stored, and why if it was refused. */
function PendingQuestion({ question, turn, onRepeat, onTakeBack }: PendingQuestionProps): ReactElement {
  return (
    <li className="message" data-role="user">
      <ShowQuestion
        parts={question.attachments.map((data) => ({ type: 'data-attachment', data: { ...data } }))}
        text={question.text}
      />
      {turn.fault !== undefined && (
        <MessageProblem
          code={turn.fault.code}
          message={turn.fault.text}
          onAgain={() => onRepeat(question, turn.replace)}
          onAnswer={() => onRepeat({ ...question, mode: 'answer' }, turn.replace)}
          onEdit={turn.replace === undefined ? onTakeBack : undefined}
        />
      )}
    </li>
  );
}

interface AnswerRowProps extends Pick<MessageListProps, 'thread' | 'conversation' | 'onReconnect'> {
  /** Undefined while it is being written. */
  message?: Message;
  /** The turn that writes it. */
  turn?: Turn;
  notes?: string | undefined;
  modelName: string | undefined;
  /** The message before it. */
  asked?: Message | undefined;
  free: boolean;
  canAsk: boolean;
  onAgain: (message: Message, text: string) => void;
}

/** An answer, from its first word on: the same row when it is stored. */
function AnswerRow(props: AnswerRowProps): ReactElement {
  const { thread, message, turn, conversation, notes, modelName, asked, free, canAsk, onAgain } = props;
  const written = useWrittenAnswer(conversation, turn);
  const { parts, metadata } = message ?? written;
  const again = canAsk && asked?.role === 'user' ? asked : undefined;
  const repeat = useCallback(() => again !== undefined && onAgain(again, textOf(again)), [again, onAgain]);
  const tools = useMemo(
    () => message && <MessageTools thread={thread} message={message} free={free} />,
    [thread, message, free],
  );
  const whole = useMemo(
    () => message?.wholeBytes !== undefined && <ShowWholeMessage thread={thread} message={message} />,
    [thread, message],
  );
  return (
    <li className="message" data-role="assistant" data-message={message?.id}>
      <AnswerMessage
        parts={parts}
        metadata={metadata}
        live={turn !== undefined && turn.phase !== 'lost'}
        modelName={modelName}
        notes={notes}
        onAgain={again === undefined ? undefined : repeat}
        whole={whole === false ? undefined : whole}
        tools={tools}
      />
      {turn !== undefined && <Interruption turn={turn} onReconnect={props.onReconnect} />}
    </li>
  );
}

const NEVER = (): (() => void) => () => {};

/** What a turn has written so far; nothing without one. */
function useWrittenAnswer(conversation: MessageListProps['conversation'], turn: Turn | undefined): Turn['answer'] {
  const read = (): Turn['answer'] => {
    if (turn === undefined) return NO_ANSWER;
    const now = conversation.get();
    return now !== undefined && now.thread === turn.thread ? now.answer : turn.answer;
  };
  return useSyncExternalStore(turn === undefined ? NEVER : conversation.subscribe, read, read);
}

/** The connection was lost while an answer was written. */
function Interruption({ turn, onReconnect }: { turn: Turn; onReconnect: () => void }): ReactElement {
  return (
    <>
      {turn.reconnecting === true && (
        <Alert color="yellow" icon={<Icon name="offline" />} mt="xs">
          <Text size="sm">{strings.reconnecting}</Text>
        </Alert>
      )}
      {turn.phase === 'lost' && (
        <Alert color="yellow" icon={<Icon name="offline" />} mt="xs">
          <Group gap="sm">
            <Text size="sm" flex={1}>
              {strings.lost}
            </Text>
            <Button size="xs" variant="default" onClick={onReconnect}>
              {strings.reconnect}
            </Button>
          </Group>
        </Alert>
      )}
    </>
  );
}

function attachmentNotes({ metadata }: Message, messages: readonly Message[]): string | undefined {
  const notes = (metadata.attachments ?? []).flatMap(({ id, used }) => {
    if (used === 'whole') return [];
    const name = messages
      .flatMap(({ parts }) => parts)
      .find((part) => part.type === 'data-attachment' && part.data.id === id);
    return `${name?.type === 'data-attachment' ? `${name.data.name}: ` : ''}${answerStrings.attachments[used]}`;
  });
  return notes.length === 0 ? undefined : notes.join(' ');
}
