import { Text } from '@mantine/core';
import { memo, type ReactElement } from 'react';
import { FoldedText } from '../../kit/folded-text.tsx';
import { Markdown } from '../../kit/markdown/markdown.tsx';
import { stepStrings as strings } from './strings.ts';
import type { Step } from './tell-steps.ts';

const clock = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' });

export const StepRow = memo(function StepRow({ step }: { step: Step }): ReactElement {
  return (
    <li
      className="step"
      data-type={step.type}
      data-failed={step.type === 'tool' && step.ok === false ? true : undefined}
    >
      <div className="step-head">
        <h3 className="step-title">{titleOf(step)}</h3>
        <Text component="span" size="sm" c="dimmed">
          {factsOf(step).join(' · ')}
        </Text>
        <Text component="time" size="xs" c="dimmed" className="step-time" dateTime={step.at}>
          {clock.format(new Date(step.at))}
        </Text>
      </div>
      {step.type === 'said' && <Markdown text={step.text} below={3} />}
      {step.type === 'tool' && step.input !== undefined && (
        <Lines label={strings.input} text={step.input} open={!step.ended} />
      )}
      {step.type === 'tool' && step.ended && <Lines label={strings.output} text={step.output ?? ''} open={false} />}
    </li>
  );
});

/** Longer texts than one line are folded. */
function Lines({ label, text, open }: { label: string; text: string; open: boolean }): ReactElement | null {
  const shown = text.trimEnd();
  if (shown === '') return null;
  if (!shown.includes('\n') && shown.length < 160) return <code className="step-line">{shown}</code>;
  return <FoldedText label={label} text={shown} open={open} />;
}

function titleOf(step: Step): string {
  if (step.type === 'said') return strings.said;
  if (step.type === 'tool') return strings.tool(step.tool);
  const named = Object.hasOwn(strings, step.event) ? strings[step.event as 'job.queued'] : step.event;
  return typeof named === 'string' ? named : step.event;
}

function factsOf(step: Step): string[] {
  if (step.type === 'said')
    return [
      step.model,
      step.inputTokens === undefined ? undefined : strings.tokens(step.inputTokens, step.outputTokens ?? 0),
    ].filter((fact) => fact !== undefined);
  if (step.type === 'tool') {
    if (!step.ended) return [strings.running];
    return [
      step.exit === undefined ? (step.ok === false ? strings.refused : undefined) : strings.exit(step.exit),
      step.ms === undefined ? undefined : strings.ms(step.ms),
    ].filter((fact) => fact !== undefined);
  }
  const facts = Object.entries(step.facts).map(([name, value]) => `${name} ${String(value)}`);
  return step.event === 'job.retried' ? [strings.attempt(step.attempt), ...facts] : facts;
}
