// What schedules and triggers have in common, as their pages show it.
import type { StandingPause } from '../../../../src/contract/standing/standing-runs.ts';
import type { StandingKind } from '../run-values.ts';

export interface StandingView {
  readonly id: string;
  readonly name: string;
  readonly run: {
    readonly objective: string;
    readonly kind: StandingKind;
    readonly workspace: string;
    readonly model?: string | undefined;
    readonly capabilities: readonly string[];
    readonly fundingWorkspace?: string | undefined;
  };
  readonly enabled: boolean;
  readonly paused?: { readonly reason: StandingPause } | undefined;
  readonly lastRun?: string | undefined;
  readonly createdBy: string;
}

/** Where those of a kind are listed. */
export type StandingPath = '/runs/schedules' | '/runs/triggers';
