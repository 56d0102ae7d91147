// What schedules and triggers have in common, as their pages show it.
import type { PlannedRunOnWire, StandingPause } from '../../../../src/contract/standing/standing-runs.ts';

export interface StandingView {
  readonly id: string;
  readonly name: string;
  readonly run: PlannedRunOnWire;
  readonly enabled: boolean;
  readonly paused?: { readonly reason: StandingPause } | undefined;
  readonly lastRun?: string | undefined;
  readonly createdBy: string;
}

/** Where those of a kind are listed. */
export type StandingPath = '/runs/schedules' | '/runs/triggers';
