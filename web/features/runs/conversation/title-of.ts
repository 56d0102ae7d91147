import { describeTool } from '../../receipts/describe-tool.ts';
import { describeMoment } from '../describe-moment.ts';
import type { Step } from '../describe-steps.ts';
import { stepStrings as strings } from '../strings.ts';

/** A step in a few words. */
export function titleOf(step: Step, appName: (id: string) => string): string {
  if (step.type === 'waiting') return strings.waiting;
  if (step.type === 'message') return strings.message;
  if (step.type === 'answer') return step.text === '' ? strings.thought : strings.answer;
  return step.type === 'tool' ? describeTool(step.tool, step.ended, appName) : describeMoment(step).title;
}
