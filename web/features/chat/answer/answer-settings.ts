// The effort and temperature of the next answer: what the chosen model takes of what the person has set. Anything else
// is kept, but not sent; the server would refuse it.
import type { ListedModel } from '../../../../src/contract/models.ts';
import type { ChatRequest } from '../../../../src/contract/threads.ts';

export type AnswerSettings = Pick<ChatRequest, 'effort' | 'temperature'>;
type Capabilities = ListedModel['capabilities'];

/** Whether there is anything to set. */
export function takesSettings({ efforts, temperatures }: Capabilities): boolean {
  return efforts.length > 0 || temperatures !== undefined;
}

export function takesTemperature(
  { temperatures, defaultEffort }: Capabilities,
  effort: AnswerSettings['effort'],
): boolean {
  if (temperatures === undefined) return false;
  return temperatures.when === 'always' || (effort ?? defaultEffort ?? 'none') === 'none';
}

export function fitSettings(
  capabilities: Capabilities,
  { effort: wished, temperature }: AnswerSettings,
): AnswerSettings {
  const effort = capabilities.efforts.find((each) => each === wished);
  const takes = temperature !== undefined && takesTemperature(capabilities, effort);
  return {
    ...(effort === undefined ? {} : { effort }),
    ...(takes ? { temperature: Math.min(temperature, capabilities.temperatures?.max ?? 0) } : {}),
  };
}
