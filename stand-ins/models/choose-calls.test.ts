import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { DemoRequest, Item, ToolLocation, OfferedTool } from './demo-request.ts';
import { chooseCalls as choose, type ChosenCall } from './choose-calls.ts';

const WEATHER = {
  name: 'get_weather',
  schema: {
    type: 'object',
    properties: { city: { type: 'string' }, unit: { enum: ['celsius', 'fahrenheit'] } },
    required: ['city', 'unit'],
  },
};
const ISSUES = {
  name: 'github__list-issues',
  schema: { type: 'object', properties: { limit: { type: 'integer', maximum: 100 } }, required: ['limit'] },
};
const BASH = {
  name: 'bash',
  schema: { type: 'object', properties: { command: { type: 'string' } }, required: ['command'] },
};

const chooseCalls = (question: Question, place: ToolLocation = 'client'): ChosenCall[] => choose(question, place);

type Question = Pick<DemoRequest, 'system' | 'items' | 'tools' | 'toolChoice' | 'parallelCalls'>;

function ask(text: string, tools: DemoRequest['tools'], more: Partial<Question> = {}): Question {
  return {
    // A path counts only where it is said to be the directory.
    system: 'A <tag>working directory</tag>, the working directory/description.\nWorking directory: /home/me/project',
    items: [{ kind: 'user', text, attachments: 0 }],
    tools,
    toolChoice: 'auto',
    parallelCalls: true,
    ...more,
  };
}

test('a tool is called when the words of its name are said, with arguments from what was said', () => {
  expect(chooseCalls(ask('Please get the weather in "Lisbon", in fahrenheit', [WEATHER, ISSUES]))).toEqual([
    { name: 'get_weather', arguments: { city: 'Lisbon', unit: 'fahrenheit' } },
  ]);
  expect(chooseCalls(ask('list the last 7 issues', [WEATHER, ISSUES]))).toEqual([
    { name: 'github__list-issues', arguments: { limit: 7 } },
  ]);
});

test('no tool is called when none is meant, or when none may be', () => {
  expect(chooseCalls(ask('Good morning', [WEATHER, ISSUES]))).toEqual([]);
  expect(chooseCalls(ask('get the weather', [WEATHER], { toolChoice: 'none' }))).toEqual([]);
  expect(chooseCalls(ask('get the weather', []))).toEqual([]);
});

test('several tools are called at once unless the request forbids it', () => {
  const text = 'get the weather and list my issues';
  expect(chooseCalls(ask(text, [WEATHER, ISSUES])).map(({ name }) => name)).toEqual([
    'get_weather',
    'github__list-issues',
  ]);
  expect(chooseCalls(ask(text, [WEATHER, ISSUES], { parallelCalls: false })).map(({ name }) => name)).toEqual([
    'get_weather',
  ]);
});

test('a tool that the request insists on is called whatever was said', () => {
  expect(chooseCalls(ask('hi', [ISSUES, WEATHER], { toolChoice: { name: 'get_weather' } }))[0]?.name).toBe(
    'get_weather',
  );
  expect(chooseCalls(ask('hi', [ISSUES, WEATHER], { toolChoice: 'required' }))[0]?.name).toBe('github__list-issues');
});

/** The commands of a loop, up to where it ends. */
function commandsOf(shell: OfferedTool, field: string, place: ToolLocation): unknown[] {
  const items: Item[] = [{ kind: 'user', text: 'Summarize the repository', attachments: 0 }];
  const commands: unknown[] = [];
  for (let turn = 0; turn < 10; turn++) {
    const [call] = chooseCalls(ask('', [shell], { items }), place);
    if (!call) break;
    commands.push(call.arguments[field]);
    items.push({ kind: 'call', id: `${turn}`, name: call.name }, { kind: 'result', id: `${turn}`, text: 'ok' });
  }
  return commands;
}

test('in the sandbox of a run it looks around, leaves a file, and is done', () => {
  expect(commandsOf(BASH, 'command', 'sandbox')).toEqual([
    expect.stringMatching(/^echo 'Summarize the repository' && ls$/),
    expect.stringContaining('> /workspace/artifacts/answer.md'),
  ]);
});

test.each([
  ['bash', 'command'],
  ['Bash', 'command'],
  ['shell', 'command'],
  ['run_shell_command', 'command'],
  ['exec_command', 'cmd'],
])('with %s of a client it only looks', (name, field) => {
  expect(commandsOf({ name, schema: {} }, field, 'client')).toEqual(['pwd && ls']);
});

test('the code tool of Codex looks through its shell', () => {
  const code: OfferedTool = { name: 'exec', namespace: 'functions', freeform: true, schema: {} };
  expect(chooseCalls(ask('wait, what is here?', [code, { name: 'wait', namespace: 'functions', schema: {} }]))).toEqual(
    [
      {
        name: 'exec',
        namespace: 'functions',
        arguments: {},
        input: expect.stringContaining('tools.exec_command({ cmd: "pwd && ls" })'),
      },
    ],
  );
});

test('a shell that wants more than a command gets it', () => {
  const schema = {
    type: 'object',
    properties: { command: { type: 'string' }, description: { type: 'string' } },
    required: ['command', 'description'],
  };
  expect(chooseCalls(ask('hello', [{ name: 'bash', schema }]))[0]?.arguments).toEqual({
    command: 'pwd && ls',
    description: 'Look around',
  });
});

test.each([
  'Write',
  'Edit',
  'MultiEdit',
  'NotebookEdit',
  'apply_patch',
  'write_file',
  'edit_file',
  'create_file',
  'filesystem__write_file',
  'str_replace_based_edit_tool',
])('%s is not called because its name was said', (name) => {
  const said = `please ${name}, write and edit the file, multi notebook apply patch create`;
  expect(chooseCalls(ask(said, [{ name, schema: {} }]))).toEqual([]);
  expect(chooseCalls(ask(said, [{ name, schema: {} }, BASH]))[0]?.name).toBe('bash');
});

test('of an agent with a shell only the tools of connected apps are called by name', () => {
  const task = { name: 'Task', schema: {} };
  const listed = { name: 'list_issues', namespace: 'mcp__apps', schema: {} };
  expect(chooseCalls(ask('a task: list the issues', [task, BASH])).map(({ name }) => name)).toEqual(['bash']);
  expect(chooseCalls(ask('a task: list the issues', [task, BASH, ISSUES])).map(({ name }) => name)).toEqual([
    'github__list-issues',
  ]);
  expect(chooseCalls(ask('a task: list the issues', [task, BASH, listed]))).toEqual([
    { name: 'list_issues', namespace: 'mcp__apps', arguments: {} },
  ]);
});

test('a shell that takes words is given words', () => {
  const shell = {
    name: 'shell',
    schema: { type: 'object', properties: { command: { type: 'array', items: { type: 'string' } } } },
  };
  expect(chooseCalls(ask('hello', [shell]), 'sandbox')[0]?.arguments).toEqual({
    command: ['bash', '-c', "echo 'hello' && ls"],
  });
  expect(chooseCalls(ask('hello', [shell]))[0]?.arguments).toEqual({ command: ['bash', '-c', 'pwd && ls'] });
});

test('an objective is never taken for a command', () => {
  const hostile = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom("'; exit 3; echo '", '$(exit 3)', '`exit 3`', '\\', 'a\'b"c\nd\\n'),
  );
  fc.assert(
    fc.property(hostile, (objective) => {
      const [call] = chooseCalls(ask(`x ${objective}`, [BASH]), 'sandbox');
      const said = execFileSync(
        '/bin/bash',
        [
          '--noprofile',
          '--norc',
          '-c',
          String(call?.arguments.command)
            .replace(/ && ls$/, '')
            .replace(/^echo /, 'printf %s '),
        ],
        { encoding: 'utf8' },
      );
      expect(said).toBe(`x ${objective}`.replaceAll('\0', '').replace(/\s+/g, ' ').trim().slice(0, 200).toWellFormed());
    }),
    { numRuns: 15 },
  );
});

const WRITE = {
  name: 'Write',
  schema: {
    type: 'object',
    properties: { file_path: { type: 'string' }, content: { type: 'string' } },
    required: ['file_path', 'content'],
  },
};

test.each([
  ['Write a file notes.md with a greeting', 'demo-notes.md'],
  ['please create a file called "demo-made.txt"', 'demo-made.txt'],
  // What is only mentioned is the user's.
  ['Add a test file for index.ts', 'demo-note.md'],
])('a file that is asked for is written where the agent works, and replaces none of the user’s: %s', (text, name) => {
  expect(chooseCalls(ask(text, [BASH, WRITE]))).toEqual([
    {
      name: 'Write',
      arguments: { file_path: `/home/me/project/${name}`, content: expect.stringContaining('demo model') as string },
    },
  ]);
  const [call] = chooseCalls(ask(text, [BASH]));
  const directory = mkdtempSync(join(tmpdir(), 'demo-'));
  try {
    const run = (): string =>
      execFileSync('bash', ['-c', String(call?.arguments['command'])], { cwd: directory, encoding: 'utf8' });
    expect(run()).toContain('Written by a demo model');
    expect(readdirSync(directory)).toEqual([name]);
    writeFileSync(join(directory, name), 'mine');
    expect(run()).toBe('mine');
  } finally {
    rmSync(directory, { recursive: true });
  }
});

test('nothing is written unless a file is asked for, nor twice', () => {
  expect(chooseCalls(ask('What is in the file notes.md?', [BASH, WRITE]))[0]).toMatchObject({
    arguments: { command: 'pwd && ls' },
  });
  const items: Item[] = [
    { kind: 'user', text: 'Write a file', attachments: 0 },
    { kind: 'call', id: '1', name: 'Write' },
    { kind: 'result', id: '1', text: 'done' },
  ];
  expect(chooseCalls(ask('', [BASH, WRITE], { items }))).toEqual([]);
});
