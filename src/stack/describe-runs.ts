// What kind of sandbox this machine allows, in one line for the person who started the stack: nothing if runs are
// isolated with strong limits, the weak limits otherwise, and what to do if runs are off.
import { describeLimits, findWeakLimits } from '../contract/sandbox-limits.ts';
import type { Health } from '../sandbox/protocol.ts';

export function describeRuns(health: Health): string | undefined {
  if (!health.ok) return `off, ${health.reason}. To fix it: ${health.fix}.`;
  if (findWeakLimits(health.limits).length === 0) return undefined;
  return `isolated by ${health.driver}; their limits are weak here (${describeLimits(health.limits)}), fine for development: docs/operators/sandbox.md`;
}
