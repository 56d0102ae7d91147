import { ActionIcon, Button, Group, Loader, Menu, Text, VisuallyHidden } from '@mantine/core';
import { memo, type ReactElement, type ReactNode, useState } from 'react';
import type { MessageMetadata, MessagePart } from '../../../../src/contract/threads.ts';
import { Markdown } from '../../../kit/markdown/markdown.tsx';
import { markdownToText } from '../../../kit/markdown/to-text.ts';
import { CopyAction } from '../../../kit/copy-field.tsx';
import { Icon } from '../../../kit/look/icons.tsx';
import { common } from '../../../kit/strings.ts';
import { useCopy } from '../../../kit/use-copy.ts';
import { AnswerSources, type ShownSource } from '../../projects/answer-sources.tsx';
import { RunCard } from '../../runs/run-card.tsx';
import { UnlessRunning } from '../../runs/unless-running.tsx';
import { answerStrings, settingStrings, chatStrings as strings } from '../strings.ts';
import { MessageProblem } from './message-problem.tsx';
import { textOf } from './text-of.ts';
import { formatSmallCost } from '../../../language/format.ts';

interface AnswerMessageProps {
  parts: readonly MessagePart[];
  metadata: Omit<MessageMetadata, 'sources'> & { readonly sources?: readonly ShownSource[] | undefined };
  /** Still being written. */
  live?: boolean;
  modelName: string | undefined;
  /** How attachments reached the model, if not as a whole. */
  notes?: string | undefined;
  onAgain?: (() => void) | undefined;
  /** In place of copying, while only its beginning is here. */
  whole?: ReactNode;
  /** Its versions, its time and more. */
  tools?: ReactNode;
}

const CUT = { length: strings.cutLength, 'content-filter': strings.cutFilter, stopped: strings.stopped } as Partial<
  Record<string, string>
>;

export const AnswerMessage = memo(function AnswerMessage({
  parts,
  metadata,
  live = false,
  modelName,
  notes,
  onAgain,
  whole,
  tools,
}: AnswerMessageProps): ReactElement {
  const text = textOf({ parts: [...parts] });
  const run = parts.find((part) => part.type === 'data-job')?.data;
  const cut = live ? undefined : CUT[metadata.finish ?? ''];
  return (
    <div className="answer" aria-busy={live}>
      <VisuallyHidden component="h2">{strings.assistant}</VisuallyHidden>
      {parts.map((part, position) => (
        // oxlint-disable-next-line react/no-array-index-key -- parts are only ever added at the end
        <ShowPart key={position} part={part} live={live && position === parts.length - 1} />
      ))}
      {live && text === '' && !parts.some(({ type }) => type === 'data-job') && (
        <Group gap="xs" py={4}>
          <Loader type="dots" size="sm" color="var(--mantine-color-dimmed)" aria-hidden="true" />
          <Text size="sm" c="dimmed">
            {strings.thinking}
          </Text>
        </Group>
      )}
      {cut !== undefined && (
        <Text size="sm" c="dimmed" mt={4} fs="italic">
          {cut}
        </Text>
      )}
      {metadata.error !== undefined && (
        <MessageProblem code={metadata.error.code} message={metadata.error.message} onAgain={onAgain} />
      )}
      {!live && metadata.sources !== undefined && <AnswerSources sources={metadata.sources} />}
      {!live && (
        <Group gap={4} className="message-actions">
          {whole ?? (text !== '' && <CopyAnswer text={text} />)}
          {onAgain !== undefined &&
            metadata.error === undefined &&
            (run === undefined ? (
              <TryAgain onAgain={onAgain} />
            ) : (
              <UnlessRunning shown={run}>
                <TryAgain onAgain={onAgain} />
              </UnlessRunning>
            ))}
          {tools}
          <AnswerDetails metadata={metadata} modelName={modelName} />
        </Group>
      )}
      {notes !== undefined && (
        <Text size="xs" c="dimmed">
          {notes}
        </Text>
      )}
    </div>
  );
});

function TryAgain({ onAgain }: { onAgain: () => void }): ReactElement {
  return (
    <Button variant="subtle" color="gray" size="compact-xs" onClick={onAgain}>
      {strings.retry}
    </Button>
  );
}

function ShowPart({ part, live }: { part: MessagePart; live: boolean }): ReactElement | null {
  if (part.type === 'text') return <Markdown text={part.text} below={2} live={live} />;
  if (part.type === 'reasoning') return <Reasoning text={part.text} durationMs={part.durationMs} live={live} />;
  return part.type === 'data-job' ? <RunCard shown={part.data} /> : null;
}

interface ReasoningProps {
  text: string;
  durationMs: number | undefined;
  live: boolean;
}

/** Folded; what is in it is rendered when it is first opened. */
function Reasoning({ text, durationMs, live }: ReasoningProps): ReactElement {
  const [opened, setOpened] = useState(false);
  const said = durationMs === undefined ? strings.reasoning : strings.thoughtFor(durationMs);
  return (
    <details className="reasoning" onToggle={() => setOpened(true)}>
      <summary>{live && durationMs === undefined ? strings.reasoningNow : said}</summary>
      {opened && <Markdown text={text} below={2} live={live} />}
    </details>
  );
}

function CopyAnswer({ text }: { text: string }): ReactElement {
  const asMarkdown = useCopy(text);
  const [plain, setPlain] = useState('');
  const asText = useCopy(plain);
  return (
    <Group gap={0} wrap="nowrap">
      <CopyAction value={text} size="compact-xs" />
      <Menu position="bottom-start" onOpen={() => setPlain(markdownToText(text))}>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" size={26} aria-label={strings.copyMenu} className="copy-menu">
            <Icon name="unfold" size={12} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={asMarkdown.copy}>{strings.copyMarkdown}</Menu.Item>
          <Menu.Item onClick={asText.copy}>{strings.copyText}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <VisuallyHidden component="output">{asMarkdown.copied || asText.copied ? common.copied : ''}</VisuallyHidden>
    </Group>
  );
}

/** The model, who paid, and the cost. */
function AnswerDetails({
  metadata,
  modelName,
}: {
  metadata: Omit<MessageMetadata, 'sources'>;
  modelName: string | undefined;
}): ReactElement | null {
  const { credential, cost, inputTokens, outputTokens, effort, temperature } = metadata;
  const facts = [
    modelName ?? metadata.model,
    effort && answerStrings.effort(settingStrings.efforts[effort]),
    temperature === undefined ? undefined : answerStrings.temperature(temperature.toFixed(1)),
    credential && answerStrings.credentials[credential],
    cost === undefined ? undefined : credential === 'platform' ? formatSmallCost(cost) : answerStrings.noCost,
    inputTokens === undefined || outputTokens === undefined
      ? undefined
      : answerStrings.tokens(inputTokens, outputTokens),
  ].filter((fact) => fact !== undefined);
  if (facts.length === 0) return null;
  return (
    <Text component="span" size="xs" c="dimmed" className="answer-details">
      {facts.join(' · ')}
    </Text>
  );
}
