// What a release is made from, as every artefact names it: the version, the commit, and its time, which stands for the
// time of everything in it, so that the same commit gives the same bytes.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Build {
  readonly version: string;
  readonly id: string;
  readonly commit: string;
  /** Whether the files are not exactly those of the commit. */
  readonly changed: boolean;
  readonly epochSeconds: number;
}

const ID_DIGITS = 12;

export function identifyBuild(root: string): Build {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  const commit = git(root, 'rev-parse', 'HEAD');
  const changed = git(root, 'status', '--porcelain') !== '';
  return {
    version,
    id: `${commit.slice(0, ID_DIGITS)}${changed ? '.changed' : ''}`,
    commit,
    changed,
    epochSeconds: Number(git(root, 'log', '-1', '--format=%ct')),
  };
}

function git(root: string, ...args: readonly string[]): string {
  const { status, stdout, stderr, error } = spawnSync('git', ['-C', root, ...args], { encoding: 'utf8' });
  if (status !== 0)
    throw new Error(
      `a release is made from a git clone, and git ${args[0]} failed: ${error?.message ?? stderr.trim()}`,
    );
  return stdout.trim();
}
