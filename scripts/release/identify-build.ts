// What a release is made from, as every artefact names it: the version, the commit, and its time, which stands for the
// time of everything in it, so that the same commit gives the same bytes.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildId } from '../build-id.ts';

export interface Build {
  readonly version: string;
  /** As the programs say it: of the commit, unless what they are built from has changed. */
  readonly id: string;
  readonly commit: string;
  /** Whether the files are not exactly those of the commit. */
  readonly changed: boolean;
  readonly epochSeconds: number;
}

export async function identifyBuild(root: string): Promise<Build> {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  return {
    version,
    id: await buildId(root),
    commit: git(root, 'rev-parse', 'HEAD'),
    changed: git(root, 'status', '--porcelain') !== '',
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
