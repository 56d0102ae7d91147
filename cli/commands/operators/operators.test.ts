// The commands that run in servicectl-admin: what they pass to it and what they make of its answer. The program itself
// is tested in src/entry/admin and, as built, in test/flows.
import { resolve } from 'node:path';
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { json, refuse } from '../../../test/support/cli/canned-service.ts';
import { useCliStand } from '../../../test/support/cli/cli-stand.ts';
import { Failure } from '../../failure.ts';
import { runAdmin } from '../../run-admin.ts';

vi.hoisted(() => vi.resetModules());
// oxlint-disable-next-line vitest/no-restricted-vi-methods -- this file loads its modules again
vi.mock('../../run-admin.ts', () => ({ runAdmin: vi.fn() }));
afterAll(() => vi.resetModules());

const stand = useCliStand();
const admin = vi.mocked(runAdmin);
const asked = () => admin.mock.calls.map(([, command, request]) => [command, request]);
beforeEach(() => void admin.mockReset());

describe('doctor', () => {
  const finding = (level: string) => ({ check: 'files.data', level, what: 'What it is', why: 'Why', fix: 'Fix it' });
  const diagnosis = (...levels: string[]) => ({ ok: true, worst: levels.at(-1), findings: levels.map(finding) });

  it('prints the findings', async () => {
    admin.mockResolvedValue(diagnosis('ok', 'notice'));
    expect(await stand.servicectl(['doctor', '--data-dir', '/data', '--production'])).toEqual({
      code: 0,
      stdout: 'ok\tfiles.data\tWhat it is\tWhy\tFix it\nnotice\tfiles.data\tWhat it is\tWhy\tFix it\n',
      stderr: 'All checks passed.\n',
    });
    expect(asked()).toEqual([['doctor', { dataDirectory: '/data', production: true }]]);
  });

  it('exits 1 for faults and 8 for warnings', async () => {
    admin.mockResolvedValue(diagnosis('warning', 'fault', 'fault'));
    expect(await stand.servicectl(['doctor'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('2 checks failed'),
    });
    admin.mockResolvedValue(diagnosis('ok', 'warning'));
    expect(await stand.servicectl(['doctor', '--json'])).toMatchObject({
      code: 8,
      stderr: expect.stringContaining('1 setting should be changed'),
    });
  });
});

describe('env', () => {
  const variable = {
    name: 'AUTH_SECRET',
    group: 'Secrets',
    takes: 'text',
    default: null,
    secret: true,
    set: true,
    help: 'Signs sessions.',
  };

  it('lists the variables without their values', async () => {
    admin.mockResolvedValue({ variables: [variable] });
    expect(await stand.servicectl(['env', '--check'])).toEqual({
      code: 0,
      stdout: 'AUTH_SECRET\tyes\t-\ttext, secret\tSigns sessions.\n',
      stderr: 'The environment is valid.\n',
    });
    expect(asked()).toEqual([['environment', { check: true }]]);
  });

  it('fails on an invalid value', async () => {
    admin.mockRejectedValue(new Failure('SERVICE_DB_POOL_MAX takes a whole number', { next: 'Correct it.' }));
    expect(await stand.servicectl(['env', '--check'])).toEqual({
      code: 1,
      stdout: '',
      stderr: 'servicectl: SERVICE_DB_POOL_MAX takes a whole number\n  → Correct it.\n',
    });
  });
});

describe('admin support', () => {
  const written = { file: '/tmp/s.tar.gz', bytes: 13_555, files: 33, missing: [] };

  it('passes whole paths on, and prints where the bundle is', async () => {
    admin.mockResolvedValue(written);
    expect(
      await stand.servicectl([
        'admin',
        'support',
        '--out=s.tar.gz',
        '--data-dir=/data',
        '--bundle=/etc/production.env',
        '--log',
        'one.log',
        '/two.log',
      ]),
    ).toEqual({
      code: 0,
      stdout: '/tmp/s.tar.gz\n',
      stderr: '33 files, 14 KiB. Look through them before you send them.\n',
    });
    const request = {
      file: resolve('s.tar.gz'),
      logs: [resolve('one.log'), '/two.log'],
      dataDirectory: '/data',
      bundle: '/etc/production.env',
    };
    expect(asked()).toEqual([['support', request]]);
  });

  it('names the file after the time, and says what is missing', async () => {
    admin.mockResolvedValue({ ...written, missing: ['broker.json', 'tables.json'] });
    expect((await stand.servicectl(['admin', 'support'])).stderr).toContain(
      'Could not be read: broker.json, tables.json.',
    );
    expect(asked()).toEqual([
      ['support', { file: expect.stringMatching(/\/support-\d{8}T\d{6}Z\.tar\.gz$/), logs: [] }],
    ]);
  });
});

describe('admin models', () => {
  const models = [
    { id: 'openai/gpt-5', name: 'GPT-5', from: 'built-in', providers: ['openai/gpt-5'], priced: true },
    { id: 'acme/house', name: 'House', from: 'file', providers: ['acme/house-1'], priced: false },
  ];

  it('lists the catalogue with where each model is from, as it is or with another file', async () => {
    admin.mockResolvedValue({ models });
    expect(await stand.servicectl(['admin', 'models'])).toEqual({
      code: 0,
      stdout: 'openai/gpt-5\tGPT-5\tbuilt-in\topenai/gpt-5\tknown\nacme/house\tHouse\tfile\tacme/house-1\tunknown\n',
      stderr: '',
    });
    expect(await stand.servicectl(['admin', 'models', '--check', '/models.json'])).toMatchObject({
      code: 0,
      stderr: '/models.json is valid: 1 model.\n',
    });
    expect(asked()).toEqual([
      ['models', {}],
      ['models', { check: '/models.json' }],
    ]);
  });
});

describe('bundle', () => {
  const check = { file: 'secrets.env', ok: true, faults: [], placeholders: [], notices: ['A is not set'] };

  it('init writes a bundle', async () => {
    admin.mockResolvedValue({ file: 'production.env' });
    expect(await stand.servicectl(['bundle', 'init', 'production.env'])).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/^Wrote production\.env\./),
    });
  });

  it('check reports notices, placeholders and faults', async () => {
    admin.mockResolvedValue(check);
    expect(await stand.servicectl(['bundle', 'check'])).toEqual({
      code: 0,
      stdout: 'notice\tA is not set\n',
      stderr: 'secrets.env is valid.\n',
    });
    admin.mockResolvedValue({ ...check, ok: false, placeholders: ['B'] });
    expect(await stand.servicectl(['bundle', 'check'])).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('placeholder\tB is still a placeholder\n'),
      stderr: expect.stringMatching(/blocks a production release[\s\S]*--allow-placeholders/),
    });
    admin.mockResolvedValue({ ...check, ok: false, faults: ['C is too short'] });
    expect((await stand.servicectl(['bundle', 'check'])).stderr).toContain('secrets.env is invalid: C is too short');
  });
});

describe('integrations', () => {
  const reconciled = {
    ok: true,
    oauthCallbackUrl: 'https://service.test/oauth/callback',
    integrations: [{ id: 'github', state: 'registered', message: '' }],
    dashboard: false,
  };

  it('reconcile prints the callback and the state of each', async () => {
    admin.mockResolvedValue(reconciled);
    expect(await stand.servicectl(['integrations', 'reconcile', '--check'])).toEqual({
      code: 0,
      stdout: 'oauthCallbackUrl: https://service.test/oauth/callback\ngithub\tregistered\t\n',
      stderr: '',
    });
    expect(asked()).toEqual([['integrations-reconcile', { mode: 'check' }]]);
    admin.mockResolvedValue({ ...reconciled, dashboard: true });
    expect((await stand.servicectl(['integrations', 'reconcile', '--check'])).stderr).toContain(
      "account of the provider's dashboard",
    );
  });

  it('reconcile fails if they differ, or if the provider cannot be queried', async () => {
    admin.mockResolvedValue({ ...reconciled, ok: false });
    expect(await stand.servicectl(['integrations', 'reconcile', '--apply'])).toMatchObject({ code: 1 });
    admin.mockResolvedValue({ ...reconciled, ok: false, problem: { error: 'it is gone', next: 'Start it.' } });
    expect((await stand.servicectl(['integrations', 'reconcile', '--check'])).stderr).toContain('→ Start it.');
  });

  it('webhook compares the settings', async () => {
    const setting = { setting: 'url', expected: 'a', found: 'b', ok: false };
    admin.mockResolvedValue({ ok: false, settings: [setting] });
    expect(await stand.servicectl(['integrations', 'webhook', '--check', '--environment', '3'])).toMatchObject({
      code: 1,
      stdout: 'url\tdiffers\ta\tb\n',
      stderr: expect.stringContaining('→ Run: servicectl integrations webhook --apply'),
    });
    expect(asked()).toEqual([['integrations-webhook', { mode: 'check', environment: 3 }]]);
    admin.mockResolvedValue({ ok: true, settings: [{ ...setting, found: 'a', ok: true }] });
    expect((await stand.servicectl(['integrations', 'webhook', '--apply'])).stderr).toContain('Restart the provider');
  });
});

describe('keys rewrap', () => {
  it('counts what was re-encrypted, and says which secrets are lost', async () => {
    admin.mockResolvedValue({ 'provider keys': { moved: 2, kept: 1, lost: 1 } });
    expect(await stand.servicectl(['keys', 'rewrap', '--from-env', 'OLD'])).toEqual({
      code: 0,
      stdout: 'provider keys\t2\t1\t1\n',
      stderr: expect.stringContaining('cannot be decrypted with either key'),
    });
    expect(asked()).toEqual([['rewrap-keys', { from: 'OLD', what: 'keys' }]]);
  });

  it('needs --from-env', async () => {
    expect(await stand.servicectl(['keys', 'rewrap'])).toMatchObject({ code: 2 });
    expect(asked()).toEqual([]);
  });
});

describe('admin', () => {
  const environment = { SERVICE_DEBUG_TOKEN: 'hush hush' };

  it('plan changes the plan of an organization', async () => {
    stand.serve({
      'PUT /service-debug/organizations/acme/plan': { organization: { id: 'org_1', slug: 'acme', plan: 'team' } },
    });
    expect(await stand.servicectl(['admin', 'plan', 'acme', 'team'], { environment })).toEqual({
      code: 0,
      stdout: '',
      stderr: 'acme is now on the team plan.\n',
    });
    expect(stand.requests()[0]).toMatchObject({ bearer: 'hush hush', body: { plan: 'team' } });
  });

  it('organization prints the invitation link', async () => {
    const made = {
      organization: { slug: 'acme', plan: 'free' },
      invitation: {
        email: 'jo@acme.example',
        url: 'https://service.test/invitations/inv_1',
        expiresAt: '2026-02-01T00',
      },
    };
    stand.serve({ 'POST /service-debug/organizations': () => json(made, 201) });
    expect(
      await stand.servicectl(['admin', 'organization', 'Acme', '--owner', 'jo@acme.example'], { environment }),
    ).toEqual({
      code: 0,
      stdout: 'https://service.test/invitations/inv_1\n',
      stderr: expect.stringMatching(/^Created acme on the free plan\.\n.*valid until 2026-02-01;/),
    });
  });

  it('fails with a wrong token, without repeating it', async () => {
    stand.serve({ 'PUT /service-debug/organizations/acme/plan': refuse(401, 'unauthenticated') });
    const { code, stderr } = await stand.servicectl(['admin', 'plan', 'acme', 'team'], { environment });
    expect([code, stderr.includes('does not accept'), stderr.includes('hush')]).toEqual([3, true, false]);
  });
});
