// The metrics port of processes that have no port of their own, or a public one: SERVICE_METRICS_PORT plus an offset,
// so that one value serves a whole machine.
import { PROCESS_ROLES, type RoleRow } from './process-roles.ts';

const OFFSETS: Readonly<Record<string, Partial<RoleRow>>> = {
  gateway: { metricsOffset: 0 },
  sandbox: { metricsOffset: 1 },
  ...PROCESS_ROLES,
};

/** Undefined for a process that is scraped at its own port, and when the variable is not set. */
export function metricsPortOf(
  role: string,
  { SERVICE_METRICS_PORT: base }: { readonly SERVICE_METRICS_PORT?: number | undefined },
): number | undefined {
  const offset = OFFSETS[role]?.metricsOffset;
  return base === undefined || offset === undefined ? undefined : base + offset;
}
