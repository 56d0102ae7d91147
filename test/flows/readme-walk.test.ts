// The first five minutes of a new user, as README.md tells them: the commands are taken from its code blocks and run in
// their order, in a fresh copy of the tree; the words in bold are what is clicked in a real browser. A README that no
// longer leads through fails here.
import { type ChildProcess, spawn } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sandboxSkipReason } from '../support/sandbox/sandbox.ts';
import { describeInBrowser, launchChromium } from '../support/browser/browser.ts';
import { freePorts } from '../support/free-port.ts';
import { leaveOut, needs, type TestNeeds } from '../support/needs.ts';
import { stopAbandonedPostgres } from '../support/stack/stack.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const SECTION = '## Five minutes';
/** What a clone does not have. */
const NOT_CLONED = new Set(['node_modules', '.git', '.cache', 'dist', '.data']);
const ADDRESS = 'http://localhost:4000';

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface Expected {
  /** The command in the README. */
  readonly command: RegExp;
  readonly stdout?: RegExp;
  readonly stderr?: RegExp;
  /** What the person does in the browser at the address that the command prints. */
  readonly meanwhile?: (page: Page, address: string) => Promise<void>;
  /** What it needs of this machine. */
  readonly needs?: TestNeeds;
}

/** One for each command of the section but the first, in their order. */
const WALK: readonly Expected[] = [
  { command: /^servicectl login$/, stderr: /Signed in to/, meanwhile: approve },
  {
    command: /^echo sk-demo \| servicectl keys save openai$/,
    stderr: /Provider key saved successfully\.\nUsed by [^\n]*\n {2}→ [^\n]*servicectl keys inherit on$/m,
  },
  {
    command: /^servicectl keys inherit on$/,
    stderr: /Workspaces without their own key now use the organization's keys\./,
  },
  { command: /^servicectl chat /, stdout: /Demo answer/ },
  {
    command: /^curl -i .*\/v1\/chat\/completions/,
    stdout: /^x-service-credential: own-key\r?\n[\s\S]*"object":"chat\.completion".*Demo answer/m,
    needs: needs('curl'),
  },
  { command: /^servicectl connect github$/, stderr: /Connected github\./, meanwhile: connectApp },
  {
    command: /^servicectl call github list-repositories$/,
    stdout: /"full_name"/,
    stderr: /status 200, receipt 1 of connect\//,
  },
  { command: /^servicectl run /, stdout: /\S/, needs: leaveOut(sandboxSkipReason) },
  { command: /^servicectl job .* --artifacts$/, stdout: /^answer\.md\t\d+$/m, needs: leaveOut(sandboxSkipReason) },
  {
    command: /^servicectl verify$/,
    stdout:
      sandboxSkipReason === undefined ? /^connect\/\S+\tok\t2\t[\s\S]*^jobs\/\S+\tok\t/m : /^connect\/\S+\tok\t2\t/m,
  },
  { command: /^servicectl doctor$/, stdout: /^ok\tstorage\.reachable\t/m, needs: leaveOut(sandboxSkipReason) },
];

describeInBrowser('the first five minutes in README.md', () => {
  const said = { start: '' };
  let section: string;
  let commands: string[];
  let clone: string;
  let home: string;
  let url: string;
  let stack: ChildProcess | undefined;
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    section = await readSection();
    commands = [...section.matchAll(/```sh\n([\s\S]*?)```/g)].flatMap(([, block = '']) =>
      block.replaceAll('\\\n', ' ').trim().split('\n'),
    );
    [clone, home] = [await mkdtemp(join(tmpdir(), 'service-clone-')), await mkdtemp(join(tmpdir(), 'service-home-'))];
    await cp(ROOT, clone, { recursive: true, filter: (path) => !NOT_CLONED.has(basename(path)) || path === ROOT });
    // Packages are not fetched again: the marker of the installation comes with them. Each is a link of its own, so that
    // an installation in the clone, should there be one, takes away nothing but links.
    await mkdir(join(clone, 'node_modules'));
    for (const name of await readdir(join(ROOT, 'node_modules')))
      await symlink(join(ROOT, 'node_modules', name), join(clone, 'node_modules', name));
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser?.close();
    if (stack?.pid !== undefined && stack.exitCode === null) {
      const gone = new Promise((resolve) => stack?.once('exit', resolve));
      stack.kill('SIGTERM');
      await gone;
    }
    await stopAbandonedPostgres(join(clone, '.data'));
    for (const directory of [clone, home]) await rm(directory, { recursive: true, force: true });
  });

  it('holds its commands in blocks of sh, each with an expectation here, in this order', () => {
    expect(section.match(/^```/gm)?.length).toBe(2 * (section.match(/^```sh$/gm)?.length ?? 0));
    const [start, alias, ...rest] = commands;
    expect([start, alias]).toEqual(['npm start', expect.stringMatching(/^alias servicectl=/)]);
    expect(rest.map((command, i) => [command, WALK[i]?.command.test(command)])).toEqual(
      rest.map((command) => [command, true]),
    );
    expect(rest.length).toBe(WALK.length);
  });

  it('npm start says ready', async () => {
    const first = await freePorts(8);
    url = `http://localhost:${first}`;
    stack = spawn('bash', ['-c', `exec ${commands[0] ?? ''}`], {
      cwd: clone,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...environment(),
        SERVICE_GATEWAY_PORT: String(first),
        SERVICE_LOCAL_INTEGRATIONS_PORT: String(first + 4),
        SERVICE_LOCAL_INTEGRATIONS_CONNECT_PORT: String(first + 5),
      },
    });
    const ready = new Promise<void>((resolve, reject) => {
      for (const output of [stack?.stdout, stack?.stderr]) {
        output?.setEncoding('utf8').on('data', (text: string) => {
          said.start += text;
          if (said.start.includes(`ready ${url}`)) resolve();
        });
      }
      stack?.once('exit', () => reject(new Error(`npm start ended:\n${said.start}`)));
    });
    await ready;
    expect(said.start).toContain(`ready ${url}`);
  }, 300_000);

  it('an account and an organization are made in the browser', async () => {
    page = await browser.newPage();
    expect(section).toContain(`open <${ADDRESS}>, choose **Create an account**`);
    await page.goto(url);
    await page.getByRole('link', { name: 'Create an account' }).click();
    await page.getByLabel('Name').fill('Nora New');
    await page.getByLabel('Email').fill('nora@example.test');
    await page.getByLabel('Password').fill('correct horse battery');
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.getByLabel('Organization name').fill('First Steps');
    await page.getByRole('button', { name: 'Create organization' }).click();
    await page.getByRole('heading', { name: 'First steps' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/chat');
  });

  it('promises the header that the answer is then seen to carry', () => {
    expect(section).toContain('`x-service-credential: own-key`');
  });

  for (const [i, expected] of WALK.entries())
    it(`${expected.command.source} leads where the README says`, expected.needs ?? needs(), async () => {
      const command = commands[i + 2] ?? '';
      const { code, stdout, stderr } = await run(command, expected.meanwhile);
      expect([command, code, stderr]).toEqual([command, 0, expect.stringMatching(expected.stderr ?? /^/)]);
      expect(stdout).toMatch(expected.stdout ?? /^/);
    });

  function environment(): Record<string, string> {
    return { PATH: process.env['PATH'] ?? '', HOME: home };
  }

  /** In a shell as a person has it: the alias of the README is known. Only the address is another one. */
  async function run(command: string, meanwhile: Expected['meanwhile']): Promise<Ended> {
    const child = spawn(
      'bash',
      ['-O', 'expand_aliases', '-c', `${commands[1] ?? ''}\n${command.replaceAll(ADDRESS, url)}`],
      { cwd: clone, stdio: ['ignore', 'pipe', 'pipe'], env: { ...environment(), SERVICE_URL: url } },
    );
    const output = { stdout: '', stderr: '' };
    let acting: Promise<void> | undefined;
    for (const name of ['stdout', 'stderr'] as const) {
      child[name].setEncoding('utf8').on('data', (text: string) => {
        output[name] += text;
        const [address] = /http\S+/.exec(output.stderr) ?? [];
        if (meanwhile && address !== undefined) acting ??= meanwhile(page, address);
      });
    }
    const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
    await acting;
    return { code, ...output };
  }
});

async function approve(page: Page, address: string): Promise<void> {
  expect(await readSection()).toMatch(/choose \*\*Continue\*\*.*\*\*Approve\*\*/);
  await page.goto(address);
  for (const name of ['Continue', 'Approve']) await page.getByRole('button', { name }).click();
}

async function connectApp(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await page.getByRole('button', { name: /^Continue to/ }).click();
  await page.getByRole('button', { name: /^Allow/ }).click();
}

async function readSection(): Promise<string> {
  const text = await readFile(join(ROOT, 'README.md'), 'utf8');
  const from = text.indexOf(SECTION);
  const to = text.indexOf('\n## ', from + 1);
  if (from < 0) throw new Error(`README.md has no section that begins with ${SECTION}`);
  return text.slice(from, to < 0 ? undefined : to);
}
