import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Changes } from '../../../src/contract/patches/run-changes.ts';
import { content, refuse } from '../../../test/support/cli/canned-service.ts';
import { TOKEN, useCliStand } from '../../../test/support/cli/cli-stand.ts';
import { needs } from '../../../test/support/needs.ts';

const stand = useCliStand();

describe('the changes of a run', needs('git'), () => {
  let copy = '';
  let base = '';
  let patch = '';
  beforeEach(() => {
    copy = join(stand.directory, 'copy');
    mkdirSync(copy);
    git('init', '-q');
    write('README', 'one\ntwo\nthree\n');
    git('add', '.');
    git('commit', '-qm', 'first');
    base = git('rev-parse', 'HEAD').trim();
    write('README', 'one\n2\nthree\n');
    write('new', 'new\n');
    git('add', '-A');
    patch = git('diff', '--cached', '--binary', '--full-index');
    git('reset', '-q', '--hard');
  });
  const git = (...args: string[]): string =>
    execFileSync('git', ['-C', copy, '-c', 'user.name=a', '-c', 'user.email=a@b.c', ...args], { encoding: 'utf8' });
  const write = (name: string, text: string): void => writeFileSync(join(copy, name), text);
  const read = (name: string): string => readFileSync(join(copy, name), 'utf8');

  const CHANGES = (): Changes => ({
    repository: 'acme/app',
    base,
    total: { files: 2, additions: 2, deletions: 1 },
    files: [
      { path: 'README', status: 'modified', additions: 1, deletions: 1 },
      { path: 'new\u001b[2J', status: 'added', additions: 1, deletions: 0 },
    ],
    patch: { sha256: 'a'.repeat(64), bytes: patch.length },
  });
  const serve = (changes: Changes = CHANGES()): void =>
    stand.serve({
      'GET /runtime/jobs/job_1/changes': ({ headers }) =>
        headers.accept === 'text/x-diff'
          ? content('text/x-diff', patch)()
          : content('application/json', JSON.stringify(changes))(),
    });
  const apply = (): ReturnType<typeof stand.servicectl> =>
    stand.servicectl(['job', 'apply', 'job_1', '--directory', copy]);

  it('are listed by file, or printed as the patch', async () => {
    serve();
    expect(await stand.servicectl(['job', 'changes', 'job_1'])).toEqual({
      code: 0,
      stdout: 'modified\t+1\t-1\tREADME\nadded\t+1\t-0\tnew\\u001b[2J\n',
      stderr: `2 files, +2 -1, on acme/app at ${base.slice(0, 12)}.\n`,
    });
    expect(stand.requests()[0]).toMatchObject({ bearer: TOKEN });
    expect((await stand.servicectl(['job', 'changes', 'job_1', '--patch'])).stdout).toBe(patch);
    expect(JSON.parse((await stand.servicectl(['job', 'changes', 'job_1', '--json'])).stdout)).toEqual(CHANGES());
  });

  it('of a run that has none are said to be missing', async () => {
    stand.serve({ 'GET /runtime/jobs/job_1/changes': refuse(404, 'not_found') });
    for (const verb of ['changes', 'apply'])
      expect(await stand.servicectl(['job', verb, 'job_1'])).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('it had no repository') as string,
      });
  });

  it('are applied to a working copy that has gone on', async () => {
    serve();
    write('README', `zero\n${read('README')}`);
    git('commit', '-qam', 'second');
    expect(await apply()).toEqual({
      code: 0,
      stdout: '',
      stderr: 'Applied 2 files, in the index too. Look at them with: git diff --cached\n',
    });
    expect([read('README'), read('new')]).toEqual(['zero\none\n2\nthree\n', 'new\n']);
  });

  it('leave conflicts where both changed the same lines, and say where', async () => {
    serve();
    write('README', 'one\nzwei\nthree\n');
    git('commit', '-qam', 'second');
    const { code, stderr } = await apply();
    expect([code, stderr]).toEqual([1, expect.stringContaining('applied, with conflicts in "README"')]);
    expect(read('README')).toContain('<<<<<<<');
  });

  it('are not applied over uncommitted work, or without the commit that they are changes to', async () => {
    serve();
    write('README', 'mine\n');
    expect((await apply()).stderr).toContain('Commit or stash your own changes');
    expect(read('README')).toBe('mine\n');
    git('reset', '-q', '--hard');
    serve({ ...CHANGES(), base: 'b'.repeat(40) });
    expect((await apply()).stderr).toContain(`git fetch origin ${'b'.repeat(40)}`);
    rmSync(join(copy, '.git'), { recursive: true });
    expect((await apply()).stderr).toContain('is not a working copy');
    expect(existsSync(join(copy, 'new'))).toBe(false);
  });

  it.each([
    ['../evil', '100644', 'x'],
    ['/etc/evil', '100644', 'x'],
    ['.git/hooks/pre-commit', '100755', 'x'],
    ['a/.GIT/config', '100644', 'x'],
    ['link', '120000', '/etc'],
    ['a/link', '120000', '../../etc'],
  ])('that would write %s (%s) are refused before git sees them', async (path, mode, line) => {
    patch = `diff --git a/${path} b/${path}\nnew file mode ${mode}\nindex 0000000..1111111\n--- /dev/null\n+++ b/${path}\n@@ -0,0 +1 @@\n+${line}\n`;
    serve();
    expect(await apply()).toMatchObject({ code: 1, stderr: expect.stringContaining('Nothing was applied') as string });
    expect(git('status', '--porcelain')).toBe('');
  });

  it('that are not whole are not applied', async () => {
    serve({ ...CHANGES(), patch: { sha256: 'a'.repeat(64), bytes: 1, cut: true } });
    expect((await apply()).stderr).toContain('is not whole');
  });
});
