// What a run changed in its repository, in a real sandbox: a run owns the work tree and its .git, so everything that git
// would believe of them is tried here.
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Changes } from '../../src/contract/patches/run-changes.ts';
import { gitPaths } from '../../src/engines/clients/code-hosts.ts';
import { PATCH_BYTES } from '../../src/engines/repository/changes-script.ts';
import { collectChanges } from '../../src/engines/repository/collect-changes.ts';
import type { CheckoutPlan } from '../../src/engines/repository/plan-checkout.ts';
import { withRunSandbox } from '../../src/engines/run-sandbox.ts';
import { type RunAttempt, RunFailure } from '../../src/runs/delivery/engine.ts';
import type { Run } from '../../src/runs/record/run.ts';
import { findChanges } from '../../src/runs/record/run-changes.ts';
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

  const broker = () => ({
    host: 'github.broker',
    target: `http://${host.host}`,
    headers: { authorization: `Basic ${Buffer.from(`x-access-token:${TOKEN}`).toString('base64')}` },
    paths: gitPaths({ enforce: true, selected: ['acme/app'] }),
  });

  /** Clones, does as the script says, and collects; `after` looks into the sandbox then. */
  async function changesOf(script: string, after = 'true'): Promise<{ changes: Changes | undefined; seen: string }> {
    return withSandbox(controller.client, { network: { brokers: [broker()] } }, async (id) => {
      const made = await runIn(
        controller.client,
        id,
        `set -e; cd /workspace; git clone -q http://github.broker/acme/app.git app; cd app; git config user.name r; git config user.email r@x.invalid; ${script}`,
      );
      expect(made).toMatchObject({ exit: { code: 0 } });
      const changes = await collectChanges(
        { client: controller.client, id, checkout: undefined },
        attempt(),
        AbortSignal.timeout(120_000),
        quiet,
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
    const { changes, seen } = await changesOf(
      trap,
      'cd /workspace; ls; echo then; (cd app; git status; git diff) >/dev/null 2>&1; ls',
    );
    const [before, then] = seen.split('then');
    expect(before).not.toContain('sprung');
    // The traps work.
    expect(then).toContain('sprung');
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

  describe('when the service has checked it out', () => {
    const signal = new AbortController().signal;
    const plan = (ref?: string, name = 'acme/app'): CheckoutPlan => ({
      connection: 'con_1',
      repository: name,
      ref,
      remote: `https://github.example/${name}.git`,
      address: `http://github.broker/${name}.git`,
      directory: '/workspace/app',
    });
    /** What a command printed, after the checkout. */
    async function within(checkout: CheckoutPlan, command: string): Promise<string> {
      let said = '';
      const whole = {
        ...attempt(),
        run: { id: 'job_1', attempt: 1, head: { index: 1 } } as Run,
        begunBefore: false,
        signal,
      };
      await withRunSandbox(
        { client: controller.client, log: quiet },
        whole,
        { network: { brokers: [broker()] }, checkout },
        async (sandbox) => {
          for await (const event of sandbox.exec({ argv: ['bash', '-c', command] }))
            if (event.t === 'out') said += event.d;
        },
      );
      return said;
    }

    it('begins with it, at the branch, tag or commit that was asked for', async () => {
      expect(
        await within(plan(), 'cd app; cat README; git status -sb; git remote get-url origin; cat .git/config'),
      ).toMatch(/^hello\n## runs\/job_1\nhttps:\/\/github\.example\/acme\/app\.git\n(?![^]*broker)/);
      const { base = '' } = (await findChanges(directory)) ?? {};
      expect(base).toMatch(/^[0-9a-f]{40}$/);
      expect(facts).toMatchObject([
        { type: 'checkout', repository: 'acme/app', commit: base },
        { type: 'changes', files: 0 },
      ]);
      expect(await within(plan(base), 'cat app/README')).toBe('hello\n');
      expect(await within(plan('v1'), 'cat app/README')).toBe('hello\n');
      expect(await within(plan('other'), 'cat app/README')).toBe('other\n');
    });

    it('compares with what was checked out, whatever the run makes of its history and of other clones', async () => {
      await within(
        plan(),
        'git clone -q app other; cd app; echo more >> README; git config user.email a; git config user.name a; git checkout -q --orphan x; git commit -qam x; git update-ref refs/remotes/origin/HEAD HEAD; git remote set-url origin https://evil.example/x/y',
      );
      expect(await findChanges(directory)).toMatchObject({
        repository: 'acme/app',
        files: [{ path: 'README', status: 'modified', additions: 1 }],
      });
    });

    it('keeps the changes of a run that fails', async () => {
      const failing = withRunSandbox(
        { client: controller.client, log: quiet },
        { ...attempt(), run: { id: 'job_2', attempt: 1, head: { index: 1 } } as Run, begunBefore: false, signal },
        { network: { brokers: [broker()] }, checkout: plan() },
        async (sandbox) => {
          await sandbox.writeFile('/workspace/app/half', 'half\n');
          throw new RunFailure('told_to', 'Told to.');
        },
      );
      await expect(failing).rejects.toMatchObject({ code: 'told_to' });
      expect(await findChanges(directory)).toMatchObject({ files: [{ path: 'half', status: 'added' }] });
    });

    it('fails in words where it cannot, and never with the credential', async () => {
      await expect(within(plan('nosuch'), 'true')).rejects.toMatchObject({
        code: 'repository_checkout_failed',
        message: "acme/app at nosuch could not be checked out: fatal: couldn't find remote ref nosuch",
      });
      await expect(within(plan(undefined, 'acme/secret'), 'true')).rejects.toMatchObject({
        message: expect.stringContaining('acme/secret could not be checked out: fatal: ') as string,
      });
      expect(host.asked.some(({ url }) => url.includes('secret'))).toBe(false);
    });
  });
});
