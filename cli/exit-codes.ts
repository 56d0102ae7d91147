// The meaning of each exit code. The table in docs/users/cli.md is printed from here.
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
  0: 'success; for run: the run completed',
  1: 'refused or failed; for verify: verification failed; for doctor: something is broken',
  2: 'invalid command line or tool arguments; nothing was sent',
  3: 'not signed in, or the token was not accepted',
  4: 'the service cannot be reached',
  5: 'the followed run failed',
  6: 'the followed run was aborted',
  7: 'lost track of the followed run: its outcome is unknown',
  8: 'doctor: nothing is broken, but something should be changed',
  130: 'interrupted with Ctrl-C; a followed run keeps running',
} as const satisfies Record<ExitCode, string>;
