import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Asked, Item } from './asked.ts';
import { chooseCalls } from './choose-calls.ts';

const WEATHER = { name: 'get_weather', schema: { type: 'object', properties: { city: { type: 'string' }, unit: { enum: ['celsius', 'fahrenheit'] } }, required: ['city', 'unit'] } };
const ISSUES = { name: 'github__list-issues', schema: { type: 'object', properties: { limit: { type: 'integer', maximum: 100 } }, required: ['limit'] } };
const BASH = { name: 'bash', schema: { type: 'object', properties: { command: { type: 'string' } }, required: ['command'] } };

type Question = Pick<Asked, 'items' | 'tools' | 'toolChoice' | 'parallelCalls'>;

function ask(text: string, tools: Asked['tools'], more: Partial<Question> = {}): Question {
  return { items: [{ kind: 'user', text, attachments: 0 }], tools, toolChoice: 'auto', parallelCalls: true, ...more };
}

test('a tool is called when the words of its name are said, with arguments from what was said', () => {
  expect(chooseCalls(ask('Please get the weather in "Lisbon", in fahrenheit', [WEATHER, ISSUES]))).toEqual([{ name: 'get_weather', arguments: { city: 'Lisbon', unit: 'fahrenheit' } }]);
  expect(chooseCalls(ask('list the last 7 issues', [WEATHER, ISSUES]))).toEqual([{ name: 'github__list-issues', arguments: { limit: 7 } }]);
});

test('no tool is called when none is meant, or when none may be', () => {
  expect(chooseCalls(ask('Good morning', [WEATHER, ISSUES]))).toEqual([]);
  expect(chooseCalls(ask('get the weather', [WEATHER], { toolChoice: 'none' }))).toEqual([]);
  expect(chooseCalls(ask('get the weather', []))).toEqual([]);
});

test('several tools are called at once unless the request forbids it', () => {
  const text = 'get the weather and list my issues';
  expect(chooseCalls(ask(text, [WEATHER, ISSUES])).map(({ name }) => name)).toEqual(['get_weather', 'github__list-issues']);
  expect(chooseCalls(ask(text, [WEATHER, ISSUES], { parallelCalls: false })).map(({ name }) => name)).toEqual(['get_weather']);
});

test('a tool that the request insists on is called whatever was said', () => {
  expect(chooseCalls(ask('hi', [ISSUES, WEATHER], { toolChoice: { name: 'get_weather' } }))[0]?.name).toBe('get_weather');
  expect(chooseCalls(ask('hi', [ISSUES, WEATHER], { toolChoice: 'required' }))[0]?.name).toBe('github__list-issues');
});

test('with a shell it looks around, leaves a file, and is done', () => {
  const items: Item[] = [{ kind: 'user', text: 'Summarize the repository', attachments: 0 }];
  const commands: unknown[] = [];
  for (let turn = 0; turn < 10; turn++) {
    const [call] = chooseCalls({ items, tools: [BASH], toolChoice: 'auto', parallelCalls: true });
    if (!call) break;
    commands.push(call.arguments.command);
    items.push({ kind: 'call', id: `${turn}`, name: call.name }, { kind: 'result', id: `${turn}`, text: 'ok' });
  }
  expect(commands).toEqual([expect.stringMatching(/^echo 'Summarize the repository' && ls$/), expect.stringContaining('> /workspace/artifacts/answer.md')]);
});

test('a shell that takes words is given words', () => {
  const shell = { name: 'shell', schema: { type: 'object', properties: { command: { type: 'array', items: { type: 'string' } } } } };
  expect(chooseCalls(ask('hello', [shell]))[0]?.arguments).toEqual({ command: ['bash', '-c', "echo 'hello' && ls"] });
});

test('an objective is never taken for a command', () => {
  const hostile = fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom("'; exit 3; echo '", '$(exit 3)', '`exit 3`', '\\', "a'b\"c\nd\\n"));
  fc.assert(
    fc.property(hostile, (objective) => {
      const [call] = chooseCalls(ask(`x ${objective}`, [BASH]));
      const said = execFileSync('/bin/bash', ['--noprofile', '--norc', '-c', String(call?.arguments.command).replace(/ && ls$/, '').replace(/^echo /, "printf %s ")], { encoding: 'utf8' });
      expect(said).toBe(`x ${objective}`.replaceAll('\0', '').replace(/\s+/g, ' ').trim().slice(0, 200).toWellFormed());
    }),
    { numRuns: 15 },
  );
});
