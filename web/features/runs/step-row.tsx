import { Text } from '@mantine/core';
import { memo, type ReactElement, useEffect, useRef } from 'react';
import { FoldedText } from '../../kit/folded-text.tsx';
import { Markdown } from '../../kit/markdown/markdown.tsx';
import type { useModelName } from '../models-and-keys/use-model-name.ts';
import { describeTool } from '../receipts/describe-tool.ts';
import { describeMoment } from './describe-moment.ts';
import { stepStrings as strings } from './strings.ts';
import type { Step } from './describe-steps.ts';
import type { Span } from './place-steps.ts';
import { formatCost, formatDate, formatStepTime } from '../../language/format.ts';

const NEAR_END_PX = 24;

type ModelName = ReturnType<typeof useModelName>;

interface StepRowProps {
  step: Step;
  appName: (id: string) => string;
  modelName: ModelName;
  /** Where it lies in the time of the run. */
  span: Span | undefined;
  /** What a command that still runs has printed. */
  output: string | undefined;
}

export const StepRow = memo(function StepRow({ step, appName, modelName, span, output }: StepRowProps): ReactElement {
  const notes = step.type === 'moment' ? describeMoment(step).notes : [];
  return (
    <li
      className="step"
      data-type={step.type}
      data-failed={step.type === 'tool' && step.ok === false ? true : undefined}
    >
      <div className="step-head">
        <h3 className="step-title">{titleOf(step, appName)}</h3>
        <Text component="span" size="sm" c="dimmed">
          {factsOf(step, modelName).join(' · ')}
        </Text>
        <Text component="time" size="xs" c="dimmed" className="step-time" dateTime={step.at}>
          {formatDate(step.at, 'clock')}
        </Text>
      </div>
      {span !== undefined && (
        <div className="step-track" aria-hidden="true">
          <span className="step-bar" style={{ insetInlineStart: `${span.from}%`, width: `${span.width}%` }} />
        </div>
      )}
      {notes.map((note) => (
        <Text key={note} size="sm" c="dimmed">
          {note}
        </Text>
      ))}
      {step.type === 'answer' && step.text !== '' && <Markdown text={step.text} below={3} />}
      {step.type === 'tool' && step.input !== undefined && (
        <Lines label={strings.input} text={step.input} open={!step.ended} />
      )}
      {output !== undefined && <LiveLines text={output} />}
      {step.type === 'tool' && step.ended && <Lines label={strings.output} text={step.output ?? ''} open={false} />}
    </li>
  );
});

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

/** Input and output are folded, except a command of one line. */
function Lines({ label, text, open }: { label: string; text: string; open: boolean }): ReactElement | null {
  const shown = text.trimEnd();
  if (shown === '') return null;
  if (!shown.includes('\n') && shown.length < 160) return <code className="step-line">{shown}</code>;
  return <FoldedText label={label} text={shown} open={open} />;
}

export function titleOf(step: Step, appName: (id: string) => string): string {
  if (step.type === 'waiting') return strings.waiting;
  if (step.type === 'answer') return step.text === '' ? strings.thought : strings.answer;
  return step.type === 'tool' ? describeTool(step.tool, step.ended, appName) : describeMoment(step).title;
}

function factsOf(step: Step, modelName: ModelName): readonly string[] {
  if (step.type === 'moment') return describeMoment(step, modelName).facts;
  if (step.type === 'waiting') return step.model === undefined ? [] : [modelName(step.model)];
  const took = step.ms === undefined ? undefined : formatStepTime(step.ms);
  const facts =
    step.type === 'answer'
      ? [
          step.model === undefined ? undefined : modelName(step.model, step.served),
          step.inputTokens === undefined ? undefined : strings.tokens(step.inputTokens, step.outputTokens ?? 0),
          step.costMicros === undefined ? undefined : formatCost(step.costMicros / 1_000_000),
          took,
        ]
      : step.ended
        ? [step.exit === undefined ? (step.ok === false ? strings.failed : undefined) : strings.exit(step.exit), took]
        : [strings.running];
  return facts.filter((fact) => fact !== undefined);
}
