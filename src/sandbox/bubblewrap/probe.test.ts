import { describe, expect, it } from 'vitest';
import { explainFailure, type KernelSwitches } from './explain-failure.ts';
import { describeInstall } from './install-command.ts';
import { findWeaknesses } from './self-test.ts';
import { createUidPool } from './uid-pool.ts';

const HOLDS =
  'CapPrm: 0000000000000000\nCapEff: 0000000000000000\nCapBnd: 0000000000000000\nNoNewPrivs: 1\nSeccomp: 2\nuid: 1000\nenviron: empty\nshadow: hidden\nroot: sealed\nworkspace: writable\ninterfaces: 0\n';

describe('the look from inside', () => {
  it('finds nothing where all holds', () => expect(findWeaknesses(HOLDS)).toEqual([]));

  it.each([
    ['CapEff: 0000000000000000', 'CapEff: 000001ffffffffff'],
    ['Seccomp: 2', 'Seccomp: 0'],
    ['NoNewPrivs: 1', 'NoNewPrivs: 0'],
    ['uid: 1000', 'uid: 0'],
    ['environ: empty', 'environ: shown'],
    ['shadow: hidden', 'shadow: read'],
    ['root: sealed', 'root: writable'],
    ['interfaces: 0', 'interfaces: 1'],
    ['workspace: writable', 'workspace: sealed'],
  ])('notices a change from "%s" to "%s"', (from, to) =>
    expect(findWeaknesses(HOLDS.replace(from, to))).toHaveLength(1),
  );

  it('treats no answer as insecure', () => expect(findWeaknesses('').length).toBeGreaterThan(8));
});

describe('a bubblewrap that does not start', () => {
  const FREE: KernelSwitches = { appArmorRule: false, cloneForbidden: false, noneLeft: false, container: false };
  const FORBIDDEN = 'bwrap: setting up uid map: Permission denied';

  it.each([
    [
      'bwrap: No permissions to create new namespace, likely because the kernel does not allow non-privileged user namespaces.',
      FREE,
      /user namespaces/,
      /sandbox\.md/,
    ],
    [
      FORBIDDEN,
      { ...FREE, appArmorRule: true, container: true },
      /AppArmor/,
      /profile.*apparmor_restrict_unprivileged_userns=0/,
    ],
    [FORBIDDEN, { ...FREE, cloneForbidden: true }, /only root/, /unprivileged_userns_clone=1/],
    [FORBIDDEN, { ...FREE, noneLeft: true }, /max_user_namespaces is 0/, /max_user_namespaces=15000/],
    [FORBIDDEN, { ...FREE, container: true }, /this container/, /seccomp=unconfined/],
    [
      "bwrap: Can't mount proc on /newroot/proc: Operation not permitted",
      { ...FREE, appArmorRule: true },
      /proc/,
      /systempaths=unconfined/,
    ],
    ['bwrap: something new', FREE, /something new/, /sandbox\.md/],
  ])('is explained: %s', (stderr, switches, reason, fix) => {
    const explained = explainFailure(stderr, switches);
    expect(explained.reason).toMatch(reason);
    expect(explained.fix).toMatch(fix);
    expect(`${explained.reason}${explained.fix}`).not.toContain('\n');
  });
});

describe('what is not installed', () => {
  it.each([
    ['ID=debian\n', false, 'sudo apt-get install bubblewrap util-linux'],
    ['NAME="Ubuntu"\nID=ubuntu\nID_LIKE=debian\n', true, 'apt-get install bubblewrap util-linux'],
    ['ID="rocky"\nID_LIKE="rhel centos fedora"\n', false, 'sudo dnf install bubblewrap util-linux'],
    ['ID=arch\n', false, 'sudo pacman -S bubblewrap util-linux'],
    ['ID=unheard-of\n', false, "install bubblewrap util-linux with your system's package manager"],
  ])('is named by the command that installs it: %s', (release, root, command) =>
    expect(describeInstall(['bwrap', 'setpriv', 'prlimit'], release, root)).toBe(command),
  );
});

it('gives each run a number of its own, and each number again once it is free', () => {
  const pool = createUidPool(100, 2);
  expect([pool.take(), pool.take(), pool.take()]).toEqual([100, 101, undefined]);
  pool.give(100);
  expect(pool.take()).toBe(100);
});
