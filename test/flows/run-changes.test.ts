// What a run changed in its repository, in a real sandbox: a run owns the work tree and its .git, so everything that git
// would believe of them is tried here.
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Changes } from '../../src/contract/run-changes.ts';
import { gitPaths } from '../../src/engines/clients/code-hosts.ts';
import { PATCH_BYTES } from '../../src/engines/repository/changes-script.ts';
import { collectChanges } from '../../src/engines/repository/collect-changes.ts';
import type { RunAttempt } from '../../src/runs/delivery/engine.ts';
import type { Run } from '../../src/runs/record/run.ts';
import { quiet } from '../support/database.ts';
import { leaveOut, needs } from '../support/needs.ts';
import { type GitHost, startGitHost } from '../support/runs/git-host.ts';
import {
  type ControllerProcess,
  runIn,
  sandboxSkipReason,
  startController,
  withSandbox,
} from '../support/sandbox/sandbox.ts';

const TOKEN = 'ghp_never_inside_0123456789';
const run = promisify(execFile);

describe('what a run changed', sandboxSkipReason === undefined ? needs('git') : leaveOut(sandboxSkipReason), () => {
  let controller: ControllerProcess;
  let host: GitHost;
  let directory: string;
  let facts: unknown[];
  beforeAll(async () => {
    [controller, host] = await Promise.all([startController(), startGitHost(TOKEN)]);
  });
  afterAll(async () => {
    await controller?.remove();
    await host?.close();
  });
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'service-run-changes-'));
    facts = [];
  });
  afterEach(() => rm(directory, { recursive: true, force: true }));

  const attempt = (): Pick<RunAttempt, 'run' | 'artifacts' | 'progress'> => ({
    run: { id: 'job_changes' } as Run,
    artifacts: async () => directory,
    progress: async (fact) => facts.push(fact),
  });

  /** Clones, does as the script says, and collects; `after` looks into the sandbox then. */
  async function changesOf(script: string, after = 'true'): Promise<{ changes: Changes | undefined; seen: string }> {
    const basic = `Basic ${Buffer.from(`x-access-token:${TOKEN}`).toString('base64')}`;
    const broker = {
      host: 'github.broker',
      target: `http://${host.host}`,
      headers: { authorization: basic },
      paths: gitPaths({ enforce: true, selected: ['acme/app'] }),
    };
    return withSandbox(controller.client, { network: { brokers: [broker] } }, async (id) => {
      const made = await runIn(
        controller.client,
        id,
        `set -e; cd /workspace; git clone -q http://github.broker/acme/app.git app; cd app; git config user.name r; git config user.email r@x.invalid; ${script}`,
      );
      expect(made).toMatchObject({ exit: { code: 0 } });
      const changes = await collectChanges(
        { client: controller.client, log: quiet },
        id,
        attempt(),
        AbortSignal.timeout(120_000),
      );
      return { changes, seen: (await runIn(controller.client, id, after)).stdout };
    });
  }
  const patchText = (): Promise<string> => readFile(join(directory, 'run-log', 'changes.patch'), 'utf8');

  it('are its committed, uncommitted and untracked files, and a patch that makes them again', async () => {
    const { changes } = await changesOf(
      String.raw`echo more >> README; git commit -qam second; echo new > $'two\nlines "quoted"'; mkdir -p deep/er; printf 'a\0b' > deep/er/binary; ln -s /etc/passwd link; printf 'ignored\n' > .gitignore; echo secret > ignored`,
    );
    expect(changes).toMatchObject({ repository: 'acme/app', total: { files: 5, additions: 4, deletions: 0 } });
    expect(changes?.files).toEqual([
      { path: '.gitignore', status: 'added', additions: 1, deletions: 0 },
      { path: 'README', status: 'modified', additions: 1, deletions: 0 },
      { path: 'deep/er/binary', status: 'added', additions: 0, deletions: 0, binary: true },
      { path: 'link', status: 'added', additions: 1, deletions: 0 },
      { path: 'two\nlines "quoted"', status: 'added', additions: 1, deletions: 0 },
    ]);
    expect(facts).toEqual([{ type: 'changes', files: 5, additions: 4, deletions: 0, patch: { ...changes?.patch } }]);
    const copy = join(directory, 'copy');
    await run('git', ['init', '-q', copy]);
    await writeFile(join(copy, 'README'), 'hello\n');
    await run('git', ['-C', copy, 'apply', join(directory, 'run-log', 'changes.patch')]);
    expect(await readFile(join(copy, 'README'), 'utf8')).toBe('hello\nmore\n');
    expect(await readFile(join(copy, 'two\nlines "quoted"'), 'utf8')).toBe('new\n');
    expect(await readFile(join(copy, 'deep/er/binary'), 'latin1')).toBe('a\0b');
  });

  it('names a file that was renamed, and one that was deleted', async () => {
    const { changes } = await changesOf('git mv README GUIDE');
    expect(changes?.files).toEqual([{ path: 'GUIDE', from: 'README', status: 'renamed', additions: 0, deletions: 0 }]);
    expect((await changesOf('rm README')).changes?.files).toEqual([
      { path: 'README', status: 'deleted', additions: 0, deletions: 1 },
    ]);
  });

  it('are none where nothing changed, and unknown where there is no clone, or more than one', async () => {
    expect((await changesOf('true')).changes).toMatchObject({ total: { files: 0 }, files: [], patch: { bytes: 0 } });
    expect((await changesOf('rm -rf .git')).changes).toBeUndefined();
    expect((await changesOf('git clone -q . ../other')).changes).toBeUndefined();
    expect((await changesOf('rm -rf .git/objects')).changes).toBeUndefined();
    expect((await changesOf('cd ..; rm -rf app; git init -q app')).changes).toBeUndefined();
    expect((await changesOf('mv .git ../x; ln -s ../x .git')).changes).toBeUndefined();
  });

  it('are compared without the hooks, drivers, filters, monitors and configuration of the run', async () => {
    const trap = String.raw`trap=/workspace/sprung; printf '#!/bin/sh\ntouch %s; cat\n' $trap > /workspace/trap; chmod +x /workspace/trap
      for name in post-index-change post-checkout pre-commit reference-transaction fsmonitor-watchman; do cp /workspace/trap .git/hooks/$name; done
      for name in core.fsmonitor core.sshCommand core.pager core.editor diff.external diff.x.command diff.x.textconv filter.x.clean filter.x.process filter.x.smudge merge.x.driver core.gitProxy alias.add alias.diff gpg.program; do git config $name /workspace/trap; done
      git config filter.x.required true; git config include.path /workspace/more; git config extensions.worktreeConfig true
      echo '* filter=x diff=x merge=x text=auto' > .gitattributes; echo '* filter=x diff=x' > .git/info/attributes; printf '*\n' > .git/info/exclude
      printf '[core]\n\tfsmonitor = /workspace/trap\n' | tee /workspace/more > .git/config.worktree; mkdir -p /home/agent; cp /workspace/more /home/agent/.gitconfig
      printf 'GIT_EXTERNAL_DIFF=/workspace/trap\nexport GIT_EXTERNAL_DIFF' > /home/agent/.bashrc
      mkdir -p sub; (cd sub; git init -q; git config core.fsmonitor /workspace/trap; echo x > x; git -c core.fsmonitor= add .; git -c core.fsmonitor= -c user.name=a -c user.email=a@b commit -qm x)
      mkdir empty; git init -q empty; mkfifo pipe; echo no > unreadable; chmod 000 unreadable; echo more >> README; rm -f /workspace/sprung`;
    const { changes, seen } = await changesOf(trap, 'ls /workspace');
    expect(seen).not.toContain('sprung');
    expect(changes?.files.map(({ path }) => path)).toEqual(expect.arrayContaining(['.gitattributes', 'README', 'sub']));
    expect(await patchText()).toContain('\n+more\n');
  });

  it('do not let a run hide text behind attributes, or files behind marks in its index', async () => {
    const { changes } = await changesOf(
      "echo '* -diff binary' > .gitattributes; git update-index --assume-unchanged README; git update-index --skip-worktree README; echo more >> README",
    );
    expect(changes?.files).toContainEqual({ path: 'README', status: 'modified', additions: 1, deletions: 0 });
    expect(await patchText()).toContain('\n+more\n');
  });

  it('end at their bound with whole files, and say so', async () => {
    const { changes } = await changesOf(
      `for at in 1 2 3; do head -c 4000000 /dev/urandom | base64 > file$at; done; for at in $(seq 4000); do echo > many$at; done`,
    );
    expect(changes).toMatchObject({ total: { files: 4_003 }, patch: { cut: true } });
    expect(changes?.files).toHaveLength(3_000);
    const patch = await patchText();
    expect(Buffer.byteLength(patch)).toBe(changes?.patch?.bytes);
    expect(Buffer.byteLength(patch)).toBeLessThanOrEqual(PATCH_BYTES);
    const copy = join(directory, 'copy');
    await run('git', ['init', '-q', copy]);
    await run('git', ['-C', copy, 'apply', join(directory, 'run-log', 'changes.patch')]);
  });
});
