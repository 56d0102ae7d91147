// What a plan includes. Features are not listed: every feature is available on every plan.
import type { Plan } from '../members/membership.ts';

interface PlanRow {
  /** Members an organization may have. */
  readonly seats: number;
  /**
   * Granted once per person, to the first organization that they create, by its initial plan; it stays when the plan
   * changes.
   */
  readonly signupCreditMicros: number;
  /** Metered usage that each member brings to the organization every month. */
  readonly seatBudgetMicros: number;
}

export const PLANS = {
  free: { seats: 3, signupCreditMicros: 5_000_000, seatBudgetMicros: 0 },
  team: { seats: 25, signupCreditMicros: 0, seatBudgetMicros: 20_000_000 },
  business: { seats: 250, signupCreditMicros: 0, seatBudgetMicros: 60_000_000 },
} as const satisfies Record<Plan, PlanRow>;
