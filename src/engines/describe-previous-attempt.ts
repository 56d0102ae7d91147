import type { RunAttempt } from '../runs/delivery/engine.ts';

/** Tells the model that the run has begun before. */
export function describePreviousAttempt({
  begunBefore,
  run: { attempt },
}: Pick<RunAttempt, 'begunBefore'> & { readonly run: Pick<RunAttempt['run'], 'attempt'> }): string[] {
  if (!begunBefore) return [];
  const which =
    attempt > 1
      ? `This is attempt ${attempt}: an earlier one was interrupted`
      : 'This run was started before and interrupted';
  return [`${which}, and something may already have been changed in connected apps. Look before you change it again.`];
}
