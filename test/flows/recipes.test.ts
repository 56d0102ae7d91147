// A recipe from its file to the run that it starts: through the gateway, with real processes, a real sandbox and a
// scripted model.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join as path } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Body } from '../support/http-client.ts';
import { leaveOut } from '../support/needs.ts';
import { addPerson, addSession, join, type Person } from '../support/people.ts';
import { openRunStand, type RunStand, type Tenant } from '../support/runs/run-stand.ts';
import { sandboxSkipReason } from '../support/sandbox/sandbox.ts';
import { servicectl, type Ran } from '../support/cli/servicectl.ts';

describe('a recipe', leaveOut(sandboxSkipReason), () => {
  let stand: RunStand;
  let tenant: Tenant;
  let session: string;
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(path(tmpdir(), 'recipes-'));
    stand = await openRunStand();
    tenant = await stand.newTenant();
    session = await addSession(stand.db, { id: tenant.userId } as Person);
    await stand.startShipped('web');
    await stand.startShipped('gateway');
  });
  afterAll(async () => {
    await stand?.close();
    await rm(folder, { recursive: true, force: true });
  });
  afterEach(() => stand.models.reset());

  const ctl = (...args: string[]): Promise<Ran> =>
    servicectl(args, { environment: { SERVICE_URL: stand.gatewayUrl, SERVICE_TOKEN: tenant.token } });
  async function send(method: string, to: string, body?: unknown, bearer = tenant.token): Promise<[number, Body]> {
    const response = await fetch(`${stand.gatewayUrl}${to}`, {
      method,
      headers: {
        authorization: `Bearer ${bearer}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return [response.status, (await response.json()) as Body];
  }
  const asked = (): string => JSON.stringify(stand.models.requests[0]?.json);

  it('is saved, started with its fields filled in, exported, deleted and imported again', async () => {
    const objective = 'Summarize {{topic}} for {{reader:everyone}}';
    expect(await ctl('recipes', 'create', 'Weekly', objective)).toMatchObject({ code: 0 });
    stand.script({ text: 'In short: all is well.' });
    expect(await ctl('recipes', 'run', 'weekly', '--field', 'topic=the {{reader}} news')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('In short: all is well.'),
    });
    // What a value says is text: it is not filled in once more.
    expect(asked()).toContain('Summarize the {{reader}} news for everyone');

    const file = path(folder, 'weekly.json');
    expect(await ctl('recipes', 'export', 'weekly', '--out', file)).toMatchObject({ code: 0 });
    const written: Body = JSON.parse(await readFile(file, 'utf8'));
    expect(written).toEqual({
      format: 'service-recipe',
      version: 1,
      name: 'Weekly',
      run: { objective, kind: 'chat' },
    });
    expect(await ctl('recipes', 'import', file)).toMatchObject({ code: 1, stderr: expect.stringContaining('Weekly') });
    expect(await ctl('recipes', 'delete', 'weekly', '--yes')).toMatchObject({ code: 0 });
    expect(await ctl('recipes', 'run', 'weekly', '--field', 'topic=x')).toMatchObject({ code: 1 });

    // What is unknown here is said, does not prevent the import, and is refused when it is started.
    const run = { ...written.run, model: 'openai/of-tomorrow', capabilities: ['github'] };
    await writeFile(file, JSON.stringify({ ...written, run }));
    const imported = await ctl('recipes', 'import', file, '--name', 'other');
    expect(imported).toMatchObject({ code: 0, stdout: expect.stringContaining('model openai/of-tomorrow') });
    expect(imported.stdout).toContain('capability github');
    expect(await ctl('recipes', 'run', 'other', '--field', 'topic=x')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('openai/of-tomorrow'),
    });
  });

  it('refuses a file by the name of the field that it does not know, and one that is too long', async () => {
    const run = { objective: 'Do it', kind: 'chat' };
    const recipe = { format: 'service-recipe', version: 1, name: 'strange', run };
    const import_ = (given: unknown): Promise<[number, Body]> =>
      send('POST', '/runtime/recipes/import', { recipe: given });
    for (const [given, field] of [
      [{ ...recipe, owner: 'x' }, 'owner'],
      [{ ...recipe, run: { ...run, workspace: 'ws_1' } }, 'workspace'],
      [{ ...recipe, version: 2 }, 'version'],
      [{ ...recipe, run: { ...run, kind: 'control' } }, 'kind'],
      [{ ...recipe, run: { ...run, objective: 'x'.repeat(100_001) } }, 'objective'],
      [{ ...recipe, run: { ...run, objective: '{{a}}'.repeat(201) } }, 'objective'],
    ] as const) {
      const [status, body] = await import_(given);
      expect([status, body.error]).toEqual([400, 'invalid_request']);
      expect(JSON.stringify(body.details)).toContain(field);
    }
  });

  it('starts one run for one idempotency key, and refuses fields by name', async () => {
    const run = { objective: 'About {{topic}}' };
    const [, { recipe }] = await send('POST', '/runtime/recipes', { name: 'about', run });
    expect(recipe).toMatchObject({ fields: [{ name: 'topic' }], editable: true });
    const [status, refused] = await send('POST', `/runtime/recipes/${recipe.id}/run`, { fields: { subject: 'x' } });
    expect([status, refused.details]).toEqual([
      400,
      { 'fields.subject': 'is not a field of this recipe', 'fields.topic': 'is required' },
    ]);
    stand.script({ text: 'Done.' });
    const start = () =>
      send('POST', `/runtime/recipes/${recipe.id}/run`, { fields: { topic: 'tests' }, idempotencyKey: 'once' });
    const [[first, { job }], [second, { job: again }]] = [await start(), await start()];
    expect([first, second, again.id]).toEqual([202, 202, job.id]);
    expect(await tenant.until(job.id, 'completed')).toMatchObject({
      objective: 'About tests',
      kind: 'chat',
      startedBy: recipe.id,
    });
  });

  it('is started from a chat, which shows the run', async () => {
    const run = { objective: 'About {{topic}}', kind: 'chat', model: 'openai/gpt-5-mini' };
    const [, { recipe }] = await send('POST', '/runtime/recipes', { name: 'from-chat', run });
    const ask = async (fields: object): Promise<[number, string]> => {
      const response = await fetch(`${stand.gatewayUrl}/api/chat`, {
        method: 'POST',
        headers: { authorization: `Bearer ${session}`, 'content-type': 'application/json' },
        body: JSON.stringify({
          organization: tenant.organization.id,
          model: 'openai/gpt-5.4',
          message: { text: 'About chats' },
          recipe: { id: recipe.id, fields },
        }),
      });
      return [response.status, await response.text()];
    };
    stand.script({ text: 'Done.' });
    const [status, answer] = await ask({ topic: 'chats' });
    expect(status).toBe(200);
    const id = /"type":"data-job","id":"(job_\w+)"/.exec(answer)?.[1] ?? '';
    expect(await tenant.until(id, 'completed')).toMatchObject({
      objective: 'About chats',
      model: 'openai/gpt-5-mini',
      startedWith: 'session',
      startedBy: recipe.id,
    });
    const [refused, why] = await ask({});
    expect([refused, why]).toEqual([400, expect.stringContaining('fields.topic')]);
  });

  it('is seen by members, started by them, and changed by who made it', async () => {
    const [, { recipe }] = await send('POST', '/runtime/recipes', { name: 'shared', run: { objective: 'Do it' } });
    const member = await join(stand.db, tenant.organization.id, await addPerson(stand.db, 'member'), 'member');
    const theirs = await send(
      'POST',
      '/api/tokens',
      { organization: tenant.organization.id, scopes: ['jobs:read', 'jobs:write'] },
      await addSession(stand.db, member),
    );
    const bearer = theirs[1].token as string;
    const at = `/runtime/recipes/${recipe.id}`;
    expect((await send('GET', '/runtime/recipes?name=SHARED', undefined, bearer))[1].recipes).toMatchObject([
      { id: recipe.id, editable: false },
    ]);
    expect(await send('PATCH', at, { name: 'mine' }, bearer)).toMatchObject([
      403,
      { error: 'recipe_authority_required' },
    ]);
    expect((await send('DELETE', at, undefined, bearer))[0]).toBe(403);
    stand.script({ text: 'Done.' });
    const [status, { job }] = await send('POST', `${at}/run`, {}, bearer);
    expect([status, job.createdBy, job.scopes]).toEqual([202, member.id, ['jobs:read', 'jobs:write']]);
    await tenant.until(job.id, 'completed');
    // Only reading is not enough to start it.
    const [, reads] = await send(
      'POST',
      '/api/tokens',
      { organization: tenant.organization.id, scopes: ['jobs:read'] },
      session,
    );
    expect(await send('POST', `${at}/run`, {}, reads.token)).toMatchObject([403, { error: 'insufficient_scope' }]);
  });
});
