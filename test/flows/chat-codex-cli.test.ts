// The Codex CLI itself in front of scripted providers, where SERVICE_TEST_CODEX names a directory tools that holds it:
// its tools of every kind on models of every kind, agents of its own, a conversation that it makes shorter, and one that
// goes on with another model.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { CODEX_DIRECTORY } from '../../src/engines/codex/codex-package.ts';
import { type ChatGateway, type Member, startChatGateway } from '../support/http/chat-gateway.ts';
import type { AnswerScript } from '../support/models/model-scripts.ts';
import { leaveOut } from '../support/needs.ts';

const TOOLS = process.env['SERVICE_TEST_CODEX'];
const ANTHROPIC = 'anthropic/claude-sonnet-4-5';
const call = (name: string, given: Readonly<Record<string, unknown>>): AnswerScript => ({
  toolCalls: [{ name, arguments: given }],
});
const SHELL = call('exec_command', { cmd: 'echo made > made.txt' });

describe(
  'the Codex CLI',
  leaveOut(TOOLS === undefined ? 'SERVICE_TEST_CODEX names no Codex CLI' : undefined, 'opt-in'),
  () => {
    let gateway: ChatGateway;
    let member: Member;
    let home: string;
    beforeAll(async () => {
      gateway = await startChatGateway();
    });
    afterAll(() => gateway?.close());
    beforeEach(async () => {
      gateway.upstream.reset();
      gateway.upstream.respondByDefault({ text: 'All done.' });
      member = await gateway.newMember();
      home = await mkdtemp(join(tmpdir(), 'service-codex-'));
      await mkdir(join(home, 'project'));
      await writeFile(
        join(home, 'config.toml'),
        `model_provider = "service"\n[model_providers.service]\nname = "Service"\nbase_url = "${gateway.url}/v1"\nenv_key = "SERVICE_TOKEN"\nwire_api = "responses"\n`,
      );
    });
    afterEach(() => rm(home, { recursive: true, force: true }));

    const account = (): Promise<void> =>
      member.saveAccount(member.organization.defaultId, gateway.upstream.accountUrl, 'sk-account', ['*']);
    const inProject = (name: string): string => join(home, 'project', name);
    const lastSent = (): string => JSON.stringify(gateway.upstream.requests.at(-1)?.json);

    /** What it said, as lines of JSON. */
    async function codex(model: string, question: string, ...before: string[]): Promise<string> {
      const program = join(TOOLS ?? '', CODEX_DIRECTORY, 'node_modules', '.bin', 'codex');
      const child = spawn(
        program,
        [
          'exec',
          ...before,
          '--json',
          '--skip-git-repo-check',
          '--dangerously-bypass-approvals-and-sandbox',
          '-m',
          model,
          question,
        ],
        {
          cwd: join(home, 'project'),
          env: { ...process.env, CODEX_HOME: home, SERVICE_TOKEN: await member.token() },
          stdio: ['ignore', 'pipe', 'ignore'],
        },
      );
      let said = '';
      for await (const chunk of child.stdout as AsyncIterable<Buffer>) said += chunk.toString();
      return said;
    }

    it.each([
      ['OpenAI, on platform credit', 'openai/gpt-5', async () => {}],
      [
        'OpenAI, on an own key',
        'openai/gpt-5',
        () => member.saveKey('openai', member.organization.defaultId, 'sk-own'),
      ],
      ['Anthropic, on platform credit', ANTHROPIC, async () => {}],
      [
        'Anthropic, on an own key',
        ANTHROPIC,
        () => member.saveKey('anthropic', member.organization.defaultId, 'sk-ant-own'),
      ],
      ['a Models account', 'openai/gpt-5', account],
    ])('works with a shell on %s', async (_where, model, prepare) => {
      await prepare();
      gateway.upstream.respond(SHELL);
      expect(await codex(model, 'make a file')).toContain('All done.');
      expect(await readFile(inProject('made.txt'), 'utf8')).toBe('made\n');
    });

    it('edits a file with its custom tool, and finds further tools, on a Models account', async () => {
      await account();
      gateway.upstream.respond(
        call('apply_patch', { input: '*** Begin Patch\n*** Add File: patched.txt\n+hello "é"\n*** End Patch\n' }),
      );
      gateway.upstream.respond(call('tool_search', { query: 'spawn agent' }));
      await codex('openai/gpt-5.5', 'make a file');
      expect(await readFile(inProject('patched.txt'), 'utf8')).toBe('hello "é"\n');
      expect(lastSent()).toContain('multi_agent_v1__spawn_agent');
    });

    it('runs code and starts an agent, with the tools of its newest models, on a Models account', async () => {
      await account();
      gateway.upstream.respond(
        call('functions__exec', { input: 'await tools.exec_command({ cmd: "echo x > code.txt" });' }),
      );
      gateway.upstream.respond(call('collaboration__spawn_agent', { task_name: 'one', message: 'say hi' }));
      expect(await codex('openai/gpt-6-sol', 'make a file')).toContain('All done.');
      expect(existsSync(inProject('code.txt'))).toBe(true);
      expect(gateway.upstream.requests.some(({ body }) => body.includes('/root/one'))).toBe(true);
    });

    it('makes a long conversation shorter, on Anthropic', async () => {
      gateway.upstream.respond({ ...SHELL, usage: { inputTokens: 90_000, outputTokens: 10 } });
      expect(await codex(ANTHROPIC, 'make a file', '-c', 'model_auto_compact_token_limit=50000')).toContain(
        'All done.',
      );
      expect(gateway.upstream.requests.map(({ path }) => path)).toEqual([
        '/v1/messages',
        '/v1/messages',
        '/v1/messages',
      ]);
      expect(gateway.upstream.requests[1]?.json).toMatchObject({ tool_choice: { type: 'none' } });
    });

    it.each([
      [ANTHROPIC, 'openai/gpt-5.5'],
      ['openai/gpt-5.5', ANTHROPIC],
    ])('begins a conversation on %s and goes on with %s', async (first, second) => {
      gateway.upstream.respond(SHELL);
      await codex(first, 'make a file');
      expect(await codex(second, 'go on', 'resume', '--last')).toContain('All done.');
      expect(lastSent()).toContain('echo made > made.txt');
    });
  },
);
