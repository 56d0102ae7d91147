import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { json } from '../../../test/support/cli/canned-service.ts';
import { useCliStand } from '../../../test/support/cli/cli-stand.ts';

const stand = useCliStand();
const AT = '2026-01-02T03:04:05.000Z';
const environment = (some: object = {}) => ({
  id: 'env_1',
  name: 'node',
  workspace: 'ws_1',
  setup: 'npm ci',
  variables: { STAGE: 'test' },
  secrets: ['TOKEN'],
  secretVariables: ['TOKEN'],
  hosts: ['package-registries'],
  writableHosts: [],
  limits: { minutes: 5 },
  createdBy: 'usr_1',
  createdAt: AT,
  updatedAt: AT,
  editable: true,
  ...some,
});
const CONTENT = {
  setup: 'npm ci',
  variables: { STAGE: 'test' },
  secretVariables: ['TOKEN'],
  hosts: ['package-registries'],
  writableHosts: [],
  limits: { minutes: 5 },
};
const JOB = {
  id: 'job_1',
  organization: 'org_1',
  workspace: 'ws_1',
  kind: 'chat',
  objective: 'x',
  status: 'queued',
  createdAt: AT,
  attempt: 0,
  stream: 'jobs/job_1',
  createdBy: 'usr_1',
  capabilities: [],
};
const serve = () =>
  stand.serve({
    'GET /runtime/environments/node': { environment: environment() },
    'PUT /runtime/environments/node': { environment: environment() },
    'DELETE /runtime/environments/node': { ok: true },
  });

describe('environments', () => {
  it('lists them', async () => {
    stand.serve({ 'GET /runtime/environments': { environments: [environment()], cursor: 'next' } });
    const listed = await stand.servicectl(['environments', '--workspace', 'lab']);
    expect(listed.stdout).toBe('node\tws_1\tSTAGE\tTOKEN\tpackage-registries\n');
    expect(listed.stderr).toContain('servicectl environments list --cursor next');
    expect(stand.requests()[0]?.query).toMatchObject({ workspace: 'lab', limit: '50' });
  });

  it('prints one as a file that it sets again', async () => {
    serve();
    const shown = await stand.servicectl(['environments', 'show', 'node']);
    expect(JSON.parse(shown.stdout)).toEqual(CONTENT);
    expect(shown.stderr).toContain('TOKEN');
    const file = join(stand.directory, 'environment.json');
    await writeFile(file, shown.stdout);
    expect((await stand.servicectl(['environments', 'set', 'node', file, '--workspace', 'lab'])).code).toBe(0);
    expect(stand.requests().at(-1)).toMatchObject({ method: 'PUT', query: { workspace: 'lab' }, body: CONTENT });
    await writeFile(file, '["no object"]');
    const refused = await stand.servicectl(['environments', 'set', 'node', file]);
    expect(refused.code).not.toBe(0);
    expect(refused.stderr).toContain('is not a JSON object');
  });

  it('sets a secret from standard input, and removes it', async () => {
    serve();
    const set = await stand.servicectl(['environments', 'secret', 'node', 'OTHER'], { input: 'never-shown-1\n' });
    expect(set.code).toBe(0);
    expect(`${set.stdout}${set.stderr}`).not.toContain('never-shown');
    expect(stand.requests().at(-1)?.body).toEqual({ ...CONTENT, secrets: { OTHER: 'never-shown-1' } });
    await stand.servicectl(['environments', 'secret', 'node', 'TOKEN', '--remove']);
    expect(stand.requests().at(-1)?.body).toEqual({ ...CONTENT, secretVariables: [], secrets: { TOKEN: null } });
  });

  it('prints what the script printed, and has it run again', async () => {
    const setup = { digest: 'd', state: 'failed', log: 'no such package\n[exit code 1]', bytes: 0, startedAt: AT };
    stand.serve({
      'GET /runtime/environments/node/setup': { setups: [setup] },
      'POST /runtime/environments/node/rebuild': { ok: true },
    });
    const shown = await stand.servicectl(['environments', 'setup', 'node']);
    expect(shown.stdout).toBe('no such package\n[exit code 1]\n');
    expect(shown.stderr).toContain(`failed since ${AT}`);
    expect((await stand.servicectl(['environments', 'rebuild', 'node', '--workspace', 'lab'])).code).toBe(0);
    expect(stand.requests().at(-1)).toMatchObject({ method: 'POST', query: { workspace: 'lab' } });
  });

  it('deletes one, and starts a run in one', async () => {
    serve();
    expect((await stand.servicectl(['environments', 'delete', 'node', '--yes'])).code).toBe(0);
    expect(stand.requests().at(-1)).toMatchObject({ method: 'DELETE' });
    stand.serve({ 'POST /runtime/agents/factory/jobs': () => json({ job: { ...JOB, environment: 'node' } }, 202) });
    await stand.servicectl(['run', 'x', '--detach', '--environment', 'node']);
    expect(stand.requests().at(-1)?.body).toMatchObject({ objective: 'x', environment: 'node' });
  });
});
