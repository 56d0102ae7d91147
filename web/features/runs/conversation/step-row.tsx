// A row of the conversation: what a person or the model said, a tool call folded with its result, or a quiet line for what
// happened around them.
import { Loader, Text } from '@mantine/core';
import { memo, type ReactElement, type ReactNode, useEffect, useRef, useState } from 'react';
import { Icon } from '../../../kit/look/icons.tsx';
import { Markdown } from '../../../kit/markdown/markdown.tsx';
import { formatCost, formatDate, formatStepTime } from '../../../language/format.ts';
import type { useModelName } from '../../models-and-keys/use-model-name.ts';
import type { useAppName } from '../../receipts/use-names.ts';
import { describeMoment } from '../describe-moment.ts';
import type { Step } from '../describe-steps.ts';
import { stepStrings as strings } from '../strings.ts';
import { titleOf } from './title-of.ts';

const NEAR_END_PX = 24;

type Answer = Extract<Step, { type: 'answer' }>;
type Call = Extract<Step, { type: 'tool' }>;
type Waiting = Extract<Step, { type: 'waiting' }>;
type Moment = Extract<Step, { type: 'moment' }>;

interface Naming {
  appName: ReturnType<typeof useAppName>;
  modelName: ReturnType<typeof useModelName>;
}

interface StepRowProps extends Naming {
  step: Step;
  /** It is what the run does now. */
  isCurrent: boolean;
  /** What a command that still runs has printed. */
  output: string | undefined;
}

export const StepRow = memo(function StepRow(props: StepRowProps): ReactElement {
  const { step, isCurrent, output, appName, modelName } = props;
  const isFailed = step.type === 'tool' && step.ok === false;
  return (
    <li
      className="step"
      data-type={step.type}
      data-failed={isFailed || undefined}
      data-current={isCurrent || undefined}
    >
      {step.type === 'message' && (
        <>
          <p className="step-said" dir="auto">
            {step.text}
          </p>
          <StepLine at={step.at} />
        </>
      )}
      {step.type === 'answer' && <AnswerStep step={step} modelName={modelName} />}
      {step.type === 'tool' && <CallStep step={step} isCurrent={isCurrent} output={output} appName={appName} />}
      {step.type === 'waiting' && <WaitingStep step={step} modelName={modelName} />}
      {step.type === 'moment' && <MomentStep step={step} modelName={modelName} />}
    </li>
  );
});

interface StepLineProps {
  at: string;
  children?: ReactNode;
}

/** The small line of a step, which ends with when it was. */
function StepLine({ at, children }: StepLineProps): ReactElement {
  return (
    <Text component="p" size="xs" c="dimmed" className="step-line">
      {children}
      <time dateTime={at}>{formatDate(at, 'clock')}</time>
    </Text>
  );
}

const facts = (...some: readonly (string | undefined)[]): string =>
  some.flatMap((fact) => (fact === undefined ? [] : [`${fact} · `])).join('');

function AnswerStep({ step, modelName }: { step: Answer } & Pick<Naming, 'modelName'>): ReactElement {
  const { text, model, served, inputTokens, outputTokens, costMicros, ms } = step;
  return (
    <>
      {text !== '' && <Markdown text={text} below={3} />}
      <StepLine at={step.at}>
        {facts(
          text === '' ? strings.thought : undefined,
          model === undefined ? undefined : modelName(model, served),
          inputTokens === undefined ? undefined : strings.tokens(inputTokens, outputTokens ?? 0),
          costMicros === undefined ? undefined : formatCost(costMicros / 1_000_000),
          ms === undefined ? undefined : formatStepTime(ms),
        )}
      </StepLine>
    </>
  );
}

interface CallStepProps extends Omit<StepRowProps, 'step' | 'modelName'> {
  step: Call;
}

/** Its title and first line; the rest is folded, and only on the page once it was asked for. The running call is open. */
function CallStep({ step, isCurrent, output, appName }: CallStepProps): ReactElement {
  const [chosen, setChosen] = useState<boolean>();
  const isOpen = chosen ?? isCurrent;
  const { input = '', ended } = step;
  const [first = ''] = input.trim().split('\n', 1);
  return (
    <>
      <details
        className="step-call"
        open={isOpen}
        onToggle={({ currentTarget }) => {
          if (currentTarget.open !== isOpen) setChosen(currentTarget.open);
        }}
      >
        <summary>
          <CallMark step={step} isCurrent={isCurrent} />
          <h3 className="step-title">{titleOf(step, appName)}</h3>
          {!isOpen && first !== '' && (
            <code className="step-first" dir="auto">
              {first.slice(0, 200)}
            </code>
          )}
        </summary>
        {isOpen && (
          <>
            <Lines label={strings.input} text={input} />
            {output !== undefined && <LiveLines text={output} />}
            {ended && <Lines label={strings.output} text={step.output ?? ''} />}
          </>
        )}
      </details>
      <StepLine at={step.at}>{facts(...outcomeOf(step, isCurrent))}</StepLine>
    </>
  );
}

function CallMark({ step: { ended, ok, unknown }, isCurrent }: { step: Call; isCurrent: boolean }): ReactElement {
  if (isCurrent) return <Loader size={14} color="var(--mantine-color-dimmed)" aria-hidden="true" />;
  return <Icon name={ended && ok !== false && !unknown ? 'check' : 'alert'} size={14} />;
}

function outcomeOf({ ended, exit, ok, ms, unknown }: Call, isCurrent: boolean): readonly (string | undefined)[] {
  if (unknown) return [strings.unknownEnd];
  if (!ended) return [isCurrent ? strings.running : strings.cutOff];
  return [
    exit === undefined ? (ok === false ? strings.failed : undefined) : strings.exit(exit),
    ms === undefined ? undefined : formatStepTime(ms),
  ];
}

function WaitingStep({ step, modelName }: { step: Waiting } & Pick<Naming, 'modelName'>): ReactElement {
  return (
    <>
      <div className="step-head">
        <Loader size={14} color="var(--mantine-color-dimmed)" aria-hidden="true" />
        <h3 className="step-title">{strings.waiting}</h3>
      </div>
      <StepLine at={step.at}>{facts(step.model === undefined ? undefined : modelName(step.model))}</StepLine>
    </>
  );
}

function MomentStep({ step, modelName }: { step: Moment } & Pick<Naming, 'modelName'>): ReactElement {
  const { title, facts: about, notes } = describeMoment(step, modelName);
  return (
    <>
      <StepLine at={step.at}>{facts(title, ...about)}</StepLine>
      {notes.map((note) => (
        <Text key={note} size="xs" c="dimmed">
          {note}
        </Text>
      ))}
    </>
  );
}

/** Not announced: it changes every second. Its end is in sight, unless somebody has scrolled back. */
function LiveLines({ text }: { text: string }): ReactElement {
  const box = useRef<HTMLPreElement>(null);
  const atEnd = useRef(true);
  useEffect(() => {
    const element = box.current;
    if (element && atEnd.current) element.scrollTop = element.scrollHeight;
  });
  return (
    <pre
      ref={box}
      className="step-output"
      dir="auto"
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- long texts are scrolled with the keyboard too
      tabIndex={0}
      aria-label={strings.liveOutput}
      onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
        atEnd.current = scrollHeight - scrollTop - clientHeight < NEAR_END_PX;
      }}
    >
      {text}
    </pre>
  );
}

function Lines({ label, text }: { label: string; text: string }): ReactElement | null {
  const shown = text.trimEnd();
  if (shown === '') return null;
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- long texts are scrolled with the keyboard too
    <pre className="step-output" dir="auto" tabIndex={0} aria-label={label}>
      {shown}
    </pre>
  );
}
