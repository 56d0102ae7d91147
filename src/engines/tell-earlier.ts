import type { Run } from '../runs/delivery/engine.ts';

/** Tells the model that the run has begun before. */
export function tellEarlier({
  begunBefore,
  job: { attempt },
}: Pick<Run, 'begunBefore'> & { readonly job: Pick<Run['job'], 'attempt'> }): string[] {
  if (!begunBefore) return [];
  const which =
    attempt > 1
      ? `This is attempt ${attempt}: an earlier one was interrupted`
      : 'This run was started before and interrupted';
  return [`${which}, and something may already have been changed in connected apps. Look before you change it again.`];
}
