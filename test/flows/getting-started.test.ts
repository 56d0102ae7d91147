// A newcomer's first schedule and trigger: the commands of docs/getting-started.md, word for word, against what npm start
// starts.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SERVICECTL } from '../support/cli/servicectl.ts';
import { signUp } from '../support/http-client.ts';
import { leaveOut, needs } from '../support/needs.ts';
import { pollUntil } from '../support/poll.ts';
import { sandboxSkipReason } from '../support/sandbox/sandbox.ts';
import { readFences, runBlock } from '../support/stack/guides.ts';
import { startStack, type TestStack } from '../support/stack/stack.ts';

interface ShownRun {
  readonly status: string;
  readonly startedBy?: string;
  readonly objective: string;
}

const DOCS = join(import.meta.dirname, '..', '..', 'docs');

describe(
  'the page for newcomers',
  sandboxSkipReason === undefined ? needs('curl', 'openssl') : leaveOut(sandboxSkipReason),
  () => {
    let directory: string;
    let stack: TestStack;
    let environment: Record<string, string>;

    beforeAll(async () => {
      directory = await mkdtemp(join(tmpdir(), 'service-newcomer-'));
      stack = await startStack({ environment: { SERVICE_LOG_LEVEL: 'error', SERVICE_INTEGRATIONS_URL: 'off' } });
      const owner = await signUp(stack.url, 'Newcomer');
      const { body } = await owner.post('/api/organizations', { name: 'Acme' });
      const script = `#!/bin/sh\nexec '${process.execPath}' '${SERVICECTL}' "$@"\n`;
      await writeFile(join(directory, 'servicectl'), script, { mode: 0o755 });
      environment = {
        PATH: `${directory}:${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`,
        HOME: directory,
        SERVICE_URL: stack.url,
        SERVICE_TOKEN: await owner.token(body.organization.id, ['jobs:read', 'jobs:write']),
      };
    });
    afterAll(async () => {
      await stack?.stop();
      await rm(directory, { recursive: true, force: true });
    });

    const follow = async (name: string): Promise<string> => {
      const block = readFences(DOCS).find(({ page, info }) => page === 'getting-started' && info === `run=${name}`);
      if (!block) throw new Error(`the page has no block ${name}`);
      const script = { page: block.page, name, script: block.text, exit: 0, on: undefined };
      const { code, stdout, stderr } = await runBlock(script, { cwd: directory, environment });
      expect(code, stderr).toBe(0);
      return stdout;
    };
    const jobs = async (): Promise<ShownRun[]> => {
      const answer = await fetch(`${stack.url}/runtime/jobs`, {
        headers: { authorization: `Bearer ${environment['SERVICE_TOKEN']}` },
      });
      return ((await answer.json()) as { jobs: ShownRun[] }).jobs;
    };
    const ended = (prefix: string): Promise<unknown> =>
      pollUntil(jobs, (found) =>
        found.some(({ status, startedBy }) => startedBy?.startsWith(prefix) === true && status === 'completed'),
      );

    it('leads to a schedule and its first run', async () => {
      expect(await follow('schedule')).toMatch(/job_[0-9a-z]+[\s\S]*started/);
      await ended('sch_');
    });

    it('leads to a trigger and a run that something outside has started', async () => {
      expect(JSON.parse(await follow('trigger'))).toMatchObject({ job: { id: expect.stringMatching(/^job_/) } });
      await ended('trg_');
      expect((await jobs())[0]?.objective).toContain('Ada');
    });
  },
);
