// What the exit code of a command means; docs/users/cli.md has the same table.
export const EXIT = { ok: 0, failed: 1, usage: 2, signedOut: 3, unreachable: 4 } as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

export const EXIT_MEANINGS = {
  0: 'done',
  1: 'refused or failed; for verify: does not verify',
  2: 'the command line is wrong',
  3: 'not signed in, or the token is not accepted',
  4: 'the service cannot be reached',
} as const satisfies Record<ExitCode, string>;
