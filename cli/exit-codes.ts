// What the exit code of a command means; docs/users/cli.md has the same table, printed from here.
export const EXIT = {
  ok: 0,
  failed: 1,
  usage: 2,
  signedOut: 3,
  unreachable: 4,
  runFailed: 5,
  runAborted: 6,
  runLost: 7,
  warned: 8,
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

export const EXIT_MEANINGS = {
  0: 'done; for run: completed',
  1: 'refused or failed; for verify: does not verify; for doctor: something is broken',
  2: 'the command line is wrong, or arguments do not fit the tool: nothing was sent',
  3: 'not signed in, or the token is not accepted',
  4: 'the service cannot be reached',
  5: 'the run that was followed failed',
  6: 'the run that was followed was aborted',
  7: 'the run was lost from sight: how it ended is not known',
  8: 'doctor: nothing is broken, but something should be changed',
  130: 'interrupted with Ctrl-C; a run that was followed goes on',
} as const satisfies Record<ExitCode, string>;
