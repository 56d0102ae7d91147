import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { events, json, refuse } from '../../../test/support/cli/canned-service.ts';
import { TOKEN, useCliStand } from '../../../test/support/cli/cli-stand.ts';

const stand = useCliStand();
const AT = '2026-01-02T03:04:05.000Z';
const recipe = (some: object = {}) => ({
  id: 'rcp_1',
  name: 'weekly',
  description: 'Each Monday',
  run: {
    objective: 'Summarize {{topic}} for {{reader:everyone}}',
    kind: 'chat',
    workspace: 'ws_1',
    capabilities: ['github'],
  },
  fields: [{ name: 'topic' }, { name: 'reader', default: 'everyone' }],
  createdBy: { id: 'usr_1', name: 'Ann' },
  createdAt: AT,
  updatedAt: AT,
  editable: true,
  ...some,
});
const FILE = { format: 'service-recipe', version: 1, name: 'weekly', run: { objective: 'Do it', kind: 'chat' } };
const JOB = {
  id: 'job_1',
  organization: 'org_1',
  workspace: 'ws_1',
  kind: 'chat',
  objective: 'Summarize the news for everyone',
  status: 'queued',
  createdAt: AT,
  attempt: 0,
  stream: 'jobs/job_1',
  createdBy: 'usr_1',
  capabilities: [],
};
const event = (id: number, type: string, status: string) => ({
  id,
  type,
  at: AT,
  actor: 'w',
  status,
  attempt: 1,
  data: {},
});

describe('recipes', () => {
  it('lists them with their fields and the next page', async () => {
    stand.serve({ 'GET /runtime/recipes': { recipes: [recipe()], cursor: 'next' } });
    const listed = await stand.servicectl(['recipes', '--search', 'week', '--workspace', 'lab', '--limit', '2']);
    expect(listed.stdout).toBe('weekly\tchat\ttopic, reader\tAnn\tEach Monday\n');
    expect(listed.stderr).toContain('servicectl recipes list --cursor next');
    expect(stand.requests()[0]).toMatchObject({
      bearer: TOKEN,
      query: { search: 'week', workspace: 'lab', limit: '2' },
    });
    expect(await stand.servicectl(['recipes', '--limit', '201'])).toMatchObject({ code: 2 });
  });

  it('shows one by name or ID', async () => {
    stand.serve({
      'GET /runtime/recipes': { recipes: [recipe()] },
      'GET /runtime/recipes/rcp_1': { recipe: recipe() },
    });
    const shown = await stand.servicectl(['recipes', 'show', 'Weekly']);
    expect(shown.stdout).toBe('Summarize {{topic}} for {{reader:everyone}}\n');
    expect(shown.stderr).toContain('Fields: topic, reader (everyone)');
    expect(stand.requests()[0]?.query).toEqual({ name: 'Weekly' });
    expect((await stand.servicectl(['recipes', 'show', 'rcp_1', '--jq', '.recipe.name'])).stdout).toBe('weekly\n');
    stand.serve({ 'GET /runtime/recipes': { recipes: [] } });
    expect(await stand.servicectl(['recipes', 'show', 'nothing'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('there is no recipe named nothing'),
    });
    stand.serve({ 'GET /runtime/recipes': { recipes: [recipe(), recipe({ id: 'rcp_2' })] } });
    expect(await stand.servicectl(['recipes', 'show', 'weekly'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--workspace'),
    });
  });

  it('saves one', async () => {
    stand.serve({ 'POST /runtime/recipes': () => json({ recipe: recipe() }, 201) });
    const options = ['--workspace', 'lab', '--capability', 'github', '--kind', 'codex', '--description', 'Each Monday'];
    expect(
      await stand.servicectl(['recipes', 'create', 'weekly', '-', ...options], { input: 'Do {{it}}\n' }),
    ).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('servicectl recipes run weekly'),
    });
    expect(stand.requests()[0]?.body).toEqual({
      name: 'weekly',
      description: 'Each Monday',
      run: { objective: 'Do {{it}}', workspace: 'lab', kind: 'codex', capabilities: ['github'] },
    });
    expect(await stand.servicectl(['recipes', 'create', 'weekly', ' '])).toMatchObject({ code: 2 });
    stand.serve({ 'POST /runtime/recipes': refuse(409, 'recipe_name_taken') });
    expect(await stand.servicectl(['recipes', 'create', 'weekly', 'x'])).toMatchObject({ code: 1 });
  });

  it('starts a run and follows it to its end', async () => {
    stand.serve({
      'GET /runtime/recipes': { recipes: [recipe()] },
      'POST /runtime/recipes/rcp_1/run': () => json({ job: JOB }, 202),
      'GET /runtime/jobs/job_1/events': events(
        event(0, 'job.queued', 'queued'),
        event(1, 'job.completed', 'completed'),
      ),
      'GET /runtime/jobs/job_1': { job: { ...JOB, status: 'completed', attempt: 1, result: { text: 'Done.' } } },
    });
    const words = ['recipes', 'run', 'weekly', '--field', 'topic=the news', '--idempotency-key', 'k'];
    expect(await stand.servicectl(words)).toMatchObject({ code: 0, stdout: 'Done.\n' });
    expect(stand.requests()[1]).toMatchObject({
      bearer: TOKEN,
      body: { fields: { topic: 'the news' }, idempotencyKey: 'k' },
    });
    expect(await stand.servicectl([...words, '--detach'])).toMatchObject({ code: 0, stdout: 'job_1\n' });
  });

  it('refuses to start one with a field that is missing or unknown, before it asks the service', async () => {
    stand.serve({ 'GET /runtime/recipes': { recipes: [recipe()] } });
    for (const [fields, says] of [
      [[], 'needs a value for topic'],
      [['--field', 'topic=x', '--field', 'subject=y'], 'has no field subject'],
      [['--field', 'topic'], '--field takes name=value'],
    ] as const)
      expect(await stand.servicectl(['recipes', 'run', 'weekly', ...fields])).toMatchObject({
        code: 2,
        stderr: expect.stringContaining(says),
      });
    expect(stand.requests().every(({ method }) => method === 'GET')).toBe(true);
  });

  it('deletes one, after a confirmation', async () => {
    stand.serve({ 'GET /runtime/recipes': { recipes: [recipe()] }, 'DELETE /runtime/recipes/rcp_1': { ok: true } });
    expect(await stand.servicectl(['recipes', 'delete', 'weekly'])).toMatchObject({ code: 2 });
    expect(await stand.servicectl(['recipes', 'delete', 'weekly', '--yes'])).toMatchObject({ code: 0 });
    expect(stand.requests().map(({ method }) => method)).toEqual(['GET', 'GET', 'DELETE']);
  });

  it('writes one to a file, and saves one from a file with what is missing here', async () => {
    stand.serve({
      'GET /runtime/recipes': { recipes: [recipe()] },
      'GET /runtime/recipes/rcp_1/export': FILE,
      'POST /runtime/recipes/import': () =>
        json({ recipe: recipe(), unknown: [{ code: 'capability_unusable', name: 'github' }] }, 201),
    });
    const file = join(stand.directory, 'weekly.json');
    expect(await stand.servicectl(['recipes', 'export', 'weekly', '--out', file])).toMatchObject({ code: 0 });
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual(FILE);
    expect(await stand.servicectl(['recipes', 'export', 'weekly', '--out', file])).toMatchObject({ code: 1 });
    expect(JSON.parse((await stand.servicectl(['recipes', 'export', 'weekly'])).stdout)).toEqual(FILE);
    expect(await stand.servicectl(['recipes', 'import', file, '--workspace', 'lab', '--name', 'other'])).toMatchObject({
      code: 0,
      stdout: 'capability github: connect or reconnect it\n',
    });
    expect(stand.requests().at(-1)?.body).toEqual({ recipe: FILE, workspace: 'lab', name: 'other' });
    await writeFile(file, 'no json');
    expect(await stand.servicectl(['recipes', 'import', file])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('is not JSON'),
    });
  });
});
