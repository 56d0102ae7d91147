// The metrics port of processes that have no port of their own, or a public one: SERVICE_METRICS_PORT plus an offset,
// so that one value serves a whole machine.
const METRICS_PORT_OFFSETS = {
  gateway: 0,
  sandbox: 1,
  driver: 2,
  'worker-chat': 3,
  'worker-control': 4,
  'worker-codex': 5,
  all: 6,
} as const;

/** Undefined for a process that is scraped at its own port, and when the variable is not set. */
export function metricsPortOf(
  role: string,
  { SERVICE_METRICS_PORT: base }: { readonly SERVICE_METRICS_PORT?: number | undefined },
): number | undefined {
  return base === undefined || !Object.hasOwn(METRICS_PORT_OFFSETS, role)
    ? undefined
    : base + METRICS_PORT_OFFSETS[role as keyof typeof METRICS_PORT_OFFSETS];
}
