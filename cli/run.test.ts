import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import type { Command } from 'commander';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { needs } from '../test/support/needs.ts';
import { createOutput } from './output.ts';
import { buildProgram } from './program.ts';
import { run } from './run.ts';

let home: string;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'servicectl-'));
});
afterAll(() => rm(home, { recursive: true, force: true }));

async function servicectl(
  args: string[],
  environment: Record<string, string> = {},
): Promise<{ code: number; stdout: string; stderr: string }> {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  stdin.end();
  const code = await run(args, { environment: { HOME: home, ...environment }, stdin, stdout, stderr });
  return { code, stdout: String(stdout.read() ?? ''), stderr: String(stderr.read() ?? '') };
}

function everyCommand(command: Command): Command[] {
  return [command, ...command.commands.flatMap(everyCommand)];
}

describe('every command', () => {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const host = { environment: {}, stdin, stdout, stderr };
  const commands = everyCommand(buildProgram({ host, output: createOutput(host) }));

  it('prints help that ends with an example, and exits 0', async () => {
    for (const command of commands) {
      const path: string[] = [];
      for (let at: Command | null = command; at?.parent; at = at.parent) path.unshift(at.name());
      const { code, stdout: help, stderr: said } = await servicectl([...path, '--help']);
      expect([path, code, said, /\nExample:\n {2}\$ .*servicectl/.test(help)]).toEqual([path, 0, '', true]);
    }
  });

  it('prints help that fits 80 columns, without defaults that say nothing', async () => {
    for (const command of commands) {
      const path: string[] = [];
      for (let at: Command | null = command; at?.parent; at = at.parent) path.unshift(at.name());
      const { stdout: help } = await servicectl([...path, '--help']);
      // A command to copy is not broken.
      const wide = help.split('\n').filter((line) => line.length > 80 && !line.startsWith('  $ '));
      expect([path, wide, /default: (?:\[\]|""|\))/.test(help)]).toEqual([path, [], false]);
    }
  });

  it('takes --json unless it is a group', () => {
    for (const command of commands.filter(({ commands: children }) => children.length === 0))
      expect([command.name(), command.options.some(({ long }) => long === '--json')]).toEqual([command.name(), true]);
  });
});

describe('help', () => {
  it.each([[[]], [['help']], [['--help']]])('%j lists the commands and exits 0', async (args) => {
    const { code, stdout, stderr } = await servicectl(args);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^Usage: servicectl [\s\S]*\n {2}connections [\s\S]*Exit codes:/);
  });

  it('shows the help of one command, also in a group and as JSON', async () => {
    expect((await servicectl(['help', 'keys', 'save'])).stdout).toBe(
      (await servicectl(['keys', 'save', '--help'])).stdout,
    );
    expect(JSON.parse((await servicectl(['help', 'call', '--json'])).stdout)).toMatchObject({
      command: 'servicectl call',
      usage: '[options] <connection> <tool>',
      options: expect.arrayContaining([expect.objectContaining({ flags: '--arg <name=value>' })]),
    });
  });
});

it('chat with a question does not wait for standard input', async () => {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const environment = { HOME: home, SERVICE_URL: 'http://127.0.0.1:9', SERVICE_TOKEN: 'a.b.c' };
  expect(await run(['chat', 'Hello'], { environment, stdin, stdout, stderr })).toBe(4);
});

describe('an invalid command line exits 2 and says what to do', () => {
  it.each([
    [['help', 'nope'], "there is no command 'nope'"],
    [['nope'], "unknown command 'nope'"],
    [['modles'], 'Did you mean models?'],
    [['models', '--bad'], "unknown option '--bad'"],
    [['call', 'github'], "missing required argument 'tool'"],
    [['models', '--url', 'ftp://x'], '--url takes an http or https URL'],
    [['models', '--url', 'http://user:secret@host'], '--url must not contain credentials'],
    [['integrations', 'webhook'], 'exactly one of --check and --apply'],
    [['integrations', 'reconcile', '--check', '--apply'], 'exactly one of --check and --apply'],
    [['receipts', '--follow'], 'need a stream'],
    [['receipts', 'connect/x', '--limit', '0'], '--limit takes a whole number from 1'],
    [['verify', 'no-such-file.jsonl'], 'there is no file no-such-file.jsonl'],
    [['verify', 'connect/x', '--head', 'abc'], '--head takes'],
    [['verify', '--head', `1:${'0'.repeat(64)}`], '--head needs a stream or a file'],
    [['login', '--days', '400'], '--days takes a number from 1 to 365'],
    [['login', '--token', 'secret'], 'this is not a connect token'],
    [['login', '--token', 'a.b.\nc'], 'contains characters that no token has'],
    [['keys', 'rewrap'], 'needs --from-env'],
    [['models-account', 'save', 'http://x.test/v1'], 'needs --models'],
    [['completion', 'tcsh'], 'Allowed choices are bash, zsh, fish'],
    [['import', 'aws'], 'choose a profile'],
    [['run'], "missing required argument 'objective'"],
    [['run', 'x', '--kind', 'odd'], 'Allowed choices are chat, control, codex'],
    [['jobs', '--limit', '201'], '--limit takes a whole number from 1 to 200'],
    [['jobs', '--status', 'gone'], 'Allowed choices are queued, running, completed, failed, aborted'],
    [['job', 'job_x', '--follow', '--events'], 'use only one of --follow and --events'],
    [['job', 'job_x', '--output', 'x'], '--output needs --download'],
    [['abort'], "missing required argument 'job'"],
    [['doctor', '--fix'], "unknown option '--fix'"],
    [['api', 'GET', 'http://elsewhere.test/x'], 'the path must start with / and belong to this service'],
    [['api', 'GET', '//elsewhere.test/x'], 'the path must start with / and belong to this service'],
    [['api', 'GET', String.raw`/\elsewhere.test/x`], 'the path must start with / and belong to this service'],
    [
      ['api', 'GET', '/../x', '--url', 'http://localhost:4000/base'],
      'the path must start with / and belong to this service',
    ],
    [['api', 'FETCH', '/x'], 'the method must be GET'],
    [['api', 'POST', '/x', '-d', '{}', '--field', 'a=1'], 'use either --data or --field'],
    [['api', 'GET', '/x', '--header', 'authorization: Bearer other'], '--header takes'],
    [['tokens', 'create', 'x', '--days', '0'], '--days takes a number from 1 to 365'],
    [['usage', '--days', '400'], '--days takes a number from 1 to 366'],
    [['connections', 'policy', 'github', '--repository', 'site'], '--repository takes owner/name'],
    [['open', 'nothing-of-ours'], 'there is no page for this'],
    [['policy', 'set', 'nothing', 'on'], 'no such field of the policy'],
    [['policy', 'set', 'modules', 'on'], 'modules needs an entry'],
    [['requests', '--status', '9xx'], '--status takes an HTTP status'],
    [['requests', '--since', 'ever'], '--since takes a duration'],
    [['requests', '--limit', '0'], '--limit takes a whole number from 1 to 10000'],
    [['api', 'POST', '/x', '--paginate'], '--paginate is for GET'],
    [['models', '--as', 'nobody'], 'there is no such sign-in'],
    [['logout', 'x', '--all'], 'use either --all or the name of a sign-in'],
    [['whoami', '--jq', '.['], '--jq has an invalid expression'],
  ])('%j', async (args, said) => {
    const { code, stdout, stderr } = await servicectl(args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(said);
    if (!args.includes('--jq')) expect(stderr).toMatch(/^servicectl: [\s\S]*\n {2}→ /);
  });
});

describe('an invalid command line with --json prints one line of JSON on standard error', () => {
  it.each([
    [['models', '--bad', '--json'], "unknown option '--bad'"],
    [['gibberish', '--json'], "unknown command 'gibberish'"],
    [['call', 'github', '--json'], "missing required argument 'tool'"],
    [['jobs', '--limit', '0', '--json'], '--limit takes a whole number from 1 to 200'],
    [
      ['jobs', '--status', 'gone', '--json'],
      "option '--status <status>' argument 'gone' is invalid. Allowed choices are queued, running, completed, failed, aborted.",
    ],
  ])('%j', async (args, message) => {
    const { code, stdout, stderr } = await servicectl(args);
    expect([code, stdout, JSON.parse(stderr)]).toEqual([
      2,
      '',
      { ok: false, error: 'usage', message, exit: 2, next: expect.any(String) },
    ]);
  });
});

it.each([
  [['keys', 'save', 'openai', 'sk-proj-1234567890']],
  [['keys', 'sk-proj-1234567890']],
  [['keys', 'save', 'openai', '--key=sk-proj-1234567890']],
  [['sk-proj-1234567890']],
  [['login', 'sk-proj-1234567890']],
  [['login', '--token', 'sk-proj-1234567890']],
  [['call', 'a', 'b', '--arg', 'sk-proj-1234567890']],
])('%j does not repeat the key', async (args) => {
  for (const json of [[], ['--json']]) {
    const { code, stdout, stderr } = await servicectl([...args, ...json]);
    expect(code).toBeGreaterThan(1);
    expect(stdout + stderr).not.toContain('1234567890');
  }
});

describe('without a sign-in', () => {
  it.each([
    ['whoami'],
    ['models'],
    ['models-account'],
    ['chat', 'hi'],
    ['receipts'],
    ['verify'],
    ['connections'],
    ['tools'],
    ['call', 'github', 'x'],
    ['connect', 'github'],
    ['keys'],
    ['mcp'],
    ['run', 'x'],
    ['jobs'],
    ['job', 'job_x'],
    ['job', 'job_x', '--download', 'a'],
    ['abort', 'job_x'],
    ['token'],
    ['organizations'],
    ['organizations', 'use', 'x'],
    ['workspaces'],
    ['workspaces', 'use', 'x'],
    ['tokens'],
    ['tokens', 'create', 'x'],
    ['usage'],
    ['apps'],
    ['connections', 'policy', 'github'],
    ['policy'],
    ['policy', 'set', 'require-zdr', 'on'],
    ['members'],
    ['invitations'],
    ['requests'],
    ['workspaces', 'create', 'x'],
    ['caps', 'remove', 'member', 'x'],
    ['disconnect', 'github', '--yes'],
    ['api', 'GET', '/runtime/jobs'],
    ['admin', 'plan', 'acme', 'team'],
  ])('%s exits 3', async (...args) => {
    const { code, stderr } = await servicectl(args);
    expect(code).toBe(3);
    expect(stderr).toMatch(/→ (?:Run: servicectl login|Set SERVICE_DEBUG_TOKEN)/);
  });

  it('with --json a failure is JSON on standard error', async () => {
    const { code, stdout, stderr } = await servicectl(['whoami', '--json']);
    expect([code, stdout, JSON.parse(stderr)]).toEqual([
      3,
      '',
      {
        ok: false,
        error: expect.any(String),
        message: expect.any(String),
        exit: 3,
        next: expect.stringContaining('servicectl login'),
      },
    ]);
  });

  it('with --url, the advice is to sign in to that address', async () => {
    const { stderr } = await servicectl(['whoami', '--url', 'http://other.test:5000']);
    expect(stderr).toBe(
      'servicectl: not signed in to http://other.test:5000\n  → Run: servicectl login --url http://other.test:5000 (or set SERVICE_TOKEN to a connect token)\n',
    );
    expect((await servicectl(['keys', '--url=http://other.test:5000'])).stderr).toContain(
      'servicectl login --url http://other.test:5000',
    );
  });

  it('a token that cannot be sent is refused without being repeated', async () => {
    const { code, stderr } = await servicectl(['models'], { SERVICE_TOKEN: 'aaa.bbb\nccc.ddd' });
    expect([code, stderr]).toEqual([2, expect.stringContaining('SERVICE_TOKEN contains characters')]);
    expect(stderr).not.toMatch(/aaa|ddd/);
  });

  it('a token from the environment is not enough where a session is needed', async () => {
    const { code, stderr } = await servicectl(['keys'], { SERVICE_TOKEN: 'a.b.c' });
    expect([code, stderr]).toEqual([3, expect.stringContaining('Unset SERVICE_TOKEN')]);
  });
});

describe('completion', () => {
  it.each(['bash', 'zsh', 'fish'])('for %s names every command', async (shell) => {
    const { stdout } = await servicectl(['completion', shell]);
    for (const word of [
      'login',
      'connections',
      'rewrap',
      'reconcile',
      'follow',
      'run',
      'jobs',
      'abort',
      'detach',
      'capability',
      'artifacts',
      'doctor',
      'token',
    ])
      expect(stdout).toContain(word);
  });

  it('in bash completes the commands of a group and the flags of a command', needs('bash'), async () => {
    const { stdout } = await servicectl(['completion', 'bash']);
    const complete = (...words: string[]): string[] =>
      execFileSync(
        'bash',
        [
          '-c',
          `${stdout}\nCOMP_WORDS=(servicectl "$@"); COMP_CWORD=$#; _servicectl; printf '%s\\n' "\${COMPREPLY[@]}"`,
          'bash',
          ...words,
        ],
        { encoding: 'utf8' },
      )
        .trim()
        .split('\n');
    expect(complete('conn')).toEqual(['connect', 'connections']);
    expect(complete('keys', 'rem')).toEqual(['remove']);
    expect(complete('receipts', '--f')).toEqual(['--follow', '--from', '--force']);
    expect(complete('receipts', 'connect/x', '--ex')).toEqual(['--export']);
    expect(complete('jo')).toEqual(['jobs', 'job']);
    expect(complete('run', 'objective', '--id')).toEqual(['--idempotency-key']);
    expect(complete('job', 'job_x', '--do')).toEqual(['--download']);
    expect(complete('tokens', '--al')).toEqual(['--all']);
    expect(complete('doctor', '--b')).toEqual(['--bundle']);
  });
});
