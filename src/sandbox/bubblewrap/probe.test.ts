import { describe, expect, it } from 'vitest';
import { explainFailure } from './explain-failure.ts';
import { findWeaknesses } from './self-test.ts';
import { createUidPool } from './uid-pool.ts';

const HOLDS = 'CapPrm: 0000000000000000\nCapEff: 0000000000000000\nCapBnd: 0000000000000000\nNoNewPrivs: 1\nSeccomp: 2\nuid: 1000\nenviron: empty\nshadow: hidden\nroot: sealed\nworkspace: writable\ninterfaces: 0\n';

describe('the look from inside', () => {
  it('finds nothing where all holds', () => expect(findWeaknesses(HOLDS)).toEqual([]));

  it.each([
    ['CapEff: 0000000000000000', 'CapEff: 000001ffffffffff'], ['Seccomp: 2', 'Seccomp: 0'], ['NoNewPrivs: 1', 'NoNewPrivs: 0'], ['uid: 1000', 'uid: 0'],
    ['environ: empty', 'environ: shown'], ['shadow: hidden', 'shadow: read'], ['root: sealed', 'root: writable'], ['interfaces: 0', 'interfaces: 1'], ['workspace: writable', 'workspace: sealed'],
  ])('notices a change from "%s" to "%s"', (from, to) => expect(findWeaknesses(HOLDS.replace(from, to))).toHaveLength(1));

  it('takes silence for weakness', () => expect(findWeaknesses('').length).toBeGreaterThan(8));
});

describe('a bubblewrap that does not start', () => {
  it.each([
    ['bwrap: setting up uid map: Permission denied', /user namespaces/, /apparmor/],
    ['bwrap: No permissions to create new namespace, likely because the kernel does not allow non-privileged user namespaces.', /user namespaces/, /unprivileged_userns_clone/],
    ["bwrap: Can't mount proc on /newroot/proc: Operation not permitted", /proc/, /systempaths=unconfined/],
    ['bwrap: something new', /something new/, /sandbox\.md/],
  ])('is explained: %s', (stderr, reason, fix) => {
    const explained = explainFailure(stderr);
    expect(explained.reason).toMatch(reason);
    expect(explained.fix).toMatch(fix);
    expect(`${explained.reason}${explained.fix}`).not.toContain('\n');
  });
});

it('gives each run a number of its own, and each number again once it is free', () => {
  const pool = createUidPool(100, 2);
  expect([pool.take(), pool.take(), pool.take()]).toEqual([100, 101, undefined]);
  pool.give(100);
  expect(pool.take()).toBe(100);
});
