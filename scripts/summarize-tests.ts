// The summary at the end of a test run: seconds per project, the slowest files, what was not run and why, and as the
// last line the tally.
import type { LeftOut } from '../test/support/needs.ts';

const SLOWEST = 10;
const KINDS: Readonly<Record<LeftOut['kind'], string>> = {
  missing: 'left out',
  impossible: 'left out, not for this machine',
  'opt-in': 'opt-in',
};

export interface TestOutcome {
  readonly project: string;
  readonly state: 'passed' | 'failed' | 'skipped';
  /** Absent for a test that a pattern on the command line excludes. */
  readonly leftOut?: LeftOut | undefined;
}

export interface TestRun {
  readonly outcomes: readonly TestOutcome[];
  /** Errors that belong to no test. */
  readonly errors: number;
  readonly projectMs: ReadonlyMap<string, number>;
  readonly fileMs: ReadonlyMap<string, number>;
  /** In CI a machine that lacks something is a fault. */
  readonly strict: boolean;
}

export function summarizeTests({ outcomes, errors, projectMs, fileMs, strict }: TestRun): {
  readonly lines: string[];
  readonly failed: number;
} {
  const count = (state: TestOutcome['state'], project?: string): number =>
    outcomes.filter((one) => one.state === state && (project === undefined || one.project === project)).length;
  const refused = strict ? outcomes.filter(({ leftOut }) => leftOut?.kind === 'missing').length : 0;
  const failed = count('failed') + errors + refused;
  const lines = [
    'Projects',
    ...[...projectMs].map(
      ([name, ms]) =>
        `  ${name.padEnd(12)}${seconds(ms)}  ${count('passed', name)} passed, ${count('failed', name)} failed, ${count('skipped', name)} skipped`,
    ),
    '',
    'Slowest files',
    ...[...fileMs]
      .sort(([, a], [, b]) => b - a)
      .slice(0, SLOWEST)
      .map(([file, ms]) => `${seconds(ms)}  ${file}`),
    '',
    ...notRun(outcomes, strict),
    '',
    `${count('passed')} passed, ${failed} failed, ${count('skipped') - refused} skipped`,
  ];
  return { lines, failed };
}

function notRun(outcomes: readonly TestOutcome[], strict: boolean): string[] {
  const tests = new Map<string, number>();
  for (const { leftOut } of outcomes) {
    if (!leftOut) continue;
    const why = `${KINDS[leftOut.kind]}: ${leftOut.reason}`;
    tests.set(why, (tests.get(why) ?? 0) + 1);
  }
  if (tests.size === 0) return ['Nothing was left out.'];
  return [
    strict ? 'Not run (in CI what is left out fails)' : 'Not run',
    ...[...tests].map(([why, n]) => `${String(n).padStart(6)} ${n === 1 ? 'test ' : 'tests'}  ${why}`),
  ];
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1).padStart(8)} s`;
}
