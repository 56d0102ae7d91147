// How each limit is enforced, and what that guarantees: every means of src/contract/sandbox-limits.ts, limit by limit,
// strongest first. The table in docs/operators/sandbox.md is printed from this one.
import type { Limited, Means } from '../contract/sandbox-limits.ts';

export interface MeansRow {
  readonly limit: Limited;
  readonly means: Means;
  /** When it is used. */
  readonly where: string;
  /** What happens to a run that reaches the limit. */
  readonly enforces: string;
  /** A test file and part of the name of a test in it. */
  readonly shownBy: { readonly file: string; readonly test: string };
}

const LIMITS = 'test/flows/sandbox-limits.test.ts';
const MEANS = 'test/flows/sandbox-means.test.ts';
const WATCHDOG = 'src/sandbox/watchdog/watchdog.test.ts';
const DOCKER = 'src/sandbox/docker/docker-driver.test.ts';
const GROUP = 'root, or a delegated group (`SERVICE_SANDBOX_CGROUP`)';
const CONTAINER = 'the drivers `docker` and `gvisor`';

export const MEANS_TABLE: readonly MeansRow[] = [
  {
    limit: 'memory',
    means: 'cgroup',
    where: GROUP,
    enforces: 'the kernel ends a process of the sandbox; files count as memory',
    shownBy: { file: MEANS, test: 'lets the kernel limit memory and processes' },
  },
  {
    limit: 'memory',
    means: 'engine',
    where: CONTAINER,
    enforces: 'as the engine does',
    shownBy: { file: DOCKER, test: 'under every limit' },
  },
  {
    limit: 'memory',
    means: 'watchdog',
    where: 'everyone else',
    enforces:
      'what the sandbox uses is measured about seven times a second, and its largest process is ended; no process maps more than twice the limit. Memory that no process maps (a memfd, System V segments) is not seen: when the machine itself runs low, the largest sandbox loses a process',
    shownBy: { file: LIMITS, test: 'ends what uses more memory than it may' },
  },
  {
    limit: 'processes',
    means: 'cgroup',
    where: GROUP,
    enforces: 'no more can be started',
    shownBy: { file: LIMITS, test: 'makes no more processes than it may, whatever tries' },
  },
  {
    limit: 'processes',
    means: 'engine',
    where: CONTAINER,
    enforces: 'as the engine does',
    shownBy: { file: DOCKER, test: 'under every limit' },
  },
  {
    limit: 'processes',
    means: 'rlimit',
    where: 'everyone else',
    enforces:
      'no more can be started by one command; of several commands in one sandbox the youngest processes beyond the limit are ended',
    shownBy: { file: WATCHDOG, test: 'are the youngest processes, as many as are too many, threads counted' },
  },
  {
    limit: 'disk',
    means: 'tmpfs',
    where: 'root on the machine; anyone else in a user namespace of the controller',
    enforces: '"No space left on device", also for too many small files',
    shownBy: { file: LIMITS, test: 'writes no more than its disk holds, in bytes and in files, wherever it writes' },
  },
  {
    limit: 'disk',
    means: 'engine',
    where: CONTAINER,
    enforces: 'as the engine does, three quarters for `/workspace`',
    shownBy: { file: DOCKER, test: 'under every limit' },
  },
  {
    limit: 'disk',
    means: 'watchdog',
    where: "where nothing can be mounted, as under Ubuntu's AppArmor rule",
    enforces:
      'no file grows beyond the limit; all commands are ended once the directory is larger, and the next ones can remove files but not write',
    shownBy: { file: MEANS, test: 'ends the commands that fill it with many files' },
  },
  {
    limit: 'cpu',
    means: 'cgroup',
    where: `${GROUP} with the controller \`cpu\``,
    enforces: 'it is slowed down',
    shownBy: { file: MEANS, test: 'is enough to serve in production' },
  },
  {
    limit: 'cpu',
    means: 'engine',
    where: CONTAINER,
    enforces: 'as the engine does',
    shownBy: { file: DOCKER, test: 'under every limit' },
  },
  {
    limit: 'cpu',
    means: 'priority',
    where: 'everyone else',
    enforces: 'nothing: it gives way to everything else on the machine (nice 15)',
    shownBy: { file: LIMITS, test: 'gives way to everything else where nothing limits its processor time' },
  },
  {
    limit: 'time',
    means: 'timer',
    where: 'everywhere',
    enforces: 'the command is ended with all that it started',
    shownBy: { file: LIMITS, test: 'ends a command whose time is up, with all it started' },
  },
];
