// What one sandbox may use. A caller may ask for other values within the bounds.
const KIB = 1024;
const MIB = 1024 * KIB;
const GIB = 1024 * MIB;

interface Bounds {
  readonly default: number;
  readonly min: number;
  readonly max: number;
}

export const LIMITS = {
  processes: { default: 512, min: 16, max: 32_768 },
  memoryBytes: { default: 2 * GIB, min: 64 * MIB, max: 1024 * GIB },
  diskBytes: { default: GIB, min: MIB, max: 1024 * GIB },
  /** Of one command, standard output and standard error together; the rest is dropped, with a marker. */
  outputBytes: { default: 4 * MIB, min: KIB, max: 64 * MIB },
  cpus: { default: 2, min: 0.1, max: 1024 },
  openFiles: { default: 4096, min: 64, max: 1_048_576 },
} as const satisfies Record<string, Bounds>;

export type LimitName = keyof typeof LIMITS;
export type SandboxLimits = Readonly<Record<LimitName, number>>;

/** How long a sandbox lives unless its lease is renewed, and the longest time one command may take. */
export const TIME_LIMIT_MS = 30 * 60_000;
export const MAX_LIFE_MS = 24 * 3_600_000;

export function withDefaults(asked: Partial<Record<LimitName, number | undefined>>): SandboxLimits {
  const limits: Record<string, number> = {};
  for (const [name, bounds] of Object.entries<Bounds>(LIMITS))
    limits[name] = asked[name as LimitName] ?? bounds.default;
  return limits as SandboxLimits;
}
