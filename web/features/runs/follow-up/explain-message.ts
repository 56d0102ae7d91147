import type { RunView } from '../queries.ts';
import { followUpStrings as strings } from './strings.ts';

interface Explained {
  readonly allowed: boolean;
  /** What becomes of a message, or why none can be sent. */
  readonly text: string;
}

/** When a run that has not ended reads what is said to it. */
const READS: Partial<Record<RunView['status'], string>> = {
  queued: strings.whenQueued,
  running: strings.whenRunning,
};

/** As the server decides it. */
export function explainMessage(run: Pick<RunView, 'kind' | 'status' | 'createdBy'>, userId: string): Explained {
  if (run.kind === 'control') return { allowed: false, text: strings.noControl };
  const reads = READS[run.status];
  if (reads === undefined) return { allowed: true, text: strings.whenEnded };
  return run.createdBy === userId ? { allowed: true, text: reads } : { allowed: false, text: strings.onlyStarter };
}
