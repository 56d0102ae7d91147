// What a suite or test needs of the machine, given as its options: needs('redis-server'). Where that is missing it is
// left out, and the reason travels with it to the report at the end of the run (scripts/test-reporter.ts). In CI what is
// left out fails the run, unless it could never run on such a machine or tests a service that was not named.
import { spawnSync } from 'node:child_process';
import { networkInterfaces } from 'node:os';
import { findProgram, type TestProgramName } from '../../scripts/test-programs.ts';

export interface LeftOut {
  readonly reason: string;
  /** `missing`: the machine lacks something it could have. `impossible`: it never could. `opt-in`: it was not requested. */
  readonly kind: 'missing' | 'impossible' | 'opt-in';
}

declare module 'vitest' {
  interface TaskMeta {
    leftOut?: LeftOut;
  }
}

/** Options of a suite or a test. */
export interface TestNeeds {
  readonly skip: boolean;
  readonly meta: { readonly leftOut?: LeftOut };
}

const OTHERS = {
  linux: { is: () => process.platform === 'linux', kind: 'impossible', reason: 'needs Linux' },
  posix: { is: () => process.platform !== 'win32', kind: 'impossible', reason: 'needs a POSIX system' },
  root: { is: () => process.getuid?.() === 0, kind: 'missing', reason: 'needs root' },
  ipv6: {
    is: () =>
      Object.values(networkInterfaces())
        .flat()
        .some((one) => one?.address === '::1'),
    kind: 'impossible',
    reason: 'needs the loopback address ::1',
  },
  network: {
    is: () =>
      Object.values(networkInterfaces())
        .flat()
        .some((one) => one?.internal === false && one.family === 'IPv4'),
    kind: 'missing',
    reason: 'needs an address that is not the loopback',
  },
  terminal: {
    is: () => spawnSync('script', ['--version']).status === 0,
    kind: 'missing',
    reason: 'needs script of util-linux, which makes terminals',
  },
} as const satisfies Record<string, LeftOut & { is: () => boolean }>;

export function needs(...names: readonly (TestProgramName | 'bash' | keyof typeof OTHERS)[]): TestNeeds {
  for (const name of names) {
    if (name in OTHERS) {
      const { is, kind, reason } = OTHERS[name as keyof typeof OTHERS];
      if (!is()) return leaveOut(reason, kind);
    } else if (findProgram(name) === undefined) return leaveOut(`${name} is not installed`);
  }
  return { skip: false, meta: {} };
}

/** Leaves a suite or test out for a reason that is found elsewhere; an undefined one lets it run. */
export function leaveOut(reason: string | undefined, kind: LeftOut['kind'] = 'missing'): TestNeeds {
  return reason === undefined ? { skip: false, meta: {} } : { skip: true, meta: { leftOut: { reason, kind } } };
}
