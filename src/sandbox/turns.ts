// Of an owner, a run, only the sandbox of its latest turn lives: what a lost worker left would go on beside it, and
// hold its place until its lease ends.
import { AppError } from '../base/errors.ts';
import type { CreateBody } from './protocol.ts';

export interface Turns {
  /** What is made is the latest of its owner from now on, unless a later turn has begun: then nothing is made. */
  take<Made>(spec: CreateBody, make: () => Promise<Made>): Promise<Made>;
  isLatest(spec: CreateBody): boolean;
  end(spec: CreateBody): void;
}

export function createTurns(): Turns {
  const latest = new Map<string, CreateBody>();
  const isLatest = (spec: CreateBody): boolean => !spec.owner || latest.get(spec.owner.name) === spec;

  function end(spec: CreateBody): void {
    if (spec.owner && isLatest(spec)) latest.delete(spec.owner.name);
  }

  return {
    async take(spec, make) {
      const { owner } = spec;
      if (owner) {
        if ((latest.get(owner.name)?.owner?.turn ?? 0) > owner.turn) throw new AppError('conflict');
        latest.set(owner.name, spec);
      }
      try {
        return await make();
      } catch (error) {
        end(spec);
        throw error;
      }
    },
    isLatest,
    end,
  };
}
