// What the doctor reports about one thing: what it found, why that matters, and exactly how to fix it.

const LEVELS = ['ok', 'skipped', 'notice', 'warning', 'fault'] as const;
export type Level = (typeof LEVELS)[number];

export interface Finding {
  readonly level: Level;
  readonly what: string;
  readonly why?: string;
  readonly fix?: string;
}

/** A finding with the check that reported it. */
export interface Reported extends Finding {
  readonly check: string;
}

export const ok = (what: string): Finding => ({ level: 'ok', what });
export const skipped = (what: string): Finding => ({ level: 'skipped', what });
/** Worth knowing; nothing needs to be done. */
export const notice = (what: string, why: string, fix?: string): Finding => ({
  level: 'notice',
  what,
  why,
  ...(fix === undefined ? {} : { fix }),
});
/** It works, but should be changed. */
export const warning = (what: string, why: string, fix: string): Finding => ({ level: 'warning', what, why, fix });
/** Something does not work, or is open to people who must not get in. */
export const fault = (what: string, why: string, fix: string): Finding => ({ level: 'fault', what, why, fix });

export function worstOf(findings: readonly Finding[]): Level {
  return findings.reduce<Level>(
    (worst, { level }) => (LEVELS.indexOf(level) > LEVELS.indexOf(worst) ? level : worst),
    'ok',
  );
}
