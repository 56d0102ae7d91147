// Applies the patch of a run to a working copy. A run made it, so its paths are checked here before git sees them.
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { posix } from 'node:path';
import { findPathFault } from '../../src/contract/patches/hostile-path.ts';
import { type FilePatch, readPatch } from '../../src/contract/patches/read-patch.ts';
import type { Changes } from '../../src/contract/patches/run-changes.ts';
import { Failure } from '../failure.ts';

const LINK = '120000';

export async function applyPatch(
  directory: string,
  { patch, changes: { base, repository } }: { readonly patch: string; readonly changes: Changes },
): Promise<{ readonly files: string[] }> {
  const files = readPatch(patch);
  for (const file of files) refuseHostile(file);
  const top = await git(directory, ['rev-parse', '--show-toplevel']);
  if (top.code !== 0)
    throw new Failure(`${directory} is not a working copy of a git repository`, {
      error: 'not_a_working_copy',
      next: 'Run it in a clone of the repository, or name one with --directory.',
    });
  const root = top.stdout.replace(/\n$/, '');
  if ((await git(root, ['cat-file', '-e', `${base}^{commit}`])).code !== 0)
    throw new Failure(`this working copy does not have commit ${base.slice(0, 12)}, which the run began from`, {
      error: 'base_missing',
      next: `Fetch it, in a clone of ${repository || 'its repository'}: git fetch origin ${base}`,
    });
  const applied = await git(root, ['apply', '--3way', '--whitespace=nowarn', '-'], patch);
  const names = files.map(({ path }) => path);
  if (applied.code === 0) return { files: names };
  const conflicts = (await git(root, ['diff', '--name-only', '--diff-filter=U', '-z'])).stdout
    .split('\0')
    .filter((name) => name !== '');
  if (conflicts.length > 0)
    throw new Failure(`applied, with conflicts in ${conflicts.map((name) => JSON.stringify(name)).join(', ')}`, {
      error: 'conflicts',
      next: 'Both versions are in these files, between markers: edit them and run git add. To undo everything: git checkout HEAD -- <files>',
    });
  const reason = applied.stderr
    .trim()
    .split('\n')
    .filter((line) => line.startsWith('error: '))
    .slice(0, 5);
  throw new Failure(`git did not apply the patch, and changed nothing\n${reason.join('\n')}`.trim(), {
    error: 'not_applied',
    next: 'Commit or stash your own changes to these files, and try again.',
  });
}

function refuseHostile({ path, from, mode, hunks }: FilePatch): void {
  const fault = findPathFault(path) ?? (from === undefined ? undefined : findPathFault(from));
  if (fault !== undefined) throw hostile(`the patch would write ${JSON.stringify(path)}: ${fault}`);
  if (mode !== LINK) return;
  for (const { kind, text: target } of hunks.flatMap(({ lines }) => lines))
    if (
      kind === 'added' &&
      (target.startsWith('/') || findPathFault(posix.join(posix.dirname(path), target)) !== undefined)
    )
      throw hostile(`the patch would make ${JSON.stringify(path)} a link out of the working copy`);
}

const hostile = (message: string): Failure =>
  new Failure(message, {
    error: 'hostile_path',
    next: 'Nothing was applied. Look at the patch before you use any of it.',
  });

/** Without hooks: applying is not committing, and nothing of the patch may start anything. */
async function git(
  directory: string,
  args: readonly string[],
  input = '',
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const child = spawn('git', [
    '-C',
    directory,
    '-c',
    'core.hooksPath=/dev/null',
    '-c',
    'core.fsmonitor=false',
    ...args,
  ]);
  const code = new Promise<number | null>((resolve, reject) => {
    child.once('close', resolve);
    child.once('error', (error) => reject(new Failure(`cannot run git: ${error.message}`, { next: 'Install git.' })));
  });
  // A command that does not read all of it has ended for another reason, which it says.
  child.stdin.on('error', () => {}).end(input);
  const [stdout, stderr, ended] = await Promise.all([text(child.stdout), text(child.stderr), code]);
  return { code: ended, stdout, stderr };
}
