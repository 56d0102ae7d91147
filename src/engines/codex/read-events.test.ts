import { describe, expect, it } from 'vitest';
import type { Json } from '../../base/canonical-json.ts';
import { isStorableJson } from '../../base/storable-json.ts';
import { createRunNotes } from '../agent/run-notes.ts';
import { createEventReader, type EventReader } from './read-events.ts';

interface Noted {
  readonly fact: Readonly<Record<string, Json>>;
  readonly detail: Json | undefined;
}

function openReader(): { reader: EventReader; noted: Noted[]; use(input: number, output: number): void } {
  const noted: Noted[] = [];
  let used = { calls: 0, inputTokens: 0, outputTokens: 0, costMicros: 0, credential: undefined as string | undefined };
  let clock = 0;
  const notes = createRunNotes({ progress: async (fact, detail) => void noted.push({ fact, detail }) });
  return {
    noted,
    use: (input, output) =>
      (used = {
        calls: used.calls + 1,
        inputTokens: used.inputTokens + input,
        outputTokens: used.outputTokens + output,
        costMicros: used.costMicros + 10,
        credential: 'platform',
      }),
    reader: createEventReader({ notes, model: 'openai/gpt-6-sol', used: () => used, now: () => (clock += 5) }),
  };
}

const COMMAND = {
  id: 'item_1',
  type: 'command_execution',
  command: "/bin/bash -lc 'ls'",
  aggregated_output: '',
  exit_code: null,
  status: 'in_progress',
};

describe("Codex's events", () => {
  it('become the notes that every engine leaves', async () => {
    const { reader, noted, use } = openReader();
    const take = (event: object): Promise<void> => reader.take(JSON.stringify(event));
    await take({ type: 'thread.started', thread_id: 't' });
    await take({ type: 'item.completed', item: { id: 'item_0', type: 'error', message: 'only a warning' } });
    await take({ type: 'turn.started' });
    use(10, 5);
    await take({ type: 'item.completed', item: { id: 'item_0b', type: 'agent_message', text: 'I will look.' } });
    await take({ type: 'item.started', item: COMMAND });
    await take({
      type: 'item.completed',
      item: { ...COMMAND, aggregated_output: 'a\nb\n', exit_code: 2, status: 'failed' },
    });
    await take({
      type: 'item.started',
      item: {
        id: 'item_2',
        type: 'mcp_tool_call',
        server: 'platform',
        tool: 'github__list-issues',
        arguments: { owner: 'a' },
        result: null,
        error: null,
        status: 'in_progress',
      },
    });
    await take({
      type: 'item.completed',
      item: {
        id: 'item_2',
        type: 'mcp_tool_call',
        server: 'platform',
        tool: 'github__list-issues',
        arguments: { owner: 'a' },
        result: { content: [] },
        error: null,
        status: 'completed',
      },
    });
    await take({
      type: 'item.completed',
      item: {
        id: 'item_3',
        type: 'file_change',
        changes: [{ path: '/workspace/a', kind: 'add' }],
        status: 'completed',
      },
    });
    await take({
      type: 'item.completed',
      item: {
        id: 'item_4',
        type: 'todo_list',
        items: [
          { text: 'one', completed: true },
          { text: 'two', completed: false },
        ],
      },
    });
    await take({ type: 'item.completed', item: { id: 'item_5', type: 'reasoning', text: 'hm' } });
    use(20, 7);
    await take({ type: 'item.completed', item: { id: 'item_6', type: 'agent_message', text: 'Done.' } });
    await take({ type: 'turn.completed', usage: { input_tokens: 30, output_tokens: 12 } });
    expect(reader).toMatchObject({ text: 'Done.', completed: true, failure: undefined });
    expect(noted).toEqual([
      {
        fact: {
          type: 'model',
          step: 1,
          model: 'openai/gpt-6-sol',
          credential: 'platform',
          inputTokens: 10,
          outputTokens: 5,
          costMicros: 10,
        },
        detail: { text: 'I will look.', journal: [{ type: 'text', text: 'I will look.' }] },
      },
      { fact: { type: 'tool.started', step: 1, tool: 'bash', call: 'item_1' }, detail: { command: COMMAND.command } },
      {
        fact: { type: 'tool.ended', step: 1, tool: 'bash', call: 'item_1', exit: 2, ms: 5 },
        detail: { command: COMMAND.command, output: 'a\nb\n', exit: '[exit code 2]' },
      },
      {
        fact: { type: 'tool.started', step: 1, tool: 'github__list-issues', call: 'item_2' },
        detail: { arguments: { owner: 'a' } },
      },
      {
        fact: { type: 'tool.ended', step: 1, tool: 'github__list-issues', call: 'item_2', ok: true, ms: 5 },
        detail: { arguments: { owner: 'a' }, result: { content: [] } },
      },
      {
        fact: { type: 'tool.ended', step: 1, tool: 'edit', call: 'item_3', ok: true, files: 1 },
        detail: { changes: [{ path: '/workspace/a', kind: 'add' }] },
      },
      {
        fact: { type: 'tool.ended', step: 1, tool: 'plan', call: 'item_4', items: 2, done: 1 },
        detail: {
          items: [
            { text: 'one', done: true },
            { text: 'two', done: false },
          ],
        },
      },
      {
        fact: {
          type: 'model',
          step: 2,
          model: 'openai/gpt-6-sol',
          credential: 'platform',
          inputTokens: 20,
          outputTokens: 7,
          costMicros: 10,
        },
        detail: { text: 'Done.', journal: [{ type: 'text', text: 'Done.' }] },
      },
    ]);
  });

  it('say why a turn failed, even if only an error came before', async () => {
    const first = openReader();
    await first.reader.take('{"type":"turn.failed","error":{"message":"unexpected status 403"}}');
    expect(first.reader).toMatchObject({ completed: false, failure: 'unexpected status 403' });
    const second = openReader();
    await second.reader.take('{"type":"error","message":"stream closed"}');
    await second.reader.take('{"type":"turn.failed"}');
    expect(second.reader.failure).toBe('stream closed');
  });

  it.each([
    '',
    'WARNING: no JSON',
    '[]',
    '{"type":1}',
    '{"type":"item.started"}',
    '{"type":"item.completed","item":{"type":"toString","id":"x"}}',
    '{"type":"item.completed","item":7}',
    '{"type":"later.invention","item":{"id":"1","type":"new"}}',
  ])('are passed over when they are not understood: %s', async (line) => {
    const { reader, noted } = openReader();
    await reader.take(line);
    expect(noted).toEqual([]);
    expect(reader).toMatchObject({ completed: false, failure: undefined });
  });

  it('are kept short and storable, whatever they contain', async () => {
    const { reader, noted } = openReader();
    await reader.take(
      JSON.stringify({
        type: 'item.completed',
        item: {
          id: 'a',
          type: 'mcp_tool_call',
          tool: 't'.repeat(10_000),
          arguments: { deep: 'x'.repeat(100_000) },
          result: 'zero \0 here',
          status: 'failed',
        },
      }),
    );
    await reader.take(
      JSON.stringify({
        type: 'item.completed',
        item: {
          id: 'b',
          type: 'command_execution',
          command: 'c',
          aggregated_output: `a${'y'.repeat(100_000)}z\0`,
          exit_code: 'no number',
        },
      }),
    );
    expect(JSON.stringify(noted).length < 80_000).toBe(true);
    expect(isStorableJson(noted)).toBe(true);
    expect(noted[1]?.fact).toMatchObject({ exit: null });
  });
});
