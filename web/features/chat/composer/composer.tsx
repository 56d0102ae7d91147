// The composer: text, files, the model, and the buttons that send and stop.
import { ActionIcon, Button, FileButton, SegmentedControl, Text, Tooltip } from '@mantine/core';
import { type ReactElement, type ReactNode, type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { findVariables } from '../../../../src/contract/prompt-template.ts';
import { onDemand } from '../../../kit/on-demand.tsx';
import { Icon } from '../../../kit/look/icons.tsx';
import { RunHint } from '../../runs/sandbox-notice.tsx';
import { putPrompt } from './command.ts';
import { ComposerField, pasteInto } from './composer-field.tsx';
import { attachStrings, commandStrings, composerStrings as strings, mentionStrings } from '../strings.ts';
import type { Question } from '../answer/turns.ts';
import { changeDraft, isEmpty, useDraft } from './drafts.ts';
import { DraftFiles } from './draft-files.tsx';
import { putMention } from './mention.ts';
import { RUN_COMMAND } from './recipe-command.ts';
import { OfferList } from './offer-list.tsx';
import { ProblemLinks } from '../answer/problem-links.tsx';
import { useAttach } from './use-attach.ts';
import { useCommands } from './use-commands.ts';
import { useRecipeCommand } from './use-recipe-command.ts';
import { useMentions } from './use-mentions.ts';
import { type ComposerProblem, type SendingProps, useSending } from './use-sending.ts';

const PromptVariables = onDemand(async () => (await import('./prompt-variables.tsx')).PromptVariables);

interface ComposerProps extends SendingProps {
  /** The workspace whose capabilities can be mentioned. */
  place: { organization: string; workspace: string | undefined };
  picker: ReactNode;
  /** How full the context is; a run gets no conversation. */
  meter: ReactNode;
  field: RefObject<HTMLTextAreaElement | null>;
  onStop: () => void;
}

const CONNECT_IT = ['integrations'] as const;

export function Composer(props: ComposerProps): ReactElement {
  const { chat, place, phase, mode, onMode, picker, meter, field, onStop } = props;
  const draft = useDraft(chat);
  const attach = useAttach(chat, place.organization);
  const { mentions, commands, caret, setCaret } = useSuggestions({ chat, place, text: draft.text, field });
  const shownMode = mode ?? (mentions.names ? 'background' : 'answer');
  const { send, start, busy, problem, clearProblem } = useSending(props, { draft, mentions, shownMode });
  const recipes = useRecipeCommand({ chat, place, text: draft.text, caret, onStart: start, onSend: send });
  const suggested = recipes.isTyping ? recipes.offers : commands.isTyping ? commands.offers : mentions.offers;
  return (
    <form
      className="composer"
      data-filled={isEmpty(draft) ? undefined : true}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <OfferList
        offers={suggested}
        {...(suggested === mentions.offers
          ? { label: mentionStrings.list, count: mentionStrings.count }
          : {
              label: recipes.isTyping ? commandStrings.recipes : commandStrings.list,
              count: commandStrings.count,
            })}
      />
      <FillIn commands={commands} recipes={recipes} toField={() => field.current?.focus()} />
      <DraftFiles chat={chat} draft={draft} />
      <ComposerField
        field={field}
        text={draft.text}
        offers={suggested}
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
          className="composer-mode"
          size="xs"
          aria-label={strings.mode}
          value={shownMode}
          data={Object.entries(strings.modes).map(([value, label]) => ({ value, label }))}
          onChange={(value) => {
            clearProblem();
            onMode(value as Question['mode']);
          }}
        />
        {shownMode === 'answer' && meter}
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

interface FillInProps {
  commands: ReturnType<typeof useCommands>;
  recipes: ReturnType<typeof useRecipeCommand>;
  toField: () => void;
}

/** The fields of the prompt or recipe that was picked. */
function FillIn({ commands, recipes, toField }: FillInProps): ReactElement | null {
  const cancel = (): void => {
    commands.cancel();
    recipes.cancel();
    toField();
  };
  if (commands.filling !== undefined) {
    const { id, name, text } = commands.filling.prompt;
    return (
      <PromptVariables
        key={id}
        title={commandStrings.fill(name)}
        variables={findVariables(text)}
        submit={commandStrings.insert}
        onFill={commands.fill}
        onCancel={cancel}
      />
    );
  }
  if (recipes.filling === undefined) return null;
  const { id, name, run } = recipes.filling;
  return (
    <PromptVariables
      key={id}
      title={commandStrings.startRecipe(name)}
      variables={findVariables(run.objective)}
      submit={commandStrings.start}
      required
      onFill={(values) => {
        recipes.fill(values);
        toField();
      }}
      onCancel={cancel}
    />
  );
}

/** What is suggested while typing: capabilities after an @, saved prompts after a slash at the start. */
function useSuggestions({
  chat,
  place,
  text,
  field,
}: Pick<ComposerProps, 'chat' | 'place' | 'field'> & { text: string }): {
  mentions: ReturnType<typeof useMentions>;
  commands: ReturnType<typeof useCommands>;
  caret: number;
  setCaret: (caret: number) => void;
} {
  const [caret, setCaret] = useState(0);
  const moveTo = useRef<number>(undefined);
  const put = (changed: { text: string; caret: number }): void => {
    changeDraft(chat, (known) => ({ ...known, text: changed.text }));
    moveTo.current = changed.caret;
    setCaret(changed.caret);
  };
  const mentions = useMentions({ place, text, caret, onPick: (mention, key) => put(putMention(text, mention, key)) });
  const commands = useCommands({
    chat,
    organization: place.organization,
    text,
    caret,
    onPut: (query, filled) => put(putPrompt(text, query, filled)),
    onRun: () => put({ text: `/${RUN_COMMAND} `, caret: RUN_COMMAND.length + 2 }),
    onSend: () => field.current?.form?.requestSubmit(),
  });
  // After the picked text, once it is in the field.
  useLayoutEffect(() => {
    if (moveTo.current === undefined) return;
    field.current?.focus();
    field.current?.setSelectionRange(moveTo.current, moveTo.current);
    moveTo.current = undefined;
  });
  return { mentions, commands, caret, setCaret };
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
