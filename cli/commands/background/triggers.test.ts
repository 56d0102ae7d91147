import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { json, refuse } from '../../../test/support/cli/canned-service.ts';
import { useCliStand } from '../../../test/support/cli/cli-stand.ts';

const stand = useCliStand();
const AT = '2026-01-02T03:04:05.000Z';
const trigger = (some: object = {}) => ({
  id: 'trg_1',
  name: 'issues',
  run: { objective: 'Sort {{issue.title}}', kind: 'chat', workspace: 'ws_1', capabilities: [] },
  source: 'github',
  filter: [{ path: '@event', equals: 'issues' }],
  enabled: true,
  hasSecret: true,
  createdBy: 'usr_1',
  createdAt: AT,
  ...some,
});
const URL = 'https://service.example.test/hooks/trg_1';

describe('triggers', () => {
  it('lists them with their state', async () => {
    stand.serve({
      'GET /runtime/triggers': {
        triggers: [
          trigger({ lastRun: 'job_1' }),
          trigger({ id: 'trg_2', paused: { reason: 'authority_lost', at: AT } }),
          trigger({ id: 'trg_3', enabled: false }),
          trigger({ id: 'trg_4', source: 'slack', hasSecret: false }),
        ],
        cursor: 'trg_4',
      },
    });
    const listed = await stand.servicectl(['triggers', '--workspace', 'lab']);
    expect(listed.stdout.split('\n')).toEqual([
      'trg_1\tissues\tgithub\ton\tjob_1',
      'trg_2\tissues\tgithub\tpaused (authority_lost)\t-',
      'trg_3\tissues\tgithub\toff\t-',
      'trg_4\tissues\tslack\tneeds a secret\t-',
      '',
    ]);
    expect(listed.stderr).toContain('servicectl triggers list --cursor trg_4');
    expect(stand.requests()[0]?.query).toMatchObject({ workspace: 'lab', limit: '50' });
  });

  it('makes one, and shows its secret once', async () => {
    stand.serve({ 'POST /runtime/triggers': () => json({ trigger: trigger(), url: URL, secret: 'made-by-us' }, 201) });
    const made = await stand.servicectl([
      'triggers',
      'create',
      'Sort {{issue.title}}',
      '--name',
      'issues',
      '--source',
      'github',
      '--filter',
      '@event=issues',
      '--filter',
      'issue.number=7',
      '--filter',
      'action=["opened","edited"]',
      '--filter',
      'issue.milestone!',
      '--capability',
      'github',
      '--workspace',
      'lab',
    ]);
    expect(made.stdout).toBe(`trigger\ttrg_1\naddress\t${URL}\nsecret\tmade-by-us\n`);
    expect(made.stderr).toContain('not shown again');
    expect(stand.requests()[0]?.body).toEqual({
      name: 'issues',
      source: 'github',
      run: { objective: 'Sort {{issue.title}}', workspace: 'lab', capabilities: ['github'] },
      filter: [
        { path: '@event', equals: 'issues' },
        { path: 'issue.number', equals: 7 },
        { path: 'action', in: ['opened', 'edited'] },
        { path: 'issue.milestone', exists: false },
      ],
    });
    expect(await stand.servicectl(['triggers', 'create', 'x', '--name', 'x', '--filter', 'nothing'])).toMatchObject({
      code: 2,
    });
    expect(await stand.servicectl(['triggers', 'create', 'x'])).toMatchObject({ code: 2 });
  });

  it('makes one from a recipe, whose field takes a part of what is delivered', async () => {
    const run = { objective: 'Sort {{what}}', kind: 'chat', workspace: 'ws_2', capabilities: [] };
    const recipe = {
      id: 'rcp_1',
      name: 'sort',
      run,
      fields: [{ name: 'what' }],
      createdBy: { id: 'usr_1', name: 'Ann' },
      createdAt: AT,
      updatedAt: AT,
      editable: true,
    };
    stand.serve({
      'GET /runtime/recipes': { recipes: [recipe] },
      'POST /runtime/triggers': refuse(429, 'too_many_triggers'),
    });
    const create = ['triggers', 'create', '--name', 'issues'];
    await stand.servicectl([...create, '--recipe', 'sort', '--field', 'what={{issue.title}}']);
    expect(stand.requests().at(-1)?.body).toMatchObject({
      name: 'issues',
      run: { objective: 'Sort {{issue.title}}', workspace: 'ws_2' },
    });
  });

  it('takes the secret of a sender from standard input, never as an argument', async () => {
    stand.serve({
      'POST /runtime/triggers/trg_1/rotate': { trigger: trigger({ source: 'slack', oldSecretUntil: AT }), url: URL },
    });
    const rotated = await stand.servicectl(['triggers', 'rotate', 'trg_1', '--secret-from', '-'], {
      input: 'of-slack\n',
    });
    expect(rotated).toMatchObject({ code: 0, stderr: expect.stringContaining('counts until') });
    expect(stand.requests()[0]?.body).toEqual({ secret: 'of-slack' });
  });

  it('shows one, pauses it and turns it on again', async () => {
    stand.serve({
      'GET /runtime/triggers/trg_1': { trigger: trigger(), url: URL },
      'PATCH /runtime/triggers/trg_1': { trigger: trigger({ enabled: false }) },
    });
    expect((await stand.servicectl(['triggers', 'show', 'trg_1'])).stdout).toContain(`address\t${URL}\n`);
    expect((await stand.servicectl(['triggers', 'pause', 'trg_1'])).stderr).toContain('is off');
    expect(stand.requests()[1]?.body).toEqual({ enabled: false });
    await stand.servicectl(['triggers', 'resume', 'trg_1']);
    expect(stand.requests()[2]?.body).toEqual({ enabled: true });
  });

  it('shows what was delivered, and replays it', async () => {
    const delivery = {
      id: 'del_1',
      at: AT,
      outcome: 'refused',
      code: 'too_many_runs',
      event: 'issues',
      bytes: 9,
      kept: true,
    };
    stand.serve({
      'GET /runtime/triggers/trg_1/deliveries': { deliveries: [delivery] },
      'POST /runtime/triggers/trg_1/deliveries/del_1/replay': () =>
        json({ job: { id: 'job_2', status: 'queued' } }, 202),
    });
    expect((await stand.servicectl(['triggers', 'deliveries', 'trg_1'])).stdout).toBe(
      `del_1\t${AT}\tissues\trefused (too_many_runs)\t-\n`,
    );
    expect((await stand.servicectl(['triggers', 'replay', 'trg_1', 'del_1'])).stdout).toBe('job_2\n');
  });

  it('says what a payload would start', async () => {
    const file = join(stand.directory, 'issue.json');
    await writeFile(file, '{"action":"closed"}');
    stand.serve({
      'POST /runtime/triggers/trg_1/test': {
        passes: false,
        filter: [{ path: 'action', holds: false }],
        objective: 'Sort x',
      },
    });
    const tested = await stand.servicectl(['triggers', 'test', 'trg_1', '--payload', file, '--event', 'issues']);
    expect(tested).toMatchObject({ code: 0, stdout: 'Sort x\n', stderr: expect.stringContaining('✗ action') });
    expect(stand.requests()[0]?.body).toEqual({ payload: { action: 'closed' }, event: 'issues' });
    expect(await stand.servicectl(['triggers', 'test', 'trg_1'])).toMatchObject({ code: 2 });
    await writeFile(file, 'no JSON');
    expect(await stand.servicectl(['triggers', 'test', 'trg_1', '--payload', file])).toMatchObject({ code: 2 });
  });

  it('deletes one once that is confirmed', async () => {
    stand.serve({
      'DELETE /runtime/triggers/trg_1': { ok: true },
      'DELETE /runtime/triggers/trg_2': refuse(404, 'not_found'),
    });
    expect(await stand.servicectl(['triggers', 'delete', 'trg_1'])).toMatchObject({ code: 2 });
    expect(await stand.servicectl(['triggers', 'delete', 'trg_1', '--yes'])).toMatchObject({ code: 0 });
    expect((await stand.servicectl(['triggers', 'delete', 'trg_2', '--yes'])).code).not.toBe(0);
  });
});
