// The command line on Nodes that are older than the pinned one.
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { leaveOut } from '../support/needs.ts';
import { findOlderNode } from '../support/older-node.ts';
import { SERVICECTL } from '../support/cli/servicectl.ts';

const olderNode = findOlderNode();
let home: string;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'servicectl-package-'));
});
afterAll(() => rm(home, { recursive: true, force: true }));

const runWith = (node: string, args: readonly string[]) =>
  spawnSync(node, args, { encoding: 'utf8', cwd: home, env: { HOME: home, PATH: '/usr/bin:/bin' } });

describe(
  'on a Node from 20 to 23',
  leaveOut(olderNode === undefined ? 'needs a Node from 20 to 23 besides the pinned one' : undefined),
  () => {
    const servicectl = (...args: string[]) => runWith(olderNode ?? '', [SERVICECTL, ...args]);

    it.each([
      [['--version'], 0, /^\d+\.\d+\.\d+ \(build [0-9a-f.]+\)\n$/, /^$/],
      [['help'], 0, /^Usage: servicectl/, /^$/],
      [['completion', 'bash'], 0, /_servicectl/, /^$/],
      [['env'], 0, /^SERVICE_URL\t|\nSERVICE_[A-Z_]+\t/, /^$/],
      [['env', '--check'], 0, /./, /environment is valid/],
      [['doctor', '--data-dir', 'nothing'], 1, /^\w+\tenvironment\./m, /failed\n {2}→ /],
      [['bundle', 'init', 'made.env'], 0, /^$/, /^Wrote made\.env/],
      [['bundle', 'check', 'made.env'], 0, /^$/, /^made\.env is valid/],
      [['integrations', 'reconcile', '--check'], 1, /^oauthCallbackUrl: /, /not configured\n {2}→ Set /],
      [['integrations', 'webhook', '--check'], 1, /^$/, /is not set\n {2}→ Set /],
      [['keys', 'rewrap', '--from-env'], 1, /^$/, /BYOK_ENCRYPTION_KEY_B64 is not set\n {2}→ /],
      [['models'], 3, /^$/, /not signed in/],
      [['verify', 'missing.jsonl'], 2, /^$/, /there is no file/],
    ] as const)('%j works as on the pinned one', (args, status, stdout, stderr) => {
      const ran = servicectl(...args);
      expect(ran).toMatchObject({
        status,
        stdout: expect.stringMatching(stdout),
        stderr: expect.stringMatching(stderr),
      });
      expect(ran.stderr).not.toMatch(/\n\s+at |Node\.js v/);
    });
  },
);

it('a Node that is too old gets a message with the version that is needed', async () => {
  const pretend = join(home, 'pretend.cjs');
  await writeFile(pretend, "Object.defineProperty(process, 'versions', { value: { node: '18.20.0' } });");
  const { status, stdout, stderr } = runWith(process.execPath, ['--require', pretend, SERVICECTL, '--version']);
  expect([status, stdout, stderr]).toEqual([
    1,
    '',
    expect.stringMatching(/^servicectl: this needs Node 20 or newer, but .+\n {2}→ Install a newer Node/),
  ]);
});
